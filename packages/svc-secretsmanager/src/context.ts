import type { OperationContext } from '@emu/core';
import type { SecretsState } from './state.ts';

/** Context of the service's handlers. */
export type SecretsmanagerContext = OperationContext<SecretsState>;
