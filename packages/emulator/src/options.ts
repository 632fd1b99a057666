import { containerOptions } from '@emu/containers/options';
import type { DeclaredOptions } from '@emu/core/service';
import { PLANNED_CONTAINER_OPTIONS, PLANNED_OPTIONS } from './planned-options.ts';
import { SERVICES } from './services.ts';

/** Options besides those of emu itself, in the order of the help text. */
export const DECLARED_OPTIONS: readonly DeclaredOptions[] = [
  ...SERVICES.flatMap(({ options }) => options ?? []),
  ...PLANNED_OPTIONS,
  containerOptions,
  ...PLANNED_CONTAINER_OPTIONS,
];
