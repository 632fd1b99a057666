/** The neutral request and response that protocols read and write; the gateway adapts node:http to them. */

/** Header values by lower-case name, as node:http gives them. */
export type HeaderValues = Record<string, string | string[] | undefined>;

/** A request as a protocol sees it. */
export interface WireRequest {
  method: string;
  /** Path before the `?`, still percent-encoded. */
  path: string;
  /** Query after the `?`, still percent-encoded; empty where there is none. */
  query: string;
  headers: HeaderValues;
  /** The whole body; empty for an operation whose input streams. */
  body: Uint8Array;
  /** The body as it arrives, for operations with a streaming or event stream input. */
  stream?: AsyncIterable<Uint8Array>;
}

/** A response as a protocol writes it. */
export interface WireResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: string | Uint8Array | AsyncIterable<Uint8Array>;
}

/** A stream of bytes that is in memory already; who knows can take it whole instead of iterating. */
export class WholeBody implements AsyncIterable<Uint8Array> {
  constructor(readonly bytes: Uint8Array) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.bytes.length > 0) yield this.bytes;
  }
}

/** A streaming blob in an input: a stream in requests, and whatever the caller has at hand in calls between services. */
export type StreamingBlobInput = AsyncIterable<Uint8Array> | Uint8Array | string;

/** A streaming blob in an output; a string is sent as UTF-8. */
export type StreamingBlobOutput = AsyncIterable<Uint8Array> | Uint8Array | string;

/** The pieces of a streaming blob, text as UTF-8; none where there is no blob. A stream is the one that was given. */
export function piecesOf(body: StreamingBlobOutput | undefined): AsyncIterable<Uint8Array> {
  if (typeof body === 'object' && !(body instanceof Uint8Array)) return body;
  return new WholeBody(typeof body === 'string' ? Buffer.from(body) : (body ?? new Uint8Array()));
}
