import type { OperationContext } from '@emu/core/service';
import type { IamState } from './state.ts';

/** Context of IAM's handlers. */
export type IamContext = OperationContext<IamState>;
