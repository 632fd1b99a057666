import { collect } from '../src/body/payload.ts';
import type { GatewayRequest, GatewayResponse } from '../src/request/gateway-request.ts';

/** Returns a received request; without verification, it needs no signature. */
export function request(parts: {
  method?: string;
  target?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}): GatewayRequest {
  const bytes = Buffer.from(parts.body ?? '');
  return {
    method: parts.method ?? 'POST',
    target: parts.target ?? '/',
    headers: { host: 'localhost:4566', ...parts.headers },
    body: {
      bytes: async () => bytes,
      stream: async function* () {
        yield bytes;
      },
    },
    remoteAddress: undefined,
    localPort: undefined,
    secure: false,
    signal: () => new AbortController().signal,
  };
}

/** Returns the headers of a JSON call of the notes service. */
export function call(operation: string, accessKeyId = 'test', region = 'us-east-1'): Record<string, string> {
  return {
    'x-amz-target': `Notes_20200202.${operation}`,
    'content-type': 'application/x-amz-json-1.0',
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20240101/${region}/notes/aws4_request, SignedHeaders=host, Signature=0`,
  };
}

/** Returns the body of a response as text. */
export async function textOf({ body }: GatewayResponse): Promise<string> {
  if (typeof body === 'string') return body;
  return Buffer.from(body instanceof Uint8Array ? body : await collect(body, Number.POSITIVE_INFINITY)).toString();
}
