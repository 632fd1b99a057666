import type { OperationContext } from '@emu/core';
import type { StepfunctionsState } from './state.ts';

/** Context of the service's handlers. */
export type StepfunctionsContext = OperationContext<StepfunctionsState>;
