import { join } from 'node:path';
import { type FileSystem, type OpenFile, writeFully } from '@emu/core/service';

/** Storage of one segment's bytes. */
export interface Medium {
  /** Path of its file; undefined in memory. */
  readonly path?: string;
  /** Writes bytes at `position`, discarding any bytes after it. */
  append(bytes: Buffer, position: number): Promise<void>;
  /** Syncs appended bytes to the device. */
  sync(): Promise<void>;
  /** @returns the bytes of a range, read-only; fewer if the end is missing */
  read(start: number, end: number): Promise<Buffer>;
  /** Releases resources; no append follows soon. */
  rest(): Promise<void>;
  remove(): Promise<void>;
}

const FIRST_CAPACITY = 4096;

/** A segment in memory. */
export class MemoryMedium implements Medium {
  private bytes = Buffer.alloc(0);
  private size = 0;

  async append(bytes: Buffer, position: number): Promise<void> {
    const size = position + bytes.length;
    if (size > this.bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(FIRST_CAPACITY, size, Math.min(position * 2, position + 2 ** 20)));
      this.bytes.copy(grown, 0, 0, position);
      this.bytes = grown;
    }
    bytes.copy(this.bytes, position);
    this.size = size;
  }

  async sync(): Promise<void> {}

  async read(start: number, end: number): Promise<Buffer> {
    return this.bytes.subarray(start, end);
  }

  async rest(): Promise<void> {
    if (this.bytes.length === this.size) return;
    const exact = Buffer.allocUnsafeSlow(this.size);
    this.bytes.copy(exact, 0, 0, this.size);
    this.bytes = exact;
  }

  async remove(): Promise<void> {
    this.bytes = Buffer.alloc(0);
    this.size = 0;
  }
}

/** Returns the file name of a segment. */
export const segmentName = (id: number): string => `segment-${String(id).padStart(10, '0')}.jsonl`;
const SEGMENT = /^segment-(\d+)\.jsonl$/;
/** Returns the segment id of a file name; undefined for other files. */
export const segmentIdOf = (name: string): number | undefined => {
  const digits = SEGMENT.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
};

/** A segment in a file. */
export class FileMedium implements Medium {
  readonly path: string;
  private file: OpenFile | undefined;
  /** Size of the file in bytes; undefined until known. */
  private size: number | undefined;

  constructor(
    private readonly fileSystem: FileSystem,
    directory: string,
    id: number,
    private readonly isNew: boolean,
  ) {
    this.path = join(directory, segmentName(id));
  }

  async append(bytes: Buffer, position: number): Promise<void> {
    this.file ??= await this.fileSystem.open(this.path, this.isNew && position === 0 ? 'w' : 'r+');
    this.size ??= await this.file.size();
    if (this.size > position) await this.file.truncate(position);
    // The size is unknown until the write is complete.
    this.size = undefined;
    await writeFully(this.file, bytes, position);
    this.size = position + bytes.length;
  }

  async sync(): Promise<void> {
    await this.file?.datasync();
  }

  async read(start: number, end: number): Promise<Buffer> {
    const file = await this.fileSystem.open(this.path, 'r');
    try {
      const bytes = Buffer.allocUnsafeSlow(end - start);
      for (let done = 0; done < bytes.length; ) {
        const count = await file.read(bytes, done, bytes.length - done, start + done);
        if (!count) return bytes.subarray(0, done);
        done += count;
      }
      return bytes;
    } finally {
      await file.close();
    }
  }

  async rest(): Promise<void> {
    const { file } = this;
    this.file = undefined;
    await file?.close();
  }

  async remove(): Promise<void> {
    await this.rest();
    await this.fileSystem.remove(this.path);
  }
}
