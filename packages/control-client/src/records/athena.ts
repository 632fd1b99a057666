import type { Located, Timestamp } from './common.ts';

/** A saved query. */
export interface AthenaNamedQuery extends Located {
  namedQueryId: string;
  name: string;
  description?: string;
  database: string;
  queryString: string;
  workGroup: string;
  createdAt: Timestamp;
  /** Time of the last StartQueryExecution with the query's id; absent without one. */
  lastUsedAt?: Timestamp;
}
