import type { OperationContext } from '@emu/core';
import type { CloudformationState } from './state.ts';

/** What CloudFormation's handlers work with. */
export type CloudformationContext = OperationContext<CloudformationState>;
