import type { OperationContext } from '@emu/core/service';
import type { SnsState } from './state.ts';

/** Context of the service's handlers. */
export type SnsContext = OperationContext<SnsState>;
