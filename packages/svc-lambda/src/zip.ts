import { promisify } from 'node:util';
import yauzl, { type Entry, type Options, type ZipFile } from 'yauzl';

/** A file or directory of an archive. */
export interface ZipEntry {
  /** Relative path with slashes; ends with one for directories. Never absolute, never above the archive's root. */
  name: string;
  /** Unix mode with its file type, as `stat` has it; 0 where the archive was made without. */
  mode: number;
  /** Bytes. */
  size: number;
  /** Its content, which is exactly `size` bytes. */
  read(): AsyncIterable<Uint8Array>;
}

const open = promisify<Buffer, Options, ZipFile>(yauzl.fromBuffer);

/**
 * The entries of an archive, one after the other.
 * @throws Error where the archive is broken, an entry's path leads out of it, or an entry inflates to another size than
 *   it says
 */
export async function* readZip(bytes: Buffer): AsyncGenerator<ZipEntry> {
  const zip = await open(bytes, { lazyEntries: true, autoClose: false, strictFileNames: true });
  const next = (): Promise<Entry | undefined> =>
    new Promise((resolve, reject) => {
      zip
        .once('entry', resolve)
        .once('end', () => resolve(undefined))
        .once('error', reject);
      zip.readEntry();
    });
  for (let left = zip.entryCount; left > 0; left--) {
    const entry = await next().finally(() => zip.removeAllListeners());
    if (!entry) return;
    yield {
      name: entry.fileName,
      mode: entry.externalFileAttributes >>> 16,
      size: entry.uncompressedSize,
      read: () => contentOf(zip, entry),
    };
  }
}

async function* contentOf(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  const stream = await promisify<Entry, NodeJS.ReadableStream>(zip.openReadStream.bind(zip) as never)(entry);
  yield* stream as AsyncIterable<Uint8Array>;
}

/**
 * Reads an archive as extracting it would.
 * @param limit bytes that its files may have together
 * @returns bytes of its files together and whether there are any; undefined for the bytes where they are over the limit
 * @throws Error as `readZip`
 */
export async function measureZip(bytes: Buffer, limit: number): Promise<{ size: number | undefined; files: number }> {
  let size = 0;
  let files = 0;
  // What the entries say is checked first: a bomb that admits to its size costs nothing.
  for await (const entry of readZip(bytes)) {
    size += entry.size;
    files++;
    if (size > limit) return { size: undefined, files };
  }
  for await (const entry of readZip(bytes)) {
    if (entry.name.endsWith('/')) continue;
    for await (const _ of entry.read());
  }
  return { size, files };
}
