import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Principal } from '../identity/principal.ts';
import type { SigningScope } from './signatures.ts';

/** Parts of a request's host name, if it has the form of AWS's endpoints. */
export interface EndpointName {
  /** Host label of the service, e.g. `s3` or `lambda-url`. */
  readonly label: string;
  readonly region: string | undefined;
  /** Labels before the service's, e.g. a bucket or a function URL's id. */
  readonly prefix: string | undefined;
}

/** Result of the TLS handshake. */
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
  /** Alternating names and values of the headers as sent; undefined if unknown, and over HTTP/2. */
  readonly rawHeaders: readonly string[] | undefined;
  /** Undefined for a host name without the form of AWS's endpoints. */
  readonly host: EndpointName | undefined;
  /** The host name, in lower case and without a port, if it belongs to a resource by the service's `ownsHost`. */
  readonly ownedHost: string | undefined;
  /** Base URL of emu in the request; no trailing slash. */
  readonly endpoint: string;
  readonly requestId: string;
  readonly remoteAddress: string | undefined;
  readonly secure: boolean;
  /** Result of the TLS handshake; undefined without TLS, and in-process. */
  readonly tls?: TlsFacts | undefined;
  /**
   * The client's certificate of the TLS handshake, in DER and not verified. Undefined if the client sent none or none
   * was requested; see `asksClients` of a plugin.
   */
  readonly clientCertificate?: Uint8Array | undefined;
  /** The body as it arrives; read at most once. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  /**
   * Verifies the signature for a service and region, and returns the signer; undefined for an unsigned request. The
   * member is undefined unless emu verifies signatures. Services call it through `signerOf`.
   * @throws AwsError for an invalid signature or an unknown access key
   */
  readonly verifySignature?: ((scope: SigningScope) => Promise<Principal | undefined>) | undefined;
}

/** The response to a data plane request, as sent. */
export interface DataPlaneResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: string | Uint8Array | AsyncIterable<Uint8Array>;
  /**
   * Whether it is a page of the service itself, whose Content-Security-Policy allows only its own scripts. Other
   * documents are sandboxed on hosts that also have control routes.
   */
  ownPage?: true;
}

/** The connection of a client that requests an upgrade, for a WebSocket. */
export interface UpgradableConnection {
  readonly incoming: IncomingMessage;
  readonly socket: Duplex;
  /** Bytes that the client sent after its request. */
  readonly head: Buffer;
  /**
   * Starts the work for a message in its turn, in order with the port's requests, so that many messages do not delay
   * others. @param begin must not throw
   */
  admit(begin: () => void): void;
}

/** A request of a web page, before it is decoded. */
export interface WebPageRequest extends Pick<DataPlaneRequest, 'method' | 'path' | 'query' | 'headers' | 'host'> {
  /** The `Origin` header; undefined for links, images and other requests without one. */
  readonly origin: string | undefined;
  /** The operation of the service's API that it calls; undefined for a request of the data plane. */
  readonly operation: string | undefined;
  /** Path of the operation, with the bucket of the host name; undefined for a request of the data plane. */
  readonly resourcePath?: string | undefined;
  /** Whether it requests a WebSocket. */
  readonly upgrade: boolean;
}
