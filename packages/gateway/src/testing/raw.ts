import { PayloadTooLarge } from '../request.ts';
import type { TestEmulator } from './emulator.ts';

/** A request that no SDK would send. */
export interface RawRequest {
  method: string;
  /** Path and query. */
  target: string;
  /** `host` is `localhost:4566` unless they say otherwise. */
  headers?: Record<string, string>;
  /** The body, as it comes in. */
  chunks?: readonly (string | Uint8Array)[];
}

/** Its answer; names of headers are in lower case. */
export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Sends a request as it is, without a socket. */
export async function sendRaw(
  { gateway }: Pick<TestEmulator, 'gateway'>,
  { method, target, headers = {}, chunks = [] }: RawRequest,
): Promise<RawResponse> {
  const bytes = chunks.map((chunk) => Buffer.from(chunk)).filter(({ length }) => length > 0);
  const response = await gateway.handle({
    method,
    target,
    headers: { host: 'localhost:4566', ...headers },
    body: {
      bytes: async (limit) => {
        const whole = Buffer.concat(bytes);
        if (whole.length > limit) throw new PayloadTooLarge(limit);
        return whole;
      },
      stream: async function* () {
        yield* bytes;
      },
    },
    remoteAddress: '127.0.0.1',
    localPort: 4566,
    secure: false,
    signal: () => new AbortController().signal,
  });
  let text = '';
  if (typeof response.body === 'string') text = response.body;
  else if (response.body instanceof Uint8Array) text = Buffer.from(response.body).toString();
  else for await (const chunk of response.body) text += Buffer.from(chunk).toString();
  const flat = Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return { status: response.status, headers: Object.fromEntries(flat), text };
}
