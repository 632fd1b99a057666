import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** A Parquet file of the temporary directory: its directory is at its end, so that it is not read or written in order. */
export interface SpooledFile {
  readonly path: string;
  remove(): Promise<void>;
}

/** Makes a place for a file. @throws Error of the file system */
export async function placeForFile(): Promise<SpooledFile> {
  const directory = await mkdtemp(join(tmpdir(), 'emu-parquet-'));
  return { path: join(directory, 'file.parquet'), remove: () => rm(directory, { recursive: true, force: true }) };
}

/** Writes bytes to a file of the temporary directory. @throws Error of the file system; nothing is left then */
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
