import type { OperationContext } from '@emu/core';
import type { CognitoState } from './state.ts';

/** Context of Cognito's handlers. */
export type CognitoIdpContext = OperationContext<CognitoState>;
