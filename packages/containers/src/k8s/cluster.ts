import type { EmulatorSettings } from '@emu/core/service';
import { ContainerError, loadOptional } from '@emu/core/service';
import type { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { CONTAINER_OPTIONS } from '../options.ts';

/** A cluster that answers, and the namespace in which Pods are made. */
export interface Cluster {
  config: KubeConfig;
  api: CoreV1Api;
  namespace: string;
  settings: EmulatorSettings;
}

/**
 * Connects to the cluster of `KUBECONFIG`, `~/.kube/config`, or the one that this process is in.
 * @throws ContainerError `unavailable` where it does not answer, or Pods in the namespace may not be listed
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
    throw new ContainerError('unavailable', `no Kubernetes cluster answers: ${clusterWords(error)}`, { cause: error });
  }
}

/** What the API answers with where it refuses. */
interface ApiFailure {
  code?: number;
  body?: unknown;
  message: string;
}

/** Whether the API said that something does not exist. */
export const isGone = (error: unknown): boolean => (error as ApiFailure).code === 404;

/** The API's own words. */
export function clusterWords(error: unknown): string {
  const { body, message } = error as ApiFailure;
  try {
    const status = (typeof body === 'string' ? JSON.parse(body) : body) as { message?: string } | undefined;
    if (status?.message) return status.message;
  } catch {
    // A proxy's answer rather than the API's.
  }
  return message.split('\n')[0]!;
}
