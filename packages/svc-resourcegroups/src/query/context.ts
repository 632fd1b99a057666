import type { OperationContext } from '@emu/core';
import type { QueryError, ResourceIdentifier } from '@emu/service-types/resourcegroups';
import type { GroupsState } from '../state.ts';

/** What handlers of Resource Groups have. */
export type GroupsContext = OperationContext<GroupsState>;

/** What queries are run with. */
export type QueryContext = Pick<GroupsContext, 'accountId' | 'region' | 'capability' | 'call'>;

/** The resources that a query finds, or why it finds none. */
export interface Members {
  readonly resources: readonly ResourceIdentifier[];
  readonly errors: readonly QueryError[];
}
