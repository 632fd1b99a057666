import type { Invocation } from '@emu/core';
import type { GatewayRequest } from './gateway-request.ts';
import { originForm } from './request-target.ts';

/** A request with the path and query of its target. */
export interface LocatedRequest {
  readonly request: GatewayRequest;
  /** As sent, percent-encoded. Dot segments and empty segments may be parts of an object's key. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

/** A request in the gateway, from its arrival to its response. */
export interface Visit extends LocatedRequest {
  /** Time of its arrival, by `performance.now()`; 0 where no duration is logged. */
  readonly started: number;
  /** The operation that the request invokes; undefined unless it is an API request. */
  invocation: Invocation | undefined;
  /** Whether the response already determines which pages may read it. */
  settled: boolean;
}

/** Creates the visit of a request. @param timed whether its duration is logged */
export function visitOf(request: GatewayRequest, timed: boolean): Visit {
  const target = originForm(request.target);
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? '' : target.slice(mark + 1);
  return { request, path, query, started: timed ? performance.now() : 0, invocation: undefined, settled: false };
}
