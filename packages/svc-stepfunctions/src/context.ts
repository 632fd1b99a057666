import type { OperationContext } from '@emu/core/service';
import type { StepfunctionsState } from './state.ts';

/** Context of the service's handlers. */
export type StepfunctionsContext = OperationContext<StepfunctionsState>;
