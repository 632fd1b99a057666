import type { OperationContext } from '@emu/core/service';
import type { SecretsState } from './state.ts';

/** Context of the service's handlers. */
export type SecretsmanagerContext = OperationContext<SecretsState>;
