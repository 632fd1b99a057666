import { Readable } from 'node:stream';
import { collect } from '../body/payload.ts';
import type { Gateway } from '../gateway.ts';
import {
  type GatewayRequest,
  type GatewayResponse,
  PayloadTooLarge,
  type RequestBody,
} from '../request/gateway-request.ts';

/** A request of an SDK v3 client for its `requestHandler`. */
export interface SdkHttpRequest {
  method: string;
  protocol: string;
  hostname: string;
  port?: number;
  path: string;
  query?: Record<string, string | string[] | null>;
  headers: Record<string, string>;
  body?: unknown;
}

/** The response of a `requestHandler` to an SDK v3 client. */
export interface SdkHttpResponse {
  statusCode: number;
  headers: Record<string, string>;
  body: Readable;
}

/** The part of `@smithy/types`' `HttpHandlerOptions` that applies without a network. */
export interface SdkHandlerOptions {
  abortSignal?: { readonly aborted: boolean; onabort?: unknown };
}

/** An SDK v3 `requestHandler`: `new SQSClient({ requestHandler: inProcessHandler(gateway), … })`. */
export interface InProcessHandler {
  readonly metadata: { handlerProtocol: string };
  handle(request: SdkHttpRequest, options?: SdkHandlerOptions): Promise<{ response: SdkHttpResponse }>;
  updateHttpClientConfig(key: never, value: never): void;
  httpHandlerConfigs(): Record<string, never>;
  destroy(): void;
}

/** Runs SDK v3 clients against a gateway without sockets. Bodies stream in both directions. */
export function inProcessHandler(gateway: Gateway): InProcessHandler {
  const turn = new Turn();
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    async handle(request, options) {
      const signal = options?.abortSignal as AbortSignal | undefined;
      if (signal?.aborted) throw abortError();
      if (turn.isOver()) await new Promise((resolve) => setImmediate(resolve));
      const answer = gateway.handle(gatewayRequest(request, signal)).then(sdkResponse);
      if (!signal?.addEventListener) return { response: await answer };
      return { response: await unlessAborted(answer, signal) };
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
    destroy() {},
  };
}

/** Milliseconds of requests after which the event loop turns. */
const TURN = 1000;

/**
 * Lets timers and files proceed. A program that sends one request after the other, such as one that polls, would block
 * them, because nothing between its requests takes a turn of the event loop.
 */
class Turn {
  /** End of this turn's time, by `performance.now()`; 0 before its first request. */
  private end = 0;

  isOver(): boolean {
    const now = performance.now();
    if (this.end === 0) {
      this.end = now + TURN;
      setImmediate(() => {
        this.end = 0;
      });
    }
    return now >= this.end;
  }
}

function gatewayRequest(request: SdkHttpRequest, signal: AbortSignal | undefined): GatewayRequest {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) headers[name.toLowerCase()] = value;
  headers.host ??= request.port ? `${request.hostname}:${request.port}` : request.hostname;
  if (request.method === 'PUT' || request.method === 'POST') frame(headers, request.body);
  return {
    method: request.method,
    target: targetOf(request),
    headers,
    body: new InProcessBody(request.body),
    remoteAddress: undefined,
    localPort: undefined,
    secure: request.protocol === 'https:',
    signal: () => signal ?? NEVER_ABORTED,
  };
}

/** Adds the headers that describe the body, as node's client does for the SDK. */
function frame(headers: Record<string, string>, body: unknown): void {
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return;
  const length = lengthOf(body);
  if (length === undefined) headers['transfer-encoding'] = 'chunked';
  else headers['content-length'] = String(length);
}

/** Returns the length of a body in bytes; undefined if it is unknown. */
function lengthOf(body: unknown): number | undefined {
  if (body === undefined || body === null) return 0;
  if (typeof body === 'string') return Buffer.byteLength(body);
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return body.byteLength;
  return body instanceof Blob ? body.size : undefined;
}

const NEVER_ABORTED = new AbortController().signal;

function targetOf({ path, query }: SdkHttpRequest): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(query ?? {}))
    for (const one of Array.isArray(value) ? value : [value])
      parts.push(one === null ? uriEncode(name) : `${uriEncode(name)}=${uriEncode(one)}`);
  return parts.length ? `${path}?${parts.join('&')}` : path;
}

/** Percent-encodes as SigV4 does, so that signatures match. */
function uriEncode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** A body of the SDK: text, bytes, or a stream of node or the web. */
class InProcessBody implements RequestBody {
  constructor(private readonly body: unknown) {}

  async bytes(limit: number): Promise<Uint8Array> {
    const whole = wholeBody(this.body);
    if (!whole) return collect(this.stream(), limit);
    if (whole.length > limit) throw new PayloadTooLarge(limit);
    return whole;
  }

  stream(): AsyncIterable<Uint8Array> {
    const whole = wholeBody(this.body);
    if (whole) return Readable.from([whole]);
    if (this.body instanceof Blob) return this.body.stream() as unknown as AsyncIterable<Uint8Array>;
    if (typeof this.body === 'object' && this.body !== null && Symbol.asyncIterator in this.body)
      return this.body as AsyncIterable<Uint8Array>;
    throw new TypeError('the request body is neither text, nor bytes, nor a stream');
  }
}

function wholeBody(body: unknown): Uint8Array | undefined {
  if (body === undefined || body === null) return new Uint8Array(0);
  if (typeof body === 'string') return Buffer.from(body);
  // Copy: the caller may change it later, and services may store it.
  if (body instanceof ArrayBuffer) return new Uint8Array(body.slice(0));
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice();
  return undefined;
}

function sdkResponse({ status, headers, body, drop }: GatewayResponse): SdkHttpResponse {
  if (drop) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    return { statusCode: status, headers: flat, body: Readable.from(body, { objectMode: false }) };
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  flat['content-length'] ??= String(bytes.length);
  const stream = new Readable({ read() {} });
  if (bytes.length) stream.push(bytes);
  stream.push(null);
  return { statusCode: status, headers: flat, body: stream };
}

function abortError(): Error {
  return Object.assign(new Error('Request aborted'), { name: 'AbortError' });
}

/** Returns the response, or rejects as soon as the signal aborts. */
function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(abortError());
    signal.addEventListener('abort', onAbort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
