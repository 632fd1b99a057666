import type { OperationContext } from '@emu/core/service';
import type { SqsState } from './state.ts';

/** Context of the service's handlers. */
export type SqsContext = OperationContext<SqsState>;
