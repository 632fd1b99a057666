import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** What the host name of a request says, where it follows the form of AWS's endpoints. */
export interface EndpointName {
  /** Host label of the service, e.g. `s3` or `lambda-url`. */
  readonly label: string;
  readonly region: string | undefined;
  /** Labels before the service's, e.g. a bucket or a function URL's id. */
  readonly prefix: string | undefined;
}

/** What the handshake of TLS came to. */
export interface TlsFacts {
  /** E.g. `TLSv1.3`. */
  readonly version: string;
  /** Name of the cipher suite, e.g. `TLS_AES_256_GCM_SHA384`. */
  readonly cipher: string;
}

/** A request that a service answers itself, without a model: a website, a function URL, a browser's form. */
export interface DataPlaneRequest {
  readonly method: string;
  /** Path as sent, percent-encoded. */
  readonly path: string;
  /** Query string as sent, without the question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Names and values of the headers in turn, as they were sent; undefined where that is not known, and over HTTP/2. */
  readonly rawHeaders: readonly string[] | undefined;
  /** Undefined where the host name is not of AWS's forms. */
  readonly host: EndpointName | undefined;
  /** The host name, in lower case and without a port, where the service has said by `ownsHost` that it is a resource's. */
  readonly ownedHost: string | undefined;
  /** Base URL the caller reached emu by; no trailing slash. */
  readonly endpoint: string;
  readonly requestId: string;
  readonly remoteAddress: string | undefined;
  readonly secure: boolean;
  /** What TLS came to; undefined without, and within the process. */
  readonly tls?: TlsFacts | undefined;
  /**
   * Certificate, in DER, that the client has shown in the handshake of TLS; nobody has checked it. Undefined where it has
   * shown none or was not asked; see `asksClients` of a plugin.
   */
  readonly clientCertificate?: Uint8Array | undefined;
  /** The body as it arrives; read at most once. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
}

/** The answer to a data plane request, as it goes out. */
export interface DataPlaneResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: string | Uint8Array | AsyncIterable<Uint8Array>;
  /**
   * A page that the service has written itself, whose Content-Security-Policy runs no scripts but its own. Other documents
   * are sandboxed where the host has control routes, too.
   */
  ownPage?: true;
}

/** The connection of a client that asks for another protocol than HTTP: for a WebSocket. */
export interface UpgradableConnection {
  readonly incoming: IncomingMessage;
  readonly socket: Duplex;
  /** What the client has sent after its request. */
  readonly head: Buffer;
}

/** A request of a web page, before it is decoded. */
export interface WebPageRequest extends Pick<DataPlaneRequest, 'method' | 'path' | 'query' | 'headers' | 'host'> {
  /** Origin of the page, as its `Origin` header has it; undefined for links, images and other requests without one. */
  readonly origin: string | undefined;
  /** The operation of the service's API that it calls; undefined for a request of the data plane. */
  readonly operation: string | undefined;
  /** Path of the operation, with the bucket that the host names; undefined for a request of the data plane. */
  readonly resourcePath?: string | undefined;
  /** Whether it asks for a WebSocket. */
  readonly upgrade: boolean;
}
