import type { ControlRoute } from '@emu/core';
import type { LambdaState } from './state.ts';

/** Lambda's routes for tests to look at its packages. */
export const control: readonly ControlRoute<LambdaState>[] = [];
