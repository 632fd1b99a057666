import type { RequestQuery, RequestRecord, RequestTree } from '../records/requests.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Query of the lists; by default the 100 newest requests, at most 10,000. */
type ListQuery = RequestQuery & { limit?: number };

const listed = (query: ListQuery = {}): { query?: ListQuery } => ({ query });

/** The newest requests of clients, and the calls between services that they caused. */
export const requests = {
  /** Starts or stops recording. `PUT /_emulator/requests` */
  record: json<{ recording: boolean }>()(
    'PUT /_emulator/requests',
    (recording?: boolean): { body: { recording: boolean } } => ({ body: { recording: recording ?? true } }),
    () => {},
  ),

  /** Lists the newest requests, oldest first, shortened and with masked secrets. `GET /_emulator/requests` */
  list: json<{ recording: boolean; requests: RequestRecord[] }>()(
    'GET /_emulator/requests',
    listed,
    ({ requests }) => requests,
  ),

  /**
   * Lists the newest requests as trees, each below its cause. A tree matches if any request in it matches. `GET
   * /_emulator/requests/tree`
   */
  tree: json<{ recording: boolean; requests: RequestTree[] }>()(
    'GET /_emulator/requests/tree',
    listed,
    ({ requests }) => requests,
  ),

  /** Deletes the recorded requests. Resolves to their number. `DELETE /_emulator/requests` */
  clear: json<{ cleared: number }>()(
    'DELETE /_emulator/requests',
    () => ({}),
    ({ cleared }) => cleared,
  ),
};

/** Methods for recorded requests. */
export interface RequestControl extends MethodsOf<typeof requests> {}

/** Control routes of recorded requests by name. */
export type RequestRoutes = RoutesOf<typeof requests>;
