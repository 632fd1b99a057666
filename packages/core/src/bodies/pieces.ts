import { PAGED_FROM, pagedBuffer } from '../base/paged-buffer.ts';
import type { ByteRange } from '../storage/body-store.ts';

/** Bytes of a block for small chunks, and of the smallest chunk that is kept without copying. */
const BLOCK = 64 * 1024;
/**
 * Bytes of the largest chunk that is kept without copying: larger ones do not come from sockets, and may belong to the
 * caller.
 */
const LARGEST_KEPT = 2 * BLOCK;
/** Bytes of a block of a large body. */
const LARGE_BLOCK = 1024 * 1024;

/**
 * A body in memory, in pieces. Chunks of the size of a socket's are kept as they are; smaller ones are copied together,
 * so that many tiny ones need no more memory than their bytes. Of a large body, everything is copied into pages that
 * return to the operating system with it.
 */
export class PiecedBody {
  private readonly kept: Uint8Array[] = [];
  private block: Buffer | undefined;
  private used = 0;
  private hasPages = false;
  size = 0;

  /** @param expected the length of the body in bytes, if it is known */
  constructor(private readonly expected = 0) {}

  /** Adds a chunk, which must not change afterwards. */
  add(chunk: Uint8Array): void {
    this.size += chunk.length;
    // A part of a much larger buffer would keep all of it in memory.
    const asItIs = chunk.length * 2 >= BLOCK && chunk.length <= LARGEST_KEPT;
    if (asItIs && !this.large && chunk.length * 4 >= chunk.buffer.byteLength * 3) {
      this.closeBlock();
      this.kept.push(chunk);
    } else this.copy(chunk);
  }

  /** Returns the pieces in order; nothing is added afterwards. */
  pieces(): readonly Uint8Array[] {
    this.closeBlock();
    this.block = undefined;
    return this.kept;
  }

  /** Whether a part of the body is in pages. */
  get paged(): boolean {
    return this.hasPages;
  }

  /** Whether the body is known to be large by now. */
  private get large(): boolean {
    return Math.max(this.size, this.expected) >= PAGED_FROM;
  }

  private copy(chunk: Uint8Array): void {
    for (let from = 0; from < chunk.length; ) {
      this.block ??= this.newBlock(this.size - chunk.length + from);
      const count = Math.min(this.block.length - this.used, chunk.length - from);
      this.block.set(chunk.subarray(from, from + count), this.used);
      this.used += count;
      from += count;
      if (this.used < this.block.length) continue;
      this.kept.push(this.block);
      this.block = undefined;
      this.used = 0;
    }
  }

  /** @param start position of the block in the body */
  private newBlock(start: number): Buffer {
    if (!this.large) return Buffer.allocUnsafeSlow(BLOCK);
    this.hasPages = true;
    const rest = this.expected - start;
    return pagedBuffer(rest > 0 ? Math.min(Math.max(rest, PAGED_FROM), LARGE_BLOCK) : LARGE_BLOCK);
  }

  private closeBlock(): void {
    const { block, used } = this;
    if (!block || !used) return;
    const rest = block.subarray(0, used);
    // The unused pages of a large block take no memory.
    this.kept.push(block.length === BLOCK ? Buffer.from(rest) : rest);
    this.used = 0;
  }
}

/**
 * Streams a body in pieces, or a part of it. Not a generator, as `return` before the first step runs no `finally`
 * there.
 */
export class PiecesReader implements AsyncIterableIterator<Uint8Array> {
  private index = 0;
  /** Bytes to skip before the requested part. */
  private skip: number;
  private left: number;
  private ended = false;

  /** @param onEnd called once, when reading ends for any reason */
  constructor(
    private readonly pieces: readonly Uint8Array[],
    { start, end }: ByteRange,
    private readonly onEnd: () => void,
  ) {
    this.skip = start;
    this.left = end - start;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    if (this.ended || this.left === 0) return this.return();
    let piece = this.pieces[this.index++]!;
    while (piece.length <= this.skip) {
      this.skip -= piece.length;
      piece = this.pieces[this.index++]!;
    }
    const part = piece.subarray(this.skip, this.skip + this.left);
    this.skip = 0;
    this.left -= part.length;
    return { done: false, value: part };
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    if (!this.ended) {
      this.ended = true;
      this.onEnd();
    }
    return { done: true, value: undefined };
  }
}
