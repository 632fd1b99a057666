import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** A Parquet file in the temporary directory: Parquet needs random access, because its metadata is at the end. */
export interface SpooledFile {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Creates a file path.
 * @throws Error of the file system
 */
export async function placeForFile(): Promise<SpooledFile> {
  const directory = await mkdtemp(join(tmpdir(), 'emu-parquet-'));
  return { path: join(directory, 'file.parquet'), remove: () => rm(directory, { recursive: true, force: true }) };
}

/**
 * Writes bytes to a temporary file.
 * @throws Error of the file system; the file is removed then
 */
export async function spool(bytes: AsyncIterable<Uint8Array>): Promise<SpooledFile> {
  const file = await placeForFile();
  try {
    await pipeline(bytes, createWriteStream(file.path));
  } catch (error) {
    await file.remove();
    throw error;
  }
  return file;
}
