import type { QueryError, ResourceIdentifier } from '@emu/service-types/resourcegroups';
import type { ResourcegroupsContext } from '../context.ts';

/** What queries are run with. */
export type QueryContext = Pick<ResourcegroupsContext, 'accountId' | 'region' | 'capability' | 'call'>;

/** The resources that a query finds, or why it finds none. */
export interface Members {
  readonly resources: readonly ResourceIdentifier[];
  readonly errors: readonly QueryError[];
}
