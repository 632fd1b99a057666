import type { OperationContext } from '@emu/core/service';
import type { SchedulerState } from './state.ts';

/** Context of the service's handlers. */
export type SchedulerContext = OperationContext<SchedulerState>;
