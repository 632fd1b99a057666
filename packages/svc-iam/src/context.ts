import type { OperationContext } from '@emu/core/service';
import type { IamState } from './state.ts';

/** Context of the service's handlers. */
export type IamContext = OperationContext<IamState>;
