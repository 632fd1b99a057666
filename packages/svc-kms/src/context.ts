import type { OperationContext } from '@emu/core/service';
import type { KmsState } from './state.ts';

/** Context of the service's handlers. */
export type KmsContext = OperationContext<KmsState>;
