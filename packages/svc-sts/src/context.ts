import type { OperationContext } from '@emu/core/service';
import type { StsState } from './state.ts';

/** Context of the service's handlers. */
export type StsContext = OperationContext<StsState>;
