import type { OperationContext } from '@emu/core/service';
import type { PipesState } from './state.ts';

/** Context of the service's handlers. */
export type PipesContext = OperationContext<PipesState>;
