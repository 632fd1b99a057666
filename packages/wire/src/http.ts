/** Neutral request and response types for protocols. The gateway adapts node:http to them. */

/** Header values by lower-case name, as in node:http. */
export type HeaderValues = Record<string, string | string[] | undefined>;

/** Returns the value of a single header; the first of several. @param name in lower case */
export function headerOf(headers: Readonly<HeaderValues>, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** A request for a protocol. */
export interface WireRequest {
  method: string;
  /** Path before the `?`, still percent-encoded. */
  path: string;
  /** Query after the `?`, still percent-encoded; empty without one. */
  query: string;
  headers: HeaderValues;
  /** Complete body; empty for an operation with a streaming input. */
  body: Uint8Array;
  /** Body stream, for operations with a streaming or event stream input. */
  stream?: AsyncIterable<Uint8Array>;
}

/** A response of a protocol. */
export interface WireResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: string | Uint8Array | AsyncIterable<Uint8Array>;
}

/** A byte stream that is already in memory, so that it can also be used as a whole. */
export class WholeBody implements AsyncIterable<Uint8Array> {
  constructor(readonly bytes: Uint8Array) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.bytes.length > 0) yield this.bytes;
  }
}

/** A streaming blob in an input: a stream in requests, or any form of bytes in calls between services. */
export type StreamingBlobInput = AsyncIterable<Uint8Array> | Uint8Array | string;

/** A streaming blob in an output. A string is sent as UTF-8. */
export type StreamingBlobOutput = AsyncIterable<Uint8Array> | Uint8Array | string;

/** Returns the chunks of a streaming blob, text as UTF-8; none without a blob. A stream is returned unchanged. */
export function piecesOf(body: StreamingBlobOutput | undefined): AsyncIterable<Uint8Array> {
  if (typeof body === 'object' && !(body instanceof Uint8Array)) return body;
  return new WholeBody(typeof body === 'string' ? Buffer.from(body) : (body ?? new Uint8Array()));
}
