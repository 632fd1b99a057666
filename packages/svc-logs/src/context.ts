import type { OperationContext } from '@emu/core/service';
import type { LogsState } from './state.ts';

/** Context of the service's handlers. */
export type LogsContext = OperationContext<LogsState>;
