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
  /** When StartQueryExecution last found the query by its id; absent where it never did. */
  lastUsedAt?: Timestamp;
}

/** Control routes of Athena. */
export interface AthenaRoutes {
  'GET /_emulator/athena/named-queries': { response: { namedQueries: AthenaNamedQuery[] } };
}
