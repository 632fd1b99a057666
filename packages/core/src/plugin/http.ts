/** HTTP properties of a request, for the few rules that depend on them. */
export interface HttpDetails {
  readonly method: string;
  /** In the form of the service's model. */
  readonly path: string;
  /** As sent and signed: with the path of the endpoint. */
  readonly signedPath: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The bytes of a body that was read at once, without content codings, for digests; empty for a stream. */
  readonly body?: Uint8Array;
  /** Address of the client. */
  readonly remoteAddress: string | undefined;
  /** The protocol of the request. */
  readonly protocol: string;
  /** Whether it arrived over TLS. */
  readonly secure: boolean;
  /** Version of TLS, e.g. `1.3`; undefined without TLS, and in-process. */
  readonly tlsVersion?: string | undefined;
}

/** A handler's additions to its HTTP response that are not in the model. */
export interface ReplyDetails {
  /** Status of a success instead of the model's, e.g. 206. */
  status?: number;
  /** Headers besides the model's; sent with errors too. */
  readonly headers: Record<string, string>;
}
