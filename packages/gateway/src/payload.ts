import type { HeaderValues, OperationModel, WireRequest } from '@emu/wire';
import { AwsChunkedDecoder, type ChunkVerifier, isAwsChunked, unframedHeaders } from './aws-chunked.ts';
import { headerOf } from './identify.ts';
import { inflate } from './inflate.ts';
import { type GatewayRequest, PayloadTooLarge } from './request.ts';

const GZIP = 'gzip';
/** Bytes up to which a streamed body is read in one piece. */
const SMALL_BODY = 64 * 1024;

/** A request's body with its codings undone: `aws-chunked`, and gzip where the operation allows it. */
export class RequestPayload {
  /** Checks the signatures of an aws-chunked body. */
  verifier: ChunkVerifier | undefined;
  /** The body as it was sent, once it has been read in one piece; undefined for framed bodies. */
  raw: Uint8Array | undefined;

  constructor(
    private readonly request: GatewayRequest,
    /** Most bytes of a buffered body, before and after inflation. */
    private readonly limit: number,
  ) {}

  /**
   * Reads the form of a query protocol, inflated where it is compressed.
   * @throws PayloadTooLarge over the limit
   */
  async readForm(wire: WireRequest): Promise<void> {
    const body = await this.request.body.bytes(this.limit);
    this.raw = body;
    wire.body = this.contentEncoding === GZIP ? await inflate(body, this.limit) : body;
  }

  /**
   * Reads the whole body of an operation.
   * @throws PayloadTooLarge over the limit
   * @throws AwsError `SerializationException` where it claims to be gzip and is not
   */
  async read(wire: WireRequest, { requestCompression }: OperationModel): Promise<void> {
    const { request, limit } = this;
    if (isAwsChunked(request.headers)) {
      wire.body = await collect(this.unframed(wire), limit);
      return;
    }
    const body = await request.body.bytes(limit);
    this.raw = body;
    const compressed = requestCompression?.includes(GZIP) && this.contentEncoding === GZIP;
    wire.body = compressed ? await inflate(body, limit) : body;
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
    const { headers } = this.request;
    const length = headers['content-length'];
    if (this.raw || length === undefined || Number(length) > SMALL_BODY || isAwsChunked(headers)) return undefined;
    return this.request.body.bytes(SMALL_BODY).then((bytes) => {
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
