import type { OperationContext } from '@emu/core/service';
import type { CognitoState } from './state.ts';

/** Context of Cognito's handlers. */
export type CognitoIdpContext = OperationContext<CognitoState>;
