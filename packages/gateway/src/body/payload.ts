import { type HeaderValues, headerOf, type WireRequest } from '@emu/wire';
import { type GatewayRequest, PayloadTooLarge } from '../request/request.ts';
import { AwsChunkedDecoder, type ChunkVerifier, isAwsChunked, unframedHeaders } from './aws-chunked.ts';
import { inflate } from './inflate.ts';
import type { Turns } from './turns.ts';

/** The coding of compressed bodies. */
export const GZIP = 'gzip';
/** Bytes up to which a streamed body is read in one piece. */
const SMALL_BODY = 64 * 1024;

/** A request's body with its codings undone: `aws-chunked`, and gzip where the operation allows it. */
export class RequestPayload {
  /** Checks the signatures of an aws-chunked body. */
  verifier: ChunkVerifier | undefined;
  /** The body as it was sent, once it has been read in one piece; undefined for framed bodies. */
  raw: Uint8Array | undefined;
  private turn: (() => void) | undefined;

  constructor(
    private readonly request: GatewayRequest,
    /** Most bytes of a buffered body, before and after inflation; lowered once it is known what the body is for. */
    public limit: number,
    /** In which large bodies are inflated and decoded one at a time. */
    private readonly turns: Turns,
  ) {}

  /** Waits for its turn, which lasts until `endTurn`: no other body is inflated, and no other large one decoded, meanwhile. */
  async takeTurn(): Promise<void> {
    this.turn ??= await this.turns.enter();
  }

  /** Lets the next body have its turn; harmless without one. */
  endTurn(): void {
    this.turn?.();
    this.turn = undefined;
  }

  /** Whether the body claims to be compressed. */
  get compressed(): boolean {
    return this.request.headers['content-encoding'] !== undefined && this.contentEncoding === GZIP;
  }

  /** Bytes that the request says its body has; undefined where it does not say. */
  get length(): number | undefined {
    const length = headerOf(this.request.headers, 'content-length');
    return length === undefined ? undefined : Number(length);
  }

  /**
   * Reads the form of a query protocol as it was sent.
   * @throws PayloadTooLarge over the limit
   */
  async readForm(wire: WireRequest): Promise<void> {
    this.raw = await this.request.body.bytes(this.limit);
    wire.body = this.raw;
  }

  /**
   * Inflates a body that has been read; its turn then goes on, until it is decoded.
   * @throws PayloadTooLarge over the limit
   * @throws AwsError `SerializationException` where it is not gzip
   */
  async inflate(wire: WireRequest): Promise<void> {
    await this.takeTurn();
    wire.body = await inflate(wire.body, this.limit);
  }

  /**
   * Reads the whole body of an operation.
   * @param inflated whether the operation takes compressed bodies
   * @throws PayloadTooLarge over the limit
   * @throws AwsError `SerializationException` where it claims to be gzip and is not
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

  /** Reads the whole body as it was sent, for a stream that may not be used before it is known. */
  async readWhole(): Promise<void> {
    this.raw = await this.request.body.bytes(this.limit);
  }

  /**
   * Reads a body that is to be streamed and is known to be small: iterating over it would cost more than it is worth.
   * @returns undefined where the body is to be streamed after all
   */
  readSmall(wire: WireRequest): Promise<void> | undefined {
    const { headers, body } = this.request;
    const length = headers['content-length'];
    // Who waits to send it sends it to a handler, and not where the request is refused before.
    if (this.raw || body.waiting || length === undefined || Number(length) > SMALL_BODY || isAwsChunked(headers))
      return undefined;
    return body.bytes(SMALL_BODY).then((bytes) => {
      this.raw = bytes;
      wire.body = bytes;
    });
  }

  /** Hands the body on as it arrives, or from memory where it has been read already. */
  stream(wire: WireRequest): void {
    if (this.raw) {
      wire.stream = single(this.raw);
      return;
    }
    wire.stream = isAwsChunked(this.request.headers) ? this.unframed(wire) : this.request.body.stream();
  }

  /** The body without its framing; checksums in its trailers become headers, as if they had been sent up front. */
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

/** The chunks of a body in one piece. @throws PayloadTooLarge as soon as there are more bytes than the limit */
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
