/** Chunks from which on they are joined, so that many small ones cost no more than their bytes. */
const MANY = 256;

/** The last bytes of an output, whatever its length. */
export class TailBuffer {
  private chunks: Buffer[] = [];
  private size = 0;

  /** @param limit bytes kept */
  constructor(private readonly limit: number) {}

  /** Appends bytes; the oldest give way. */
  add(chunk: Uint8Array): void {
    // A copy: a chunk may be a view of a much larger buffer that would be kept alive with it.
    const kept = Buffer.from(chunk.subarray(Math.max(0, chunk.length - this.limit)));
    this.chunks.push(kept);
    this.size += kept.length;
    while (this.chunks.length > 1 && this.size - this.chunks[0]!.length >= this.limit)
      this.size -= this.chunks.shift()!.length;
    if (this.chunks.length < MANY) return;
    this.chunks = [this.bytes()];
    this.size = this.chunks[0]!.length;
  }

  /** What is kept, oldest first. */
  bytes(): Buffer {
    const all = Buffer.concat(this.chunks);
    return all.subarray(Math.max(0, all.length - this.limit));
  }
}
