import { PAGED_FROM, pagedBuffer } from '../base/paged-buffer.ts';
import { type OpenFile, writeFully } from '../storage/file-system.ts';

/** Bytes per write: each write costs a turn of another thread. */
const BATCH = 512 * 1024;

/** Appends chunks to a file in large pieces; collects the next piece while one is being written. */
export class BatchWriter {
  private chunks: Uint8Array[] = [];
  private gathered = 0;
  private written = 0;
  private writing: Promise<void> = Promise.resolve();

  /** @param file opened for writing, at its start */
  constructor(private readonly file: OpenFile) {}

  /** Appends a chunk, which must not change afterwards. @throws the error of an earlier write */
  async write(chunk: Uint8Array): Promise<void> {
    this.chunks.push(chunk);
    this.gathered += chunk.length;
    if (this.gathered >= BATCH) await this.flush();
  }

  /** Waits until everything is written. @throws the error of a write */
  async end(): Promise<void> {
    if (this.gathered) await this.flush();
    await this.writing;
  }

  /** Waits until no write is running, successful or not. */
  async settled(): Promise<void> {
    await this.writing.catch(() => undefined);
  }

  private async flush(): Promise<void> {
    await this.writing;
    const batch = this.chunks.length === 1 ? this.chunks[0]! : joined(this.chunks, this.gathered);
    const position = this.written;
    this.written += this.gathered;
    this.chunks = [];
    this.gathered = 0;
    this.writing = writeFully(this.file, batch, position);
    // The next flush or the end throws it.
    this.writing.catch(() => undefined);
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  if (size < PAGED_FROM) return Buffer.concat(chunks, size);
  const batch = pagedBuffer(size);
  let position = 0;
  for (const chunk of chunks) {
    batch.set(chunk, position);
    position += chunk.length;
  }
  return batch;
}
