import { type IncomingMessage, request } from 'node:http';
import { PayloadTooLarge } from '../request/gateway-request.ts';
import type { TestEmulator } from './emulator.ts';

/** A request that SDKs do not send. */
export interface RawRequest {
  method: string;
  /** Path and query. */
  target: string;
  /** `host` is `localhost:4566` by default. */
  headers?: Record<string, string>;
  /** The body in the chunks in which it arrives. */
  chunks?: readonly (string | Uint8Array)[];
}

/** Its response, with names of headers in lower case. */
export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
  bytes: Buffer;
}

/** Sends a request unchanged, without a socket. */
export async function sendRaw(
  { gateway }: Pick<TestEmulator, 'gateway'>,
  { method, target, headers = {}, chunks = [] }: RawRequest,
): Promise<RawResponse> {
  const bytes = chunks.map((chunk) => Buffer.from(chunk)).filter(({ length }) => length > 0);
  // Clients send the length of a body, also of an empty one.
  const hasLength = headers['transfer-encoding'] !== undefined || (method !== 'PUT' && method !== 'POST');
  const length = String(bytes.reduce((sum, chunk) => sum + chunk.length, 0));
  const response = await gateway.handle({
    method,
    target,
    headers: { host: 'localhost:4566', ...(!hasLength && { 'content-length': length }), ...headers },
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
  const pieces: Buffer[] = [];
  if (typeof response.body === 'string' || response.body instanceof Uint8Array) pieces.push(Buffer.from(response.body));
  else for await (const chunk of response.body) pieces.push(Buffer.from(chunk));
  const whole = Buffer.concat(pieces);
  const flat = Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return { status: response.status, headers: Object.fromEntries(flat), text: whole.toString(), bytes: whole };
}

/** Sends a request to a port of this machine with exactly these headers, as browsers choose them. */
export function sendToPort(
  port: number,
  { method, target, headers = {}, chunks = [] }: RawRequest,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const answered = async (response: IncomingMessage): Promise<void> => {
      const pieces: Buffer[] = [];
      for await (const chunk of response) pieces.push(chunk as Buffer);
      const bytes = Buffer.concat(pieces);
      const flat = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
      resolve({ status: response.statusCode!, headers: Object.fromEntries(flat), text: bytes.toString(), bytes });
    };
    const sent = request({
      host: '127.0.0.1',
      port,
      method,
      path: target,
      headers: { host: `localhost:${port}`, ...headers },
      agent: false,
    });
    sent.on('response', (response) => answered(response).catch(reject));
    sent.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      resolve({ status: statusCode!, headers: {}, text: '', bytes: Buffer.alloc(0) });
    });
    sent.on('error', reject);
    for (const chunk of chunks) sent.write(chunk);
    sent.end();
  });
}
