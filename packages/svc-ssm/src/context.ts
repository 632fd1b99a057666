import type { OperationContext } from '@emu/core';
import type { SsmState } from './state.ts';

/** Context of the service's handlers. */
export type SsmContext = OperationContext<SsmState>;
