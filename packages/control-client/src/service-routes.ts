import { dns } from './routes/core.ts';
import { ROUTE, type Table } from './table.ts';
import * as TABLES from './tables.ts';

/** A service's route that clients use. */
export interface ServiceRoute {
  /** Area of the route, the first segment below `/_emulator/` or, for DNS, `route53`. */
  readonly area: string;
  /** Method and path template. A WebSocket is requested with GET. */
  readonly name: string;
}

/** Returns the names of a table's routes. */
const namesIn = (table: Table): string[] => Object.values(table).map((method) => method[ROUTE]!.name);

/**
 * Control routes of services. Routes without a loaded service answer 501, so that a client can distinguish missing
 * support from an unknown route.
 */
export const SERVICE_ROUTES: readonly ServiceRoute[] = [
  ...Object.values<Table>(TABLES)
    .flatMap(namesIn)
    .map((name) => ({ area: name.split('/')[2]!, name: name.replace(/^WS /, 'GET ') })),
  ...namesIn(dns).map((name) => ({ area: 'route53', name })),
];

/** Path below which containers of tasks read their credentials, followed by the task's id: `GET ecs/creds/{task_id}`. */
export const TASK_CREDENTIALS = '/_emulator/ecs/creds/';
