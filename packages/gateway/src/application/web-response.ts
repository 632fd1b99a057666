import type { GatewayResponse } from '../request/gateway-request.ts';

/** A connection cut by an injected fault. `fetch` rejects with it. */
export class ConnectionCut extends TypeError {
  constructor() {
    super('fetch failed', { cause: Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }) });
  }
}

/** Statuses of responses without a body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Converts a response to one of the fetch API.
 * @param method of the request
 * @throws ConnectionCut if an injected fault cuts the connection
 */
export async function webResponse(answer: GatewayResponse, method: string): Promise<Response> {
  const { status, headers, body, drop } = answer;
  const isStream = typeof body !== 'string' && !(body instanceof Uint8Array);
  if (drop || method === 'HEAD' || BODILESS.has(status)) {
    // Let the source release its resources, because the body is not read.
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

/** Converts a response of the fetch API to one of the gateway. */
export async function gatewayResponse(response: Response): Promise<GatewayResponse> {
  const headers: GatewayResponse['headers'] = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: new Uint8Array(await response.arrayBuffer()) };
}
