import type { OperationContext } from '@emu/core/service';
import type { CloudwatchState } from './state.ts';

/** Context of CloudWatch's handlers. */
export type CloudwatchContext = OperationContext<CloudwatchState>;
