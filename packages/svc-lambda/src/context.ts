import type { OperationContext } from '@emu/core';
import type { LambdaState } from './state.ts';

/** Context of the service's handlers. */
export type LambdaContext = OperationContext<LambdaState>;
