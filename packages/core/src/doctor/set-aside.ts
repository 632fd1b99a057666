import { dirname, join, relative } from 'node:path';
import { type FileSystem, writeFully } from '../storage/file-system.ts';

const CHUNK = 1024 * 1024;

/** Moves damaged files of a data directory to `damaged/<time>/` in it, with their relative paths. */
export class Aside {
  /** Directory of the moved files. */
  readonly directory: string;
  private used = false;

  /** @param now epoch milliseconds, in the name of the directory */
  constructor(
    private readonly fileSystem: FileSystem,
    private readonly root: string,
    now: number,
  ) {
    this.directory = join(root, 'damaged', new Date(now).toISOString().replaceAll(':', '-'));
  }

  /** Whether anything was moved. */
  get isUsed(): boolean {
    return this.used;
  }

  /** Moves a file. */
  async move(path: string): Promise<void> {
    const target = join(this.directory, relative(this.root, path));
    await this.fileSystem.makeDirectory(dirname(target));
    await this.fileSystem.rename(path, target);
    this.used = true;
  }

  /** Moves a file and keeps its first bytes in its place. @param size number of kept bytes */
  async keepBeginning(path: string, size: number): Promise<void> {
    const { fileSystem } = this;
    const temporary = `${path}.tmp`;
    const source = await fileSystem.open(path, 'r');
    try {
      const copy = await fileSystem.open(temporary, 'w');
      try {
        const buffer = Buffer.allocUnsafe(Math.min(size, CHUNK));
        for (let done = 0; done < size; ) {
          const count = await source.read(buffer, 0, Math.min(buffer.length, size - done), done);
          if (!count) throw new Error(`${path} ends before byte ${size}`);
          await writeFully(copy, buffer.subarray(0, count), done);
          done += count;
        }
        await copy.sync();
      } finally {
        await copy.close();
      }
    } finally {
      await source.close();
    }
    await this.move(path);
    await fileSystem.rename(temporary, path);
    await fileSystem.syncDirectory(dirname(path));
  }
}
