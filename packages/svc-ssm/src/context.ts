import type { OperationContext } from '@emu/core/service';
import type { SsmState } from './state.ts';

/** Context of Systems Manager's handlers. */
export type SsmContext = OperationContext<SsmState>;
