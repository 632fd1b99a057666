import type { OperationContext } from '@emu/core';
import type { KinesisState } from './state.ts';

/** Context of the service's handlers. */
export type KinesisContext = OperationContext<KinesisState>;
