import type { ContainerRuntime, ContainersOptions } from '@emu/core/service';

/** Dependencies of a driver. */
export interface DriverOptions extends ContainersOptions {
  /** Id of this run of the emulator. */
  run: string;
}

/**
 * Opens a driver.
 * @throws ContainerError `unavailable` if no engine responds or a required setting is missing
 */
export type OpenDriver = (options: DriverOptions) => Promise<ContainerRuntime>;
