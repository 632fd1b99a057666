/** Copies the first bytes of a stream as it passes. */
export class Tap implements AsyncIterable<Uint8Array> {
  /** Bytes of the whole stream so far. */
  length = 0;
  /** Whether the stream has ended. */
  ended = false;
  /** Completes the copy after the stream, e.g. by removing its framing. */
  fill: (() => Promise<void>) | undefined;
  private readonly pieces: Uint8Array[] = [];
  private copied = 0;

  /** @param limit most bytes that are copied */
  constructor(private readonly limit: number) {}

  /** Passes a stream on. */
  async *copying(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const bytes of source) {
      this.add(bytes);
      yield bytes;
    }
    this.end();
  }

  /** Takes the next bytes. */
  add(bytes: Uint8Array): void {
    this.length += bytes.length;
    const room = this.limit - this.copied;
    if (room <= 0) return;
    // A copy, because a part would keep the memory of the whole alive.
    const piece = bytes.length <= room ? bytes : Buffer.from(bytes.subarray(0, room));
    this.pieces.push(piece);
    this.copied += piece.length;
  }

  /** Ends the copy. */
  end(): void {
    this.ended = true;
  }

  /** Whether the copy lacks bytes of the stream. */
  get isCut(): boolean {
    return !this.ended || this.length > this.copied;
  }

  /** The copied bytes. */
  get bytes(): Uint8Array {
    return this.pieces.length === 1 ? this.pieces[0]! : Buffer.concat(this.pieces);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    yield* this.pieces;
  }
}
