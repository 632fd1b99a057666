import type { OperationContext } from '@emu/core';
import type { IamState } from './state.ts';

/** Context of the service's handlers. */
export type IamContext = OperationContext<IamState>;
