import type { AthenaNamedQuery } from '../records/athena.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of Athena. */
export const athena = {
  /**
   * Lists the saved queries of all workgroups, with the time of their last use. `GET /_emulator/athena/named-queries`
   */
  namedQueries: json<{ namedQueries: AthenaNamedQuery[] }>()('GET /_emulator/athena/named-queries'),
};

/** Methods for the control routes of Athena. */
export interface AthenaControl extends MethodsOf<typeof athena> {}

/** Control routes of Athena by name. */
export type AthenaRoutes = RoutesOf<typeof athena>;
