import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { TlsFacts } from '@emu/core/service';
import type { HeaderValues } from '@emu/wire';
import { ClientGone, type GatewayRequest, PayloadTooLarge, type RequestBody } from '../request/request.ts';

/** A request of node's HTTP/1.1 or HTTP/2 server. */
export type NodeRequest = IncomingMessage | Http2ServerRequest;
/** Its response. */
export type NodeResponse = ServerResponse | Http2ServerResponse;

const NOTHING = new Uint8Array(0);
/** Bytes from which on a body is put together as it comes. */
const LARGE = 256 * 1024;

/** A body that arrives at node's server. */
class NodeBody implements RequestBody {
  constructor(
    private readonly request: NodeRequest,
    private readonly response: NodeResponse,
    /** Whether the client waits to be told to go on (`Expect: 100-continue`). */
    public waiting: boolean,
  ) {}

  bytes(limit: number): Promise<Uint8Array> {
    const { request } = this;
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    if (length !== undefined) {
      if (Number(length) > limit) return Promise.reject(new PayloadTooLarge(limit));
      if (length === '0') return Promise.resolve(NOTHING);
    } else if (coding === undefined && request.httpVersionMajor < 2) return Promise.resolve(NOTHING);
    this.proceed();
    return readAll(request, limit, Number(length));
  }

  stream(): AsyncIterable<Uint8Array> {
    return this.waiting ? this.awaited() : chunksOf(this.request);
  }

  /** The body of a client that is told to go on when somebody begins to read, and not before. */
  private async *awaited(): AsyncGenerator<Uint8Array, void, undefined> {
    this.proceed();
    yield* chunksOf(this.request);
  }

  private proceed(): void {
    if (!this.waiting) return;
    this.waiting = false;
    this.response.writeContinue();
  }
}

/** The chunks of a body; ends with ClientGone where the client leaves in the middle. */
async function* chunksOf(request: NodeRequest): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    // Giving up on a body must not end the connection before the response is written.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) yield chunk as Uint8Array;
  } catch (cause) {
    throw new ClientGone({ cause });
  }
}

/** @param length bytes that the request says it has; NaN where it does not say */
function readAll(request: NodeRequest, limit: number, length: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let first: Uint8Array | undefined;
    let chunks: Uint8Array[] | undefined;
    // Large ones are put together as they come: at once that would take long.
    const whole = length >= LARGE ? Buffer.allocUnsafe(length) : undefined;
    let size = 0;
    let settled = false;
    const onData = (chunk: Uint8Array): void => {
      const at = size;
      size += chunk.length;
      if (size > limit) {
        settled = true;
        request.off('data', onData);
        request.pause();
        reject(new PayloadTooLarge(limit));
      } else if (whole) whole.set(chunk, at);
      else if (!first) first = chunk;
      else if (chunks) chunks.push(chunk);
      else chunks = [first, chunk];
    };
    const onEnd = (): void => {
      settled = true;
      resolve(whole?.subarray(0, size) ?? (chunks ? Buffer.concat(chunks, size) : (first ?? NOTHING)));
    };
    const onGone = (cause?: unknown): void => {
      if (settled) return;
      settled = true;
      reject(new ClientGone({ cause }));
    };
    // The listeners go with the request: taking each off again would cost more than it saves.
    if (request.destroyed) onGone(request.errored);
    else request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

/** A request of node's server as the gateway takes it. */
export class ServerRequest implements GatewayRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderValues;
  readonly authority: string | undefined;
  readonly body: RequestBody;
  private controller: AbortController | undefined;

  constructor(
    private readonly request: NodeRequest,
    private readonly response: NodeResponse,
    readonly secure: boolean,
    waiting: boolean,
  ) {
    this.method = request.method!;
    this.target = request.url!;
    this.headers = headersOf(request);
    this.authority = otherAuthority(request, this.headers);
    this.body = new NodeBody(request, response, waiting);
  }

  get rawHeaders(): readonly string[] | undefined {
    return this.request.httpVersionMajor < 2 ? this.request.rawHeaders : undefined;
  }

  get remoteAddress(): string | undefined {
    return this.request.socket?.remoteAddress;
  }

  get tlsVersion(): string | undefined {
    if (!this.secure) return undefined;
    // Of HTTP/2, too, the socket is one of TLS's.
    return (this.request.socket as Partial<TLSSocket>).getProtocol?.()?.replace(/^TLSv/, '') ?? undefined;
  }

  get tls(): TlsFacts | undefined {
    const socket = this.request.socket as Partial<TLSSocket>;
    const version = this.secure ? socket.getProtocol?.() : undefined;
    return version ? { version, cipher: socket.getCipher!().name } : undefined;
  }

  get clientCertificate(): Uint8Array | undefined {
    return this.secure ? clientCertificateOf(this.request.socket as Partial<TLSSocket>) : undefined;
  }

  get localPort(): number | undefined {
    return this.request.socket?.localPort;
  }

  signal = (): AbortSignal => {
    if (this.controller) return this.controller.signal;
    const controller = new AbortController();
    this.controller = controller;
    const { response } = this;
    const onClose = (): void => {
      if (!response.writableEnded) controller.abort(new ClientGone());
    };
    if (response.destroyed || this.request.socket?.destroyed) controller.abort(new ClientGone());
    else response.once('close', onClose);
    return controller.signal;
  };
}

/** The certificate that the client of a connection has shown, in DER; undefined where it has shown none. */
export const clientCertificateOf = (socket: Partial<TLSSocket>): Uint8Array | undefined =>
  socket.getPeerCertificate?.()?.raw;

/** HTTP/2's pseudo-headers as HTTP/1.1 has them. */
function headersOf(request: NodeRequest): HeaderValues {
  if (request.httpVersionMajor < 2) return request.headers;
  const headers: HeaderValues = {};
  for (const [name, value] of Object.entries(request.headers)) if (!name.startsWith(':')) headers[name] = value;
  headers.host ??= (request as Http2ServerRequest).authority;
  return headers;
}

function otherAuthority(request: NodeRequest, { host }: HeaderValues): string | undefined {
  if (request.httpVersionMajor < 2) return undefined;
  const { authority } = request as Http2ServerRequest;
  return authority === host ? undefined : authority;
}
