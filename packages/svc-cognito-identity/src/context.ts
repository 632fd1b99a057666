import type { OperationContext } from '@emu/core/service';
import type { IdentityState } from './state.ts';

/** Context of the service's handlers. */
export type CognitoIdentityContext = OperationContext<IdentityState>;
