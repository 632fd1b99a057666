import type { OperationContext } from '@emu/core';
import type { CognitoState } from './state.ts';

/** Context of the service's handlers. */
export type CognitoIdpContext = OperationContext<CognitoState>;
