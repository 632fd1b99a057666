import type { GatewayResponse } from '../request/request.ts';

/** A connection that an injected fault cuts: what `fetch` rejects with. */
export class ConnectionCut extends TypeError {
  constructor() {
    super('fetch failed', { cause: Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }) });
  }
}

/** Statuses whose responses have no body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * An answer as a response of the fetch API.
 * @param method of the request
 * @throws ConnectionCut where an injected fault cuts the connection
 */
export async function webResponse(answer: GatewayResponse, method: string): Promise<Response> {
  const { status, headers, body, drop } = answer;
  const isStream = typeof body !== 'string' && !(body instanceof Uint8Array);
  if (drop || method === 'HEAD' || BODILESS.has(status)) {
    // The source frees what it holds: nobody will read it.
    if (isStream) await body[Symbol.asyncIterator]().return?.();
    if (drop) throw new ConnectionCut();
    return new Response(null, { status, headers: webHeaders(headers) });
  }
  return new Response(isStream ? ReadableStream.from(body) : (body as string | Uint8Array<ArrayBuffer>), {
    status,
    headers: webHeaders(headers),
  });
}

function webHeaders(headers: GatewayResponse['headers']): Headers {
  const flat = new Headers();
  for (const [name, value] of Object.entries(headers)) for (const one of [value].flat()) flat.append(name, one);
  return flat;
}

/** A response of the fetch API as the gateway's own fronts take it. */
export async function gatewayResponse(response: Response): Promise<GatewayResponse> {
  const headers: GatewayResponse['headers'] = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: new Uint8Array(await response.arrayBuffer()) };
}
