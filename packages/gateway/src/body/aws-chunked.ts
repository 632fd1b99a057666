import { Slices } from '@emu/core/service';
import { type AwsError, awsError, type HeaderValues, headerOf } from '@emu/wire';

const CODING = 'aws-chunked';
/** Content hashes of framed bodies. Those of event streams have the same beginning and another meaning. */
const FRAMED = /^STREAMING-(UNSIGNED|AWS4-HMAC-SHA256|AWS4-ECDSA-P256-SHA256)-PAYLOAD(-TRAILER)?$/;
/** Longest chunk header or trailer line in bytes. AWS's own lines are below 200 bytes. */
const MAX_LINE = 4096;
const MAX_TRAILERS = 32;
/** Chunks that are decoded before other work may run. */
const CHUNKS_PER_SLICE = 64;

/** Checks the signatures of an aws-chunked body part by part. */
export interface ChunkVerifier {
  /** Takes bytes of the current chunk. */
  data(bytes: Uint8Array): void;
  /** Ends the chunk. The last chunk is empty. @throws AwsError for a wrong signature */
  endOfChunk(signature: string | undefined): void;
  /** Takes the trailers by lower-case name. @throws AwsError for a wrong signature */
  trailers(trailers: ReadonlyMap<string, string>): void;
}

/** Whether the body is framed as `aws-chunked`, by its content hash. */
export function isAwsChunked(headers: HeaderValues): boolean {
  const hash = headerOf(headers, 'x-amz-content-sha256');
  return hash !== undefined && FRAMED.test(hash);
}

/** Returns the headers without the framing: without the coding, and with the decoded length. */
export function unframedHeaders(headers: HeaderValues): HeaderValues {
  const { 'content-encoding': encoding, 'content-length': _, ...rest } = headers;
  const codings = String(encoding ?? '')
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding.toLowerCase() !== CODING);
  const length = headerOf(headers, 'x-amz-decoded-content-length');
  return {
    ...rest,
    ...(codings.length && { 'content-encoding': codings.join(',') }),
    ...(length !== undefined && { 'content-length': length }),
  };
}

/** The next part that the decoder reads. */
type Step = 'head' | 'data' | 'data-end' | 'trailer' | 'done';

const incomplete = (): AwsError =>
  awsError('IncompleteBody', 'The request body terminated unexpectedly', { status: 400 });

/**
 * Removes the `aws-chunked` framing of an upload with signed or unsigned chunks.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html
 */
export class AwsChunkedDecoder implements AsyncIterable<Uint8Array> {
  /** Trailers by lower-case name, complete at the end of the body. */
  readonly trailers = new Map<string, string>();
  private step: Step = 'head';
  private line = '';
  private remaining = 0;
  private signature: string | undefined;
  private decoded = 0;
  private chunks = 0;

  /**
   * @param source the framed body
   * @param decodedLength bytes that the client announced; undefined if it announced none
   */
  constructor(
    private readonly source: AsyncIterable<Uint8Array>,
    private readonly decodedLength?: number,
    private readonly verifier?: ChunkVerifier,
  ) {}

  /** @throws AwsError `IncompleteBody` for broken or incomplete framing, and the errors of the verifier */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    const slices = new Slices();
    for await (const bytes of this.source) {
      // The consumer gets the data of many small chunks as one.
      const parts: Uint8Array[] = [];
      let offset = 0;
      while (offset < bytes.length) {
        if (this.step !== 'data') {
          offset = this.readLine(bytes, offset);
          continue;
        }
        const part = bytes.subarray(offset, offset + this.remaining);
        offset += part.length;
        this.remaining -= part.length;
        this.decoded += part.length;
        this.verifier?.data(part);
        parts.push(part);
        if (this.remaining > 0) continue;
        this.step = 'data-end';
        const pause = ++this.chunks % CHUNKS_PER_SLICE === 0 ? slices.pause() : undefined;
        if (pause) await pause;
      }
      if (parts.length > 0) yield parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    }
    // Some clients omit the empty line after the trailers.
    if (this.step === 'trailer' && this.line === '') this.finish();
    if (this.step !== 'done') throw incomplete();
    if (this.decodedLength !== undefined && this.decoded !== this.decodedLength) throw incomplete();
  }

  /** Takes bytes up to the end of a line. @returns the position after them */
  private readLine(bytes: Uint8Array, offset: number): number {
    const end = bytes.indexOf(10, offset);
    const stop = end < 0 ? bytes.length : end;
    if (this.line.length + stop - offset > MAX_LINE) throw incomplete();
    this.line += Buffer.from(bytes.buffer, bytes.byteOffset + offset, stop - offset).toString('latin1');
    if (end < 0) return stop;
    const line = this.line.endsWith('\r') ? this.line.slice(0, -1) : this.line;
    this.line = '';
    this.take(line);
    return end + 1;
  }

  private take(line: string): void {
    switch (this.step) {
      case 'head':
        this.startChunk(line);
        return;
      case 'data-end':
        if (line !== '') throw incomplete();
        this.verifier?.endOfChunk(this.signature);
        this.step = 'head';
        return;
      case 'trailer':
        if (line === '') this.finish();
        else this.addTrailer(line);
        return;
      default:
        // Only empty lines may follow the end.
        if (line !== '') throw incomplete();
    }
  }

  private startChunk(line: string): void {
    const match = /^([0-9a-fA-F]{1,8})(?:;chunk-signature=([0-9a-f]+\**))?$/.exec(line.trim());
    if (!match) throw incomplete();
    this.remaining = Number.parseInt(match[1]!, 16);
    this.signature = match[2];
    if (this.remaining > 0) {
      this.step = 'data';
      return;
    }
    this.verifier?.endOfChunk(this.signature);
    this.step = 'trailer';
  }

  private addTrailer(line: string): void {
    const colon = line.indexOf(':');
    if (colon < 1 || this.trailers.size >= MAX_TRAILERS) throw incomplete();
    this.trailers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }

  private finish(): void {
    this.verifier?.trailers(this.trailers);
    this.step = 'done';
  }
}
