import type { ContainerRuntime } from '@emu/core';
import type { DriverOptions } from '../backends.ts';
import { CONTAINER_OPTIONS } from '../options.ts';
import { findEngine } from './engine.ts';

/**
 * Opens the driver for Docker and podman.
 * @throws ContainerError `unavailable` where no engine answers
 */
export async function openDockerRuntime({ settings, run }: DriverOptions): Promise<ContainerRuntime> {
  const engine = await findEngine(settings.of(CONTAINER_OPTIONS).EMULATOR_CONTAINER_CLI);
  // Loaded only where there is an engine: most emulators run without.
  const { DockerRuntime } = await import('./runtime.ts');
  return new DockerRuntime(engine, run);
}
