import type { Containers, ContainersOptions } from '@emu/core/service';
import { DriverContainers } from './backends.ts';

/** Makes the runtimes of an emulator; each driver is loaded when it is first needed. */
export const openContainers = async (options: ContainersOptions): Promise<Containers> => new DriverContainers(options);
