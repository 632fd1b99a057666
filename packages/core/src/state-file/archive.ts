import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { ControlError } from '../plugin/control.ts';
import type { SavedBody } from './saved-bodies.ts';
import type { BodySpool } from './spool.ts';

/** Name of the first entry, the index of all others. */
const INDEX = 'emu-state.json';
/** Supported format of archives. */
const FORMAT = 1;
/** Maximum bytes of an index. */
const LARGEST_INDEX = 256 * 1024 * 1024;
/** Bytes of an index that are read whatever their compressed size. */
const FREE_INDEX = 1024 * 1024;
/**
 * Maximum ratio of an index to its compressed size. Hashes do not compress: the ratio of an index of `pack` is about
 * three.
 */
const MAX_RATIO = 20;
/** Maximum number of entries of an archive. */
const MAX_ENTRIES = 1_000_000;
/** Maximum bytes of all entries together, so that a compressed file cannot fill the disk. */
const MAX_BYTES = 64 * 1024 ** 3;
/** Paths of entries: names that emu generates, none of which leaves the directory. */
const PATH = /^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*){0,4}$/;
/** Paths of bodies. */
const BODY = /^[^/]+\/bodies\/[^/]+\/[^/]+$/;
/** Bytes of the largest body that shares a file with others. */
const SMALL_BODY = 64 * 1024;
const SHA256 = /^[0-9a-f]{64}$/;

/** Metadata of an archive. */
export interface ArchiveIndex {
  readonly format: number;
  /** Version of emu that wrote it. */
  readonly version: string;
  /** Emulated time of the saved state, in epoch milliseconds. */
  readonly takenAt: number;
  /** The selected services; absent for all. */
  readonly services?: readonly string[] | undefined;
  /** The selected accounts; absent for all. */
  readonly accounts?: readonly string[] | undefined;
  /** Files below the archive's directory. */
  readonly entries: readonly ArchiveEntry[];
}

interface ArchiveEntry {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** Loads the tar library lazily: most emulators never use an archive. */
const tar = async () => (await import('tar-stream')).default;

/** Creates a directory in the system's temporary directory that only this user can read. */
export const makeWorkDirectory = (): Promise<string> => mkdtemp(join(tmpdir(), 'emu-state-'));

/** Removes such a directory with its content. */
export const removeWorkDirectory = (directory: string): Promise<void> =>
  rm(directory, { recursive: true, force: true });

/**
 * Packs all files below a directory and bodies, with an index first, as a compressed tar archive.
 * @param about further content of the index
 */
export async function* pack(
  directory: string,
  bodies: readonly SavedBody[],
  about: Omit<ArchiveIndex, 'format' | 'entries'>,
): AsyncGenerator<Uint8Array> {
  const files: ArchiveEntry[] = [];
  for (const path of await filesBelow(directory)) files.push(await describe(directory, path));
  const described = bodies.map(({ path, size, sha256 }) => ({ path, size, sha256 }));
  const index: ArchiveIndex = { format: FORMAT, ...about, entries: [...files, ...described] };
  const { pack: makePack } = await tar();
  const archive = makePack();
  const mode = 0o600;
  const mtime = new Date(about.takenAt);
  const stream = async (name: string, size: number, source: AsyncIterable<Uint8Array>): Promise<void> =>
    pipeline(source, archive.entry({ name, size, mode, mtime }) as unknown as Writable);
  const add = (name: string, bytes: Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      archive.entry({ name, size: whole.length, mode, mtime }, whole, (error) => (error ? reject(error) : resolve()));
    });
  const fill = async (): Promise<void> => {
    await add(INDEX, Buffer.from(JSON.stringify(index)));
    for (const { path, size } of files) await stream(path, size, createReadStream(join(directory, path)));
    for (const { path, size, read } of bodies) {
      const body = read();
      if (body instanceof Uint8Array) await add(path, body);
      else await stream(path, size, body);
    }
    archive.finalize();
  };
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  const filled = fill().catch((error: unknown) => gzip.destroy(error as Error));
  const piped = pipeline(archive as unknown as Readable, gzip).catch(() => undefined);
  try {
    yield* gzip;
  } finally {
    archive.destroy();
    gzip.destroy();
    await Promise.all([filled, piped]);
  }
}

/**
 * Unpacks an archive into an empty directory, and checks it against its index.
 * @param spool receives small bodies instead of the directory
 * @throws ControlError 400 `InvalidState` if the archive differs from its index
 */
export async function unpack(
  source: AsyncIterable<Uint8Array>,
  directory: string,
  spool: BodySpool,
): Promise<ArchiveIndex> {
  await chmod(directory, 0o700);
  const { extract } = await tar();
  const archive = extract();
  let received = 0;
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      received += chunk.length;
      yield chunk;
    }
  };
  const input = Readable.from(counted());
  const gunzip = createGunzip();
  const piped = pipeline(input, gunzip, archive as unknown as Writable);
  piped.catch(() => undefined);
  let index: ArchiveIndex | undefined;
  const expected = new Map<string, ArchiveEntry>();
  try {
    for await (const entry of archive as AsyncIterable<TarEntry>) {
      const { name, type } = entry.header;
      if (type !== 'file') throw invalid(`${JSON.stringify(name)} is no file`);
      if (!index) {
        if (name !== INDEX) throw invalid(`it begins with ${JSON.stringify(name)} instead of ${INDEX}`);
        index = await readIndex(entry, () => received);
        for (const each of index.entries) expected.set(each.path, each);
        continue;
      }
      const described = expected.get(name);
      if (!described) throw invalid(`its index does not name ${JSON.stringify(name)}`);
      expected.delete(name);
      if (BODY.test(name) && described.size <= SMALL_BODY) await spoolEntry(entry, spool, described);
      else await writeEntry(entry, directory, described);
    }
    await piped;
    await spool.end();
  } catch (error) {
    input.destroy();
    gunzip.destroy();
    archive.destroy();
    throw asInvalid(error);
  }
  if (!index) throw invalid('it is empty');
  const [missing] = expected.keys();
  if (missing !== undefined) throw invalid(`${missing} is missing`);
  return index;
}

/** The used part of an entry of tar-stream. */
interface TarEntry extends AsyncIterable<Uint8Array> {
  header: { name: string; type?: string | null; size?: number };
}

/**
 * Reads the index.
 * @param received returns the compressed bytes so far, so that a small file cannot contain a huge index
 */
async function readIndex(entry: TarEntry, received: () => number): Promise<ArchiveIndex> {
  const { size = 0 } = entry.header;
  if (size > LARGEST_INDEX) throw invalid('its index is too large');
  const chunks: Uint8Array[] = [];
  let expanded = 0;
  for await (const chunk of entry) {
    expanded += chunk.length;
    if (expanded > FREE_INDEX && expanded > MAX_RATIO * received()) throw invalid('its index is too large');
    chunks.push(chunk);
  }
  let index: Partial<ArchiveIndex>;
  try {
    index = JSON.parse(Buffer.concat(chunks).toString()) as Partial<ArchiveIndex>;
  } catch {
    throw invalid('its index is no JSON');
  }
  if (index.format !== FORMAT)
    throw invalid(`it has format ${JSON.stringify(index.format)}, and this version of emu reads format ${FORMAT}`);
  const { entries, services, accounts, version, takenAt } = index;
  const isList = (list: unknown): boolean =>
    list === undefined || (Array.isArray(list) && list.every((item) => typeof item === 'string'));
  if (!Array.isArray(entries) || typeof version !== 'string' || typeof takenAt !== 'number')
    throw invalid('its index is incomplete');
  if (!isList(services) || !isList(accounts)) throw invalid('its index names no list of services or accounts');
  if (entries.length > MAX_ENTRIES) throw invalid(`it has more than ${MAX_ENTRIES} entries`);
  let total = 0;
  const seen = new Set<string>();
  for (const { path, size: bytes, sha256 } of entries as readonly ArchiveEntry[]) {
    if (typeof path !== 'string' || !PATH.test(path) || path === INDEX || seen.has(path))
      throw invalid(`${JSON.stringify(path)} is no path of an entry`);
    if (!Number.isSafeInteger(bytes) || bytes < 0 || !SHA256.test(sha256)) throw invalid(`${path} is not described`);
    seen.add(path);
    total += bytes;
  }
  if (total > MAX_BYTES) throw invalid(`its entries have ${total} bytes, and ${MAX_BYTES} are accepted`);
  return index as ArchiveIndex;
}

async function spoolEntry(entry: TarEntry, spool: BodySpool, described: ArchiveEntry): Promise<void> {
  checkSize(entry, described);
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry) chunks.push(chunk);
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  checkHash(createHash('sha256').update(bytes).digest('hex'), described);
  await spool.add(described.path, bytes);
}

/** @throws ControlError `InvalidState` */
function checkSize({ header }: TarEntry, { path, size }: ArchiveEntry): void {
  if (header.size !== size) throw invalid(`${path} does not have the size that the index gives`);
}

/** @throws ControlError `InvalidState` */
function checkHash(hash: string, { path, sha256 }: ArchiveEntry): void {
  if (hash !== sha256) throw invalid(`${path} is not what the index says: its hash differs`);
}

async function writeEntry(entry: TarEntry, directory: string, described: ArchiveEntry): Promise<void> {
  checkSize(entry, described);
  const { path } = described;
  const target = join(directory, path);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  const hashed = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of entry) {
      hash.update(chunk);
      yield chunk;
    }
  };
  await pipeline(hashed, createWriteStream(target, { flags: 'wx', mode: 0o600 }));
  checkHash(hash.digest('hex'), described);
}

async function describe(directory: string, path: string): Promise<ArchiveEntry> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(join(directory, path))) hash.update(chunk as Uint8Array);
  const { size } = await stat(join(directory, path));
  return { path, size, sha256: hash.digest('hex') };
}

async function filesBelow(directory: string, prefix = ''): Promise<string[]> {
  const found: string[] = [];
  for (const item of await readdir(join(directory, prefix), { withFileTypes: true })) {
    const path = prefix === '' ? item.name : `${prefix}/${item.name}`;
    if (item.isDirectory()) found.push(...(await filesBelow(directory, path)));
    else found.push(path);
  }
  return found.sort();
}

/** Returns the error for an archive that cannot be loaded. */
export const invalid = (reason: string): ControlError =>
  new ControlError(400, 'InvalidState', `The state cannot be loaded: ${reason}.`);

/** Converts errors of the archive's bytes to that error; leaves errors of the disk and the client unchanged. */
function asInvalid(error: unknown): unknown {
  if (error instanceof ControlError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code?.startsWith('Z_')) return invalid(`it is no gzip file, or damaged: ${message}`);
  if (code === undefined && /tar|header|unexpected end/i.test(message ?? ''))
    return invalid(`it is no tar archive, or damaged: ${message}`);
  return error;
}
