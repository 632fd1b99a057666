import { type HeaderValues, headerOf, type WireRequest } from '@emu/wire';
import { type GatewayRequest, PayloadTooLarge } from '../request/gateway-request.ts';
import { AwsChunkedDecoder, type ChunkVerifier, isAwsChunked, unframedHeaders } from './aws-chunked.ts';
import { inflate } from './inflate.ts';
import type { Turns } from './turns.ts';

/** The coding of compressed bodies. */
export const GZIP = 'gzip';
/** Largest streamed body, in bytes, that is read in one piece. */
const SMALL_BODY = 64 * 1024;

/** A request's body without its codings: `aws-chunked`, and gzip where the operation allows it. */
export class RequestPayload {
  /** Checks the signatures of an aws-chunked body. */
  verifier: ChunkVerifier | undefined;
  /** The body as sent, once it has been read in one piece; undefined for framed bodies. */
  raw: Uint8Array | undefined;
  private turn: (() => void) | undefined;

  constructor(
    private readonly request: GatewayRequest,
    /** Largest buffered body in bytes, before and after inflation. Lowered once the operation is known. */
    public limit: number,
    /** Turns in which large bodies are inflated and decoded. */
    private readonly turns: Turns,
  ) {}

  /**
   * Waits for a turn, which lasts until `endTurn`. Meanwhile no other body is inflated and no other large one decoded.
   */
  async takeTurn(): Promise<void> {
    this.turn ??= await this.turns.enter();
  }

  /** Ends the turn, if any. */
  endTurn(): void {
    this.turn?.();
    this.turn = undefined;
  }

  /** Whether the headers declare the body to be compressed. */
  get compressed(): boolean {
    return this.request.headers['content-encoding'] !== undefined && this.contentEncoding === GZIP;
  }

  /** Length of the body by its header, in bytes; undefined without one. */
  get length(): number | undefined {
    const length = headerOf(this.request.headers, 'content-length');
    return length === undefined ? undefined : Number(length);
  }

  /**
   * Reads the form of a query protocol as sent.
   * @throws PayloadTooLarge over the limit
   */
  async readForm(wire: WireRequest): Promise<void> {
    this.raw = await this.request.body.bytes(this.limit);
    wire.body = this.raw;
  }

  /**
   * Inflates a body that has been read. Its turn continues until it is decoded.
   * @throws PayloadTooLarge over the limit
   * @throws AwsError `SerializationException` for a body that is not gzip
   */
  async inflate(wire: WireRequest): Promise<void> {
    await this.takeTurn();
    wire.body = await inflate(wire.body, this.limit);
  }

  /**
   * Reads the whole body of an operation.
   * @param inflated whether the operation takes compressed bodies
   * @throws PayloadTooLarge over the limit
   * @throws AwsError `SerializationException` for a body that is declared to be gzip and is not
   */
  async read(wire: WireRequest, inflated: boolean): Promise<void> {
    const { request, limit } = this;
    if (isAwsChunked(request.headers)) {
      wire.body = await collect(this.unframed(wire), limit);
      return;
    }
    const body = await request.body.bytes(limit);
    this.raw = body;
    wire.body = body;
    if (inflated && this.compressed) await this.inflate(wire);
  }

  /** Reads the whole body as sent, for a stream that must be verified before its use. */
  async readWhole(): Promise<void> {
    this.raw = await this.request.body.bytes(this.limit);
  }

  /**
   * Reads a small body of a streaming operation in one piece, which costs less than iteration.
   * @returns undefined for a body that is not known to be small
   */
  readSmall(wire: WireRequest): Promise<void> | undefined {
    const { headers, body } = this.request;
    const length = headers['content-length'];
    // A client that waits for `100 Continue` sends only after the request has been accepted.
    if (this.raw || body.waiting || length === undefined || Number(length) > SMALL_BODY || isAwsChunked(headers))
      return undefined;
    return body.bytes(SMALL_BODY).then((bytes) => {
      this.raw = bytes;
      wire.body = bytes;
    });
  }

  /** Passes the body on as a stream: as it arrives, or from memory if it has been read. */
  stream(wire: WireRequest): void {
    if (this.raw) {
      wire.stream = single(this.raw);
      return;
    }
    wire.stream = isAwsChunked(this.request.headers) ? this.unframed(wire) : this.request.body.stream();
  }

  /** Returns the body without its framing. Checksums in its trailers become headers, as if they had been sent first. */
  private unframed(wire: WireRequest): AsyncIterable<Uint8Array> {
    wire.headers = unframedHeaders(wire.headers);
    return this.decode(wire.headers);
  }

  private async *decode(headers: HeaderValues): AsyncGenerator<Uint8Array, void, undefined> {
    const length = Number(headerOf(headers, 'x-amz-decoded-content-length') ?? Number.NaN);
    const decoder = new AwsChunkedDecoder(
      this.request.body.stream(),
      Number.isSafeInteger(length) ? length : undefined,
      this.verifier,
    );
    yield* decoder;
    for (const [name, value] of decoder.trailers) if (name.startsWith('x-amz-checksum-')) headers[name] ??= value;
  }

  private get contentEncoding(): string | undefined {
    return headerOf(this.request.headers, 'content-encoding')?.trim().toLowerCase();
  }
}

/** Returns the chunks of a body in one piece. @throws PayloadTooLarge as soon as they exceed the limit */
export async function collect(source: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > limit) throw new PayloadTooLarge(limit);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}
