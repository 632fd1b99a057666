import { ContainerError, type ContainerRuntime } from '@emu/core/service';
import type { DriverOptions } from '../driver.ts';
import { CONTAINER_OPTIONS } from '../options.ts';
import { connectCluster } from './cluster.ts';
import { K8sRuntime } from './runtime.ts';

/**
 * Opens the driver for Kubernetes.
 * @throws ContainerError `unavailable` without `EMULATOR_K8S_SELF_URL`, or if no cluster responds
 */
export async function openK8sRuntime({ settings, run }: DriverOptions): Promise<ContainerRuntime> {
  if (settings.of(CONTAINER_OPTIONS).EMULATOR_K8S_SELF_URL === undefined)
    throw new ContainerError(
      'unavailable',
      'the k8s backend requires EMULATOR_K8S_SELF_URL, the URL at which Pods reach emu',
    );
  return new K8sRuntime(await connectCluster(settings), run);
}
