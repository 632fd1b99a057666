import type { OperationContext } from '@emu/core/service';
import type { FirehoseState } from './state.ts';

/** Context of the service's handlers. */
export type FirehoseContext = OperationContext<FirehoseState>;
