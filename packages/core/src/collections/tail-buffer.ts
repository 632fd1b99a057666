/** Number of chunks at which they are joined, so that many small chunks need no more memory than their bytes. */
const MANY = 256;

/** The last bytes of an output of any length. */
export class TailBuffer {
  private chunks: Buffer[] = [];
  private size = 0;

  /** @param limit bytes kept */
  constructor(private readonly limit: number) {}

  /** Appends bytes; drops the oldest above the limit. */
  add(chunk: Uint8Array): void {
    // A copy: a chunk may be a view of a much larger buffer, which would not be released.
    const kept = Buffer.from(chunk.subarray(Math.max(0, chunk.length - this.limit)));
    this.chunks.push(kept);
    this.size += kept.length;
    while (this.chunks.length > 1 && this.size - this.chunks[0]!.length >= this.limit)
      this.size -= this.chunks.shift()!.length;
    if (this.chunks.length < MANY) return;
    this.chunks = [this.bytes()];
    this.size = this.chunks[0]!.length;
  }

  /** Returns the bytes, oldest first. */
  bytes(): Buffer {
    const all = Buffer.concat(this.chunks);
    return all.subarray(Math.max(0, all.length - this.limit));
  }
}
