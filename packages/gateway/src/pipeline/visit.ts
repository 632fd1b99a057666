import type { GatewayRequest } from '../http/request.ts';
import { originForm } from '../http/request-target.ts';
import type { Exchange } from './exchange.ts';

/** A request on its way through the gateway. */
export interface Visit {
  readonly request: GatewayRequest;
  /** As sent, percent-encoded: dot segments and empty ones may be parts of an object's key. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** When it came in, by `performance.now()`; 0 where nobody asks how long it took. */
  readonly started: number;
  /** Set for calls of services' APIs. */
  exchange: Exchange | undefined;
  /** Whether the answer says itself which pages may read it. */
  settled: boolean;
}

/** The visit that begins with a request. @param timed whether somebody asks how long it takes */
export function visitOf(request: GatewayRequest, timed: boolean): Visit {
  const target = originForm(request.target);
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? '' : target.slice(mark + 1);
  return { request, path, query, started: timed ? performance.now() : 0, exchange: undefined, settled: false };
}
