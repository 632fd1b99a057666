import type { AnyResourceProvider } from '@emu/core/service';
import { activity } from './activity.ts';
import { stateMachine } from './state-machine.ts';
import { stateMachineAlias, stateMachineVersion } from './versions.ts';

/** Providers of Step Functions' resource types. */
export const providers: readonly AnyResourceProvider[] = [
  activity,
  stateMachine,
  stateMachineAlias,
  stateMachineVersion,
];
