import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { RedirectedProgram, TlsFacts } from '@emu/core/service';
import type { HeaderValues } from '@emu/wire';
import { ClientGone, type GatewayRequest, PayloadTooLarge, type RequestBody } from '../request/gateway-request.ts';

/** A request of node's HTTP/1.1 or HTTP/2 server. */
export type NodeRequest = IncomingMessage | Http2ServerRequest;
/** The response to a `NodeRequest`. */
export type NodeResponse = ServerResponse | Http2ServerResponse;

const NOTHING = new Uint8Array(0);
/** Smallest body, in bytes, that is assembled as it arrives. */
const LARGE = 256 * 1024;

/** A body of a request to node's server. */
class NodeBody implements RequestBody {
  constructor(
    private readonly request: NodeRequest,
    private readonly response: NodeResponse,
    /** Whether the client waits for `100 Continue`. */
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

  /** Returns the body of a client that waits for `100 Continue`, which is sent at the first read. */
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

/** Returns the chunks of a body. Throws ClientGone if the client disconnects before the end. */
async function* chunksOf(request: NodeRequest): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    // The end of the iteration must not close the connection before the response.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) yield chunk as Uint8Array;
  } catch (cause) {
    throw new ClientGone({ cause });
  }
}

/** Reads a whole body. @param length its bytes by the headers; NaN if they do not state it */
function readAll(request: NodeRequest, limit: number, length: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let first: Uint8Array | undefined;
    let chunks: Uint8Array[] | undefined;
    // Assembly of a large body in one step would block the event loop.
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
    // The listeners end with the request; removing them would cost more.
    if (request.destroyed) onGone(request.errored);
    else request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

/** A request of node's server as a received request. */
export class ServerRequest implements GatewayRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: HeaderValues;
  readonly authority: string | undefined;
  readonly body: RequestBody;
  program: RedirectedProgram | undefined;
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

  get http2(): boolean {
    return this.request.httpVersionMajor >= 2;
  }

  get rawHeaders(): readonly string[] | undefined {
    return this.request.httpVersionMajor < 2 ? this.request.rawHeaders : undefined;
  }

  get remoteAddress(): string | undefined {
    return this.request.socket?.remoteAddress;
  }

  get tlsVersion(): string | undefined {
    if (!this.secure) return undefined;
    // HTTP/2 over TLS has a TLS socket, too.
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

  signal(): AbortSignal {
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
  }
}

/** Returns the client's certificate of a connection in DER; undefined if it has shown none. */
export const clientCertificateOf = (socket: Partial<TLSSocket>): Uint8Array | undefined =>
  socket.getPeerCertificate?.()?.raw;

/** Returns headers without HTTP/2's pseudo-headers, as HTTP/1.1 has them. */
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
