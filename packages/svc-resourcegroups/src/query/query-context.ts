import type { QueryError, ResourceIdentifier } from '@emu/service-types/resourcegroups';
import type { ResourcegroupsContext } from '../context.ts';

/** Context of a query. */
export type QueryContext = Pick<ResourcegroupsContext, 'accountId' | 'region' | 'capability' | 'call'>;

/** Resources that match a query, or the error if it cannot run. */
export interface Members {
  readonly resources: readonly ResourceIdentifier[];
  readonly errors: readonly QueryError[];
}
