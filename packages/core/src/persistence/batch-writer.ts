import { type OpenFile, writeFully } from '../storage/file-system.ts';

/** Bytes that are written at once: each write costs a turn of another thread. */
const BATCH = 512 * 1024;

/** Appends chunks to a file in large pieces, one being written while the next is gathered. */
export class BatchWriter {
  private chunks: Uint8Array[] = [];
  private gathered = 0;
  private written = 0;
  private writing: Promise<void> = Promise.resolve();

  /** @param file opened for writing, at its beginning */
  constructor(private readonly file: OpenFile) {}

  /** Takes a chunk, which must not change afterwards. @throws what an earlier write came to */
  async write(chunk: Uint8Array): Promise<void> {
    this.chunks.push(chunk);
    this.gathered += chunk.length;
    if (this.gathered >= BATCH) await this.flush();
  }

  /** Waits until everything is written. @throws what a write came to */
  async end(): Promise<void> {
    if (this.gathered) await this.flush();
    await this.writing;
  }

  /** Waits until nothing is being written any more, whatever came of it. */
  async settled(): Promise<void> {
    await this.writing.catch(() => undefined);
  }

  private async flush(): Promise<void> {
    await this.writing;
    const batch = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks, this.gathered);
    const position = this.written;
    this.written += this.gathered;
    this.chunks = [];
    this.gathered = 0;
    this.writing = writeFully(this.file, batch, position);
    // It is told to who waits for it: the next flush or the end.
    this.writing.catch(() => undefined);
  }
}
