import type { Containers, ContainersOptions } from '@emu/core/service';
import { DriverContainers } from './backends.ts';

/** Creates the runtimes of an emulator. Each driver is loaded when first needed. */
export const openContainers = async (options: ContainersOptions): Promise<Containers> => new DriverContainers(options);
