import { promisify } from 'node:util';
import yauzl, { type Entry, type Options, type ZipFile } from 'yauzl';

/** A file or directory in an archive. */
export interface ZipEntry {
  /**
   * Relative path with slashes, with a trailing slash for directories; never absolute or outside of the archive's root.
   */
  name: string;
  /** Unix mode with file type, as in `stat`; 0 if the archive has none. */
  mode: number;
  /** Bytes. */
  size: number;
  /** Content of exactly `size` bytes. */
  read(): AsyncIterable<Uint8Array>;
}

const open = promisify<Buffer, Options, ZipFile>(yauzl.fromBuffer);

/**
 * Yields the entries of an archive.
 * @throws Error for a damaged archive, an entry whose path leads outside, or one whose size differs from its header
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
 * Reads an archive as extraction would.
 * @param limit maximum total bytes of its files
 * @returns total bytes of its files and whether it has any; undefined bytes if above the limit
 * @throws Error as `readZip`
 */
export async function measureZip(bytes: Buffer, limit: number): Promise<{ size: number | undefined; files: number }> {
  let size = 0;
  let files = 0;
  // Declared sizes are checked first, so that honest zip bombs cost nothing.
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
