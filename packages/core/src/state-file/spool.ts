import { BatchWriter } from '../persistence/batch-writer.ts';
import { nodeFileSystem, type OpenFile } from '../storage/file-system.ts';

/** Name of a spool's file next to an archive's content: no entry begins with a dot. */
export const SPOOL = '.bodies';

/** Small bodies of an archive in one file: separate files would take many times as long. */
export class BodySpool implements AsyncDisposable {
  private readonly places = new Map<string, { start: number; size: number }>();
  private file: OpenFile | undefined;
  private writer: BatchWriter | undefined;
  private size = 0;

  /** @param path path of the file, created at the first body */
  constructor(private readonly path: string) {}

  /** Adds a body by its path in the archive. */
  async add(path: string, bytes: Uint8Array): Promise<void> {
    this.file ??= await nodeFileSystem.open(this.path, 'w');
    this.writer ??= new BatchWriter(this.file);
    this.places.set(path, { start: this.size, size: bytes.length });
    this.size += bytes.length;
    await this.writer.write(bytes);
  }

  /** Ends writing: from now on the bodies can be read. */
  async end(): Promise<void> {
    if (!this.file) return;
    await this.writer!.end();
    await this.file.close();
    this.writer = undefined;
    this.file = undefined;
    this.file = await nodeFileSystem.open(this.path, 'r');
  }

  /** Returns the paths of a service's bodies in the archive, with their bytes. */
  *of(service: string): Iterable<{ path: string; size: number }> {
    const prefix = `${service}/bodies/`;
    for (const [path, { size }] of this.places) if (path.startsWith(prefix)) yield { path, size };
  }

  /** Returns the bytes of a body. */
  async read(path: string): Promise<Uint8Array> {
    const { start, size } = this.places.get(path)!;
    const bytes = Buffer.allocUnsafeSlow(size);
    let read = 0;
    while (read < size) {
      const more = await this.file!.read(bytes, read, size - read, start + read);
      if (more === 0) throw new Error(`${this.path} ends before ${path}`);
      read += more;
    }
    return bytes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.writer?.settled();
    await this.file?.close();
    this.file = undefined;
  }
}
