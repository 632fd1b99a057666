import type { OperationContext } from '@emu/core/service';
import type { KinesisState } from './state.ts';

/** Context of the service's handlers. */
export type KinesisContext = OperationContext<KinesisState>;
