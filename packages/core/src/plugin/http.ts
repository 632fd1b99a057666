/** The HTTP side of a request, for the few rules that depend on it. */
export interface HttpDetails {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The bytes of a body that was read in one piece, its codings undone, for digests of it; empty where it streams. */
  readonly body?: Uint8Array;
  /** Address of the client. */
  readonly remoteAddress: string | undefined;
  /** The protocol the request came in. */
  readonly protocol: string;
  /** Whether it came over TLS. */
  readonly secure: boolean;
  /** Version of TLS, e.g. `1.3`; undefined without, and within the process. */
  readonly tlsVersion?: string | undefined;
}

/** What a handler adds to the HTTP side of its answer, where the model does not say it. */
export interface ReplyDetails {
  /** Status of a success instead of the model's, e.g. 206. */
  status?: number;
  /** Headers besides the model's; sent with errors too. */
  readonly headers: Record<string, string>;
}
