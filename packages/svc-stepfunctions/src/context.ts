import type { OperationContext } from '@emu/core/service';
import type { StepfunctionsState } from './state.ts';

/** Context of Step Functions' handlers. */
export type StepfunctionsContext = OperationContext<StepfunctionsState>;
