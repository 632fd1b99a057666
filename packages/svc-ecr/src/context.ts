import type { OperationContext } from '@emu/core/service';
import type { EcrState } from './state.ts';

/** Context of the service's handlers. */
export type EcrContext = OperationContext<EcrState>;
