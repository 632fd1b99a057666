import type { EmulatorSettings } from '@emu/core/service';
import { ContainerError, loadOptional } from '@emu/core/service';
import type { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { CONTAINER_OPTIONS } from '../options.ts';

/** A cluster that responds, with the namespace of Pods. */
export interface Cluster {
  config: KubeConfig;
  api: CoreV1Api;
  namespace: string;
  settings: EmulatorSettings;
}

/**
 * Connects to the cluster in `KUBECONFIG`, in `~/.kube/config`, or of this process's own Pod.
 * @throws ContainerError `unavailable` if it does not respond or does not allow listing Pods in the namespace
 */
export async function connectCluster(settings: EmulatorSettings): Promise<Cluster> {
  const { CoreV1Api, KubeConfig } = await loadOptional(
    '@kubernetes/client-node',
    () => import('@kubernetes/client-node'),
  );
  const namespace = settings.of(CONTAINER_OPTIONS).EMULATOR_K8S_NAMESPACE;
  try {
    const config = new KubeConfig();
    config.loadFromDefault();
    const api = config.makeApiClient(CoreV1Api);
    await api.listNamespacedPod({ namespace, limit: 1 });
    return { config, api, namespace, settings };
  } catch (error) {
    throw new ContainerError('unavailable', `no Kubernetes cluster responds: ${clusterWords(error)}`, { cause: error });
  }
}

/** Error response of the API. */
interface ApiFailure {
  code?: number;
  body?: unknown;
  message: string;
}

/** Whether the API reported that an object does not exist. */
export const isGone = (error: unknown): boolean => (error as ApiFailure).code === 404;

/** Returns the message of the API. */
export function clusterWords(error: unknown): string {
  const { body, message } = error as ApiFailure;
  try {
    const status = (typeof body === 'string' ? JSON.parse(body) : body) as { message?: string } | undefined;
    if (status?.message) return status.message;
  } catch {
    // The response of a proxy, not of the API.
  }
  return message.split('\n')[0]!;
}
