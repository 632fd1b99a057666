import type { OperationContext } from '@emu/core/service';
import type { LambdaState } from './state.ts';

/** Context of the service's handlers. */
export type LambdaContext = OperationContext<LambdaState>;
