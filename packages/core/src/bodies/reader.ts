import type { BodyStream, ByteRange } from '../storage/body-store.ts';
import type { OpenFile } from '../storage/file-system.ts';
import type { BodyGathering } from './cache.ts';

/** Bytes per read. */
const CHUNK = 112 * 1024;

/** Source of a body. */
export interface BodyOrigin {
  /** Opens its file. */
  open: () => Promise<{ file: OpenFile; size: number }>;
  /** Returns the body, if it is in memory. */
  cached: Buffer | undefined;
  /** Called if the body is read from its file. */
  gather: (() => BodyGathering) | undefined;
  /** Called once, when reading ends for any reason. */
  onEnd: () => void;
}

/**
 * Streams a body or a part of it, one piece for each call of `next`, so that slow readers block nothing and hold little
 * memory. Not a generator, as `return` before the first step runs no `finally` there.
 */
export class BodyReader implements AsyncIterableIterator<Uint8Array>, BodyStream {
  private file: OpenFile | undefined;
  private gathering: BodyGathering | undefined;
  private position: number;
  private end: number | undefined;
  private ended = false;
  /** The next piece, which is read ahead. */
  private ahead: Promise<Uint8Array> | undefined;

  constructor(
    private readonly origin: BodyOrigin,
    private readonly id: string,
    range: ByteRange | undefined,
  ) {
    this.position = range?.start ?? 0;
    this.end = range?.end;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async ready(): Promise<void> {
    if (this.ended || this.ahead || this.origin.cached) return;
    this.readAhead();
    try {
      await this.ahead;
    } catch (error) {
      await this.return();
      throw error;
    }
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    if (this.ended) return { done: true, value: undefined };
    try {
      const chunk = this.origin.cached ? this.fromMemory(this.origin.cached) : await (this.ahead ?? this.fromFile());
      if (chunk.length) {
        if (!this.origin.cached) this.readAhead();
        return { done: false, value: chunk };
      }
      this.gathering?.keep(this.id);
    } catch (error) {
      await this.return();
      throw error;
    }
    return this.return();
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    if (!this.ended) {
      this.ended = true;
      this.gathering?.drop();
      try {
        await this.ahead?.catch(() => undefined);
        await this.file?.close();
      } finally {
        this.origin.onEnd();
      }
    }
    return { done: true, value: undefined };
  }

  private readAhead(): void {
    this.ahead = this.fromFile();
    // The error is thrown to the caller that requests the piece.
    this.ahead.catch(() => undefined);
  }

  private fromMemory(body: Buffer): Buffer {
    const end = this.checkedEnd(body.length);
    const chunk = body.subarray(this.position, end);
    this.position = end;
    return chunk;
  }

  private async fromFile(): Promise<Uint8Array> {
    if (!this.file) {
      const { file, size } = await this.origin.open();
      this.file = file;
      this.end = this.checkedEnd(size);
      this.gathering = this.origin.gather?.();
    }
    const length = Math.min(CHUNK, this.end! - this.position);
    if (!length) return new Uint8Array(0);
    const buffer = Buffer.allocUnsafeSlow(length);
    const size = await this.file.read(buffer, 0, length, this.position);
    if (!size) throw new Error(`the body ${this.id} ends before byte ${this.end}`);
    const chunk = buffer.subarray(0, size);
    this.position += size;
    this.gathering?.add(chunk);
    return chunk;
  }

  private checkedEnd(size: number): number {
    const end = this.end ?? size;
    if (this.position < 0 || this.position > end || end > size)
      throw new RangeError(`bytes ${this.position} to ${end} of ${size}`);
    return end;
  }
}
