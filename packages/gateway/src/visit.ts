import type { Exchange } from './exchange.ts';
import type { GatewayRequest } from './request.ts';

/** A request on its way through the gateway. */
export interface Visit {
  readonly request: GatewayRequest;
  /** As sent, percent-encoded: dot segments and empty ones may be parts of an object's key. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** When it came in, by `performance.now()`. */
  readonly started: number;
  /** Set for calls of services' APIs. */
  exchange: Exchange | undefined;
  /** Whether the answer says itself which pages may read it. */
  settled: boolean;
}

/** The visit that begins with a request. */
export function visitOf(request: GatewayRequest): Visit {
  const target = originForm(request.target);
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? '' : target.slice(mark + 1);
  return { request, path, query, started: performance.now(), exchange: undefined, settled: false };
}

/** Path and query of a request target; clients that take emu for a proxy send the whole URL. */
function originForm(target: string): string {
  if (target.charCodeAt(0) === 47) return target;
  const authority = /^https?:\/\/[^/?#]*/i.exec(target)?.[0];
  if (authority === undefined) return `/${target}`;
  const rest = target.slice(authority.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
