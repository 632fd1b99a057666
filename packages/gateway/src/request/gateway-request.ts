import type { RedirectedProgram, TlsFacts } from '@emu/core/service';
import type { HeaderValues } from '@emu/wire';

/** A request as a listener or a client inside the process hands it to the gateway. */
export interface GatewayRequest {
  method: string;
  /** Path and query as sent, percent-encoded. */
  target: string;
  /** By lower-case name; over HTTP/2 `host` is the `:authority`. */
  headers: HeaderValues;
  /** Names and values of the headers in turn, as sent; undefined if unknown, and over HTTP/2. */
  readonly rawHeaders?: readonly string[] | undefined;
  /** The `:authority` of HTTP/2, if it differs from `host`. */
  authority?: string | undefined;
  body: RequestBody;
  /** Address of the client; undefined in-process. */
  remoteAddress: string | undefined;
  /** Local port of the connection; undefined in-process. */
  localPort: number | undefined;
  /** The program whose connection to an AWS host name was redirected to emu; undefined for other connections. */
  readonly program?: RedirectedProgram | undefined;
  /** Whether it came over HTTP/2. */
  readonly http2?: boolean;
  /** Whether the connection uses TLS. */
  secure: boolean;
  /** Version of TLS, e.g. `1.3`; undefined without TLS, and in-process. */
  tlsVersion?: string | undefined;
  /** Result of the TLS handshake; undefined without TLS, and in-process. */
  readonly tls?: TlsFacts | undefined;
  /** The client's certificate in DER; undefined if it has shown none. */
  readonly clientCertificate?: Uint8Array | undefined;
  /** Returns a signal that aborts when the client has disconnected. The first call creates it. */
  signal(): AbortSignal;
}

/** A request's body, read once: as a whole or as a stream. */
export interface RequestBody {
  /**
   * Returns the whole body.
   * @param limit largest size in bytes
   * @throws PayloadTooLarge as soon as the body is known to be larger
   */
  bytes(limit: number): Promise<Uint8Array>;
  /** Whether the client waits for `100 Continue`, which reading the body sends. */
  readonly waiting?: boolean;
  /** Returns the body as it arrives. */
  stream(): AsyncIterable<Uint8Array>;
}

/** A body over the limit. The response is 413. */
export class PayloadTooLarge extends Error {
  override readonly name = 'PayloadTooLarge';
  constructor(readonly limit: number) {
    super(`the request body is larger than ${limit} bytes`);
  }
}

/** A response to the client. */
export interface GatewayResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Whether an injected fault cuts the connection instead of the response. */
  drop?: true;
}

/** The client has disconnected before the end of its request or response. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
  constructor(options?: ErrorOptions) {
    super('the client has gone', options);
  }
}
