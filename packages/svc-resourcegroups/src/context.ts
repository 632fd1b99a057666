import type { OperationContext } from '@emu/core/service';
import type { GroupsState } from './state.ts';

/** Context of the service's handlers. */
export type ResourcegroupsContext = OperationContext<GroupsState>;
