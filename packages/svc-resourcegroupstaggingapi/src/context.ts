import type { OperationContext } from '@emu/core/service';
import type { TaggingState } from './state.ts';

/** Context of the service's handlers. */
export type ResourcegroupstaggingapiContext = OperationContext<TaggingState>;
