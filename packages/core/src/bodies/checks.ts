import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { awsError } from '@emu/wire';
import type { Logger } from '../base/log.ts';
import { type FileStatus, type FileSystem, isFileError, type OpenFile } from '../storage/file-system.ts';

/** Bytes that are hashed before other work can run. */
const SLICE = 256 * 1024;

/** Hashes an open file. @returns SHA-256 in hexadecimal */
export async function hashFile(file: OpenFile): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(SLICE);
  let position = 0;
  for (let size = -1; size; position += size) {
    size = await file.read(buffer, 0, SLICE, position);
    hash.update(buffer.subarray(0, size));
  }
  return hash.digest('hex');
}

/**
 * Compares bodies with their names, which are the hashes of their content: once for each file, and again after the file
 * was changed. Bodies written by this process need no check.
 */
export class BodyChecks {
  /** Intact bodies, with the status of their files at the last check. */
  private readonly right = new Map<string, Pick<FileStatus, 'size' | 'changedAt'>>();
  private readonly running = new Map<string, Promise<string>>();
  /** Damaged bodies that were logged. */
  private readonly logged = new Set<string>();

  constructor(private readonly options: { fileSystem: FileSystem; directory: string; log: Logger }) {}

  /** Returns the path of a body's file. */
  pathOf(id: string): string {
    return join(this.options.directory, id.slice(0, 2), id);
  }

  /** Registers a body that this process wrote and renamed to its name. @param size in bytes */
  written(id: string, size: number): void {
    this.right.set(id, { size, changedAt: Date.now() });
    this.logged.delete(id);
  }

  /** Removes a deleted body. */
  discard(id: string): void {
    this.right.delete(id);
    this.logged.delete(id);
  }

  /** Opens a body's file after checking it. @throws AwsError `InternalError` for a damaged body */
  async open(id: string): Promise<{ file: OpenFile; size: number }> {
    const file = await this.options.fileSystem.open(this.pathOf(id), 'r').catch((error: unknown) => {
      throw this.refusalOf(id, error);
    });
    try {
      const status = await file.status();
      await this.compare(id, status, file);
      return { file, size: status.size };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Checks a body's file, without opening it if it was checked before. @throws AwsError `InternalError` */
  async check(id: string): Promise<void> {
    const status = await this.options.fileSystem.status(this.pathOf(id)).catch((error: unknown) => {
      throw this.refusalOf(id, error);
    });
    if (this.isRight(id, status)) return;
    const { file } = await this.open(id);
    await file.close();
  }

  private isRight(id: string, { size, changedAt }: FileStatus): boolean {
    const known = this.right.get(id);
    return known !== undefined && size === known.size && changedAt <= known.changedAt;
  }

  private async compare(id: string, status: FileStatus, file: OpenFile): Promise<void> {
    if (this.isRight(id, status)) return;
    // Concurrent readers share one check.
    let hashing = this.running.get(id);
    if (!hashing) {
      hashing = hashFile(file).finally(() => this.running.delete(id));
      this.running.set(id, hashing);
    }
    if ((await hashing) !== id) throw this.damaged(id, 'does not hold what was written');
    this.right.set(id, status);
  }

  /** Returns a reader's error for an error of the file system. */
  private refusalOf(id: string, error: unknown): unknown {
    return isFileError(error, 'ENOENT', 'ENOTDIR') ? this.damaged(id, 'is missing', error) : error;
  }

  private damaged(id: string, what: string, cause?: unknown): Error {
    this.right.delete(id);
    const sentence = `${this.pathOf(id)} ${what}`;
    if (!this.logged.has(id)) this.options.log.error(`a stored body is lost: ${sentence}`);
    this.logged.add(id);
    return awsError('InternalError', `The stored content is damaged: ${sentence}.`, { status: 500, cause });
  }
}
