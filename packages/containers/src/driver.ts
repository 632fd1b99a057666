import type { ContainerRuntime, ContainersOptions } from '@emu/core/service';

/** Dependencies of a driver. */
export interface DriverOptions extends ContainersOptions {
  /** Id of this run of the emulator. */
  run: string;
  /** Reports that the engine no longer responds: the next use of the backend opens it again. */
  lost(): void;
}

/**
 * Opens a driver.
 * @throws ContainerError `unavailable` if no engine responds or a required setting is missing
 */
export type OpenDriver = (options: DriverOptions) => Promise<ContainerRuntime>;
