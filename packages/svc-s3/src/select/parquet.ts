import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** A file for a query; Parquet has its directory at its end, so that it cannot be read as it comes. */
export interface SpooledFile {
  readonly path: string;
  remove(): Promise<void>;
}

/** Writes bytes to a file of the temporary directory. @throws Error of the file system; nothing is left then */
export async function spool(bytes: AsyncIterable<Uint8Array>): Promise<SpooledFile> {
  const directory = await mkdtemp(join(tmpdir(), 'emu-select-'));
  const path = join(directory, 'object.parquet');
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true });
  try {
    await pipeline(bytes, createWriteStream(path));
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove };
}
