import type { Invocation } from '@emu/core';
import type { GatewayRequest } from './request.ts';
import { originForm } from './request-target.ts';

/** A request with the path and query that its target has. */
export interface LocatedRequest {
  readonly request: GatewayRequest;
  /** As sent, percent-encoded: dot segments and empty ones may be parts of an object's key. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

/** A request in the gateway, from its arrival to its response. */
export interface Visit extends LocatedRequest {
  /** Time of its arrival, by `performance.now()`; 0 where no duration is logged. */
  readonly started: number;
  /** The operation that the request invokes; undefined until it is known to be an API request. */
  invocation: Invocation | undefined;
  /** Whether the response says itself which pages may read it. */
  settled: boolean;
}

/** Returns the visit that begins with a request. @param timed whether its duration is logged */
export function visitOf(request: GatewayRequest, timed: boolean): Visit {
  const target = originForm(request.target);
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? '' : target.slice(mark + 1);
  return { request, path, query, started: timed ? performance.now() : 0, invocation: undefined, settled: false };
}
