import type { ContainerRuntime } from '@emu/core/service';
import type { DriverOptions } from '../driver.ts';
import { CONTAINER_OPTIONS } from '../options.ts';
import { findEngine } from './engine.ts';

/**
 * Opens the driver for Docker and podman.
 * @throws ContainerError `unavailable` if no engine responds
 */
export async function openDockerRuntime({ settings, run, lost }: DriverOptions): Promise<ContainerRuntime> {
  const { EMULATOR_CONTAINER_CLI: cli, EMULATOR_CONTAINER_NETWORK: network } = settings.of(CONTAINER_OPTIONS);
  const engine = await findEngine(cli, network);
  // Loaded only with an engine, because most emulators run without one.
  const { DockerRuntime } = await import('./runtime.ts');
  return new DockerRuntime({ ...engine, lost }, run);
}
