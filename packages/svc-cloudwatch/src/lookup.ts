import type { OperationContext } from '@emu/core';
import type { CloudwatchState } from './state.ts';

/** What handlers of CloudWatch have besides their input. */
export type CloudwatchContext = OperationContext<CloudwatchState>;
