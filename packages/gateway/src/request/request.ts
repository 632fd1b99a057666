import type { TlsFacts } from '@emu/core/service';
import type { HeaderValues } from '@emu/wire';

/** A request as a listener or an in-process client hands it in. */
export interface GatewayRequest {
  method: string;
  /** Path and query as sent, percent-encoded. */
  target: string;
  /** By lower-case name; over HTTP/2 `host` is the `:authority`. */
  headers: HeaderValues;
  /** Names and values of the headers in turn, as they were sent; undefined where that is not known, and over HTTP/2. */
  readonly rawHeaders?: readonly string[] | undefined;
  /** The `:authority` of HTTP/2 where it is not what `host` says. */
  authority?: string | undefined;
  body: RequestBody;
  /** Address of the client; undefined in-process. */
  remoteAddress: string | undefined;
  /** Port it came in by; undefined in-process. */
  localPort: number | undefined;
  /** Whether it came over TLS. */
  secure: boolean;
  /** Version of TLS, e.g. `1.3`; undefined without, and in-process. */
  tlsVersion?: string | undefined;
  /** What the handshake of TLS came to; undefined without, and in-process. */
  readonly tls?: TlsFacts | undefined;
  /** Certificate that the client has shown, in DER; undefined without. */
  readonly clientCertificate?: Uint8Array | undefined;
  /** Aborted when the client has gone; made when first asked for. */
  signal(): AbortSignal;
}

/** A request's body, read once: whole or as a stream. */
export interface RequestBody {
  /**
   * The whole body.
   * @param limit most bytes accepted
   * @throws PayloadTooLarge as soon as the body is known to be larger
   */
  bytes(limit: number): Promise<Uint8Array>;
  /** Whether the client waits to be told to go on, which reading the body does (`Expect: 100-continue`). */
  readonly waiting?: boolean;
  /** The body as it arrives. */
  stream(): AsyncIterable<Uint8Array>;
}

/** A body over the limit; answered with 413. */
export class PayloadTooLarge extends Error {
  override readonly name = 'PayloadTooLarge';
  constructor(readonly limit: number) {
    super(`the request body is larger than ${limit} bytes`);
  }
}

/** What goes back to the client. */
export interface GatewayResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Cut the connection instead of answering: an injected fault asked for it. */
  drop?: true;
}

/** The client went away before its request had arrived or was answered; nobody is left to be answered. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
  constructor(options?: ErrorOptions) {
    super('the client has gone', options);
  }
}
