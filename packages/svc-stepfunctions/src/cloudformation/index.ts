import type { AnyResourceProvider } from '@emu/core';
import { stateMachine } from './state-machine.ts';

/** Providers of Step Functions' resource types. */
export const providers: readonly AnyResourceProvider[] = [stateMachine];
