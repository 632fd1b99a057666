import { Readable } from 'node:stream';
import type { HeaderValues, ServerProtocol, ServiceCodec, WireRequest, WireResponse } from '../../src/index.ts';

/** A request that an SDK client passes to its request handler. */
export interface SdkRequest {
  method: string;
  path: string;
  query?: Record<string, string | string[] | null>;
  headers: Record<string, string>;
  body?: unknown;
}

/** A response that an SDK client reads. */
interface SdkResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: Readable;
}

/** Handles a decoded request. */
export type Answer = (protocol: ServerProtocol, operation: string, input: unknown) => WireResponse;

const encodeQuery = (query: SdkRequest['query']): string =>
  Object.entries(query ?? {})
    .flatMap(([name, value]) => {
      const key = encodeURIComponent(name);
      if (value === null) return [key];
      return (Array.isArray(value) ? value : [value]).map((item) => `${key}=${encodeURIComponent(item)}`);
    })
    .join('&');

async function bytesOf(body: unknown): Promise<Buffer> {
  if (body === undefined || body === null) return Buffer.alloc(0);
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.from(body as Uint8Array);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function wireRequest(request: SdkRequest): Promise<WireRequest> {
  const headers: HeaderValues = {};
  for (const [name, value] of Object.entries(request.headers)) headers[name.toLowerCase()] = value;
  const { method, path } = request;
  return { method, path, query: encodeQuery(request.query), headers, body: await bytesOf(request.body) };
}

/** Returns a request handler that decodes the SDK's requests with this package and encodes the result of `answer`. */
export function requestHandler(
  codec: ServiceCodec,
  answer: Answer,
  seen?: (request: WireRequest) => void,
): { handle(request: SdkRequest): Promise<{ response: SdkResponse }> } {
  return {
    async handle(sdkRequest) {
      const request = await wireRequest(sdkRequest);
      seen?.(request);
      const protocol = codec.protocolOf(request);
      if (!protocol) throw new Error('no protocol');
      const operation = protocol.match(request);
      if (!operation) throw new Error(`no operation for ${request.method} ${request.path}?${request.query}`);
      const response = answer(protocol, operation.name, protocol.decode(operation.name, request));
      const headers: Record<string, string> = {};
      for (const [name, value] of Object.entries(response.headers)) headers[name.toLowerCase()] = String(value);
      return {
        response: { statusCode: response.status, headers, body: Readable.from([await bytesOf(response.body)]) },
      };
    },
  };
}
