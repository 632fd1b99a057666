import type { Areas } from './areas.ts';
import { type ClockControl, clock } from './routes/clock.ts';
import { core, dns } from './routes/core.ts';
import { type FaultControl, faultControl } from './routes/faults.ts';
import { type RequestControl, requests } from './routes/requests.ts';
import { type StateControl, state } from './routes/state.ts';
import { type MethodsOf, methodsOf, type Table } from './table.ts';
import * as TABLES from './tables.ts';
import { type Fetch, Transport } from './transport.ts';

/** Options of a client. */
export interface ControlClientOptions {
  /** Sends the requests; the platform's `fetch` by default. */
  fetch?: Fetch;
}

/** Methods without an area. */
type CoreMethods = MethodsOf<typeof core> & MethodsOf<typeof dns>;

/** Has the methods of the tables. */
const TableClient = class {
  constructor(transport: Transport) {
    const areas = Object.entries<Table>(TABLES).map(([area, table]) => [area, methodsOf(table, transport)]);
    Object.assign(this, { transport }, core, dns, Object.fromEntries(areas));
  }
} as new (
  transport: Transport,
) => CoreMethods & Areas;

/**
 * Client of an emulator's control routes, for tasks beyond the AWS APIs: state across accounts, simulated external
 * events, and reset. The sub-clients of the areas are its properties, e.g. `client.sqs.messages()`.
 * Every method that sends a request rejects with an `ApiError` for a status of 400 or more (501 `NotImplemented` if the
 * service of the route does not exist yet), with an `HttpError` without a usable response, and with a `TypeError` for a
 * path parameter that a URL cannot contain: an empty one, `.` and `..`.
 */
export class ControlClient extends TableClient {
  /** The emulator's clock. */
  readonly clock: ClockControl;
  /** Faults injected into requests of AWS clients. */
  readonly faults: FaultControl;
  /** The newest requests, and the calls that they caused. */
  readonly requests: RequestControl;
  /** The emulator's state as a file. */
  readonly state: StateControl;

  /**
   * @param baseUrl `http:` or `https:` URL of the emulator, e.g. `http://localhost:4566`
   * @throws TypeError for another value
   */
  constructor(baseUrl: string | URL, options: ControlClientOptions = {}) {
    // Looked up at each call, because test tools replace it, and called unbound, as browsers require.
    const { fetch = (url, init) => globalThis.fetch(url, init) } = options;
    const transport = new Transport(baseUrl, fetch);
    super(transport);
    this.clock = methodsOf(clock, transport);
    this.faults = faultControl(transport);
    this.requests = methodsOf(requests, transport);
    this.state = methodsOf(state, transport);
  }
}
