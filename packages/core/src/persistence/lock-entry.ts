import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isFileError } from '../storage/file-system.ts';
import { ask } from './lock-socket.ts';
import { kernelId, ownIdentity, type ProcessIdentity, stateOf } from './process-identity.ts';

/** Earlier versions wrote `emulator.lock`. */
const ENTRY = /^emulator(?:\.[0-9a-f]{16})?\.lock$/;
const SOCKET = /^emulator\.[0-9a-f]{16}\.sock$/;

/** Description of a process that uses a data directory, or contends for it. */
export interface LockContent extends ProcessIdentity {
  /** Distinguishes the locks of one process. */
  token: string;
  host: string;
  /** The running kernel: sockets connect processes of one kernel only. */
  kernel: string;
  /** The directory's device and inode number: a copied lock does not count. */
  directory: string;
  /** Whether it listens on the socket of its token. */
  socket: boolean;
  /** Whether it holds the directory, or still contends for it. */
  holds: boolean;
  /** Time of its creation, as ISO 8601. */
  since: string;
}

/** The file of a process in the directory. */
export interface LockEntry {
  /** Name of the file. */
  file: string;
  /** Undefined for an invalid file. */
  content: Partial<LockContent> | undefined;
  /** Last touch of its file, in milliseconds of the file system's own clock. */
  beatAt: number;
}

/** Whether the name of a file in a data directory is that of a lock. */
export function isLockFile(name: string): boolean {
  return ENTRY.test(name) || SOCKET.test(name);
}

/** Returns the name of the file of a token. */
export const entryName = (token: string): string => `emulator.${token}.lock`;
/** Returns the name of the socket of a token. */
export const socketName = (token: string): string => `emulator.${token}.sock`;

/** Returns the description of this process for a directory. */
export async function ownContent(directory: string): Promise<LockContent> {
  return {
    ...ownIdentity(),
    token: randomBytes(8).toString('hex'),
    host: hostname(),
    kernel: kernelId(),
    directory: await directoryId(directory),
    socket: false,
    holds: false,
    since: new Date().toISOString(),
  };
}

/** Returns the identity of a directory on this machine, independent of its path. */
export async function directoryId(directory: string): Promise<string> {
  const { dev, ino } = await stat(directory);
  return `${dev}:${ino}`;
}

/** Writes the file of a lock atomically. */
export async function writeEntry(directory: string, content: LockContent): Promise<void> {
  const path = join(directory, entryName(content.token));
  await writeFile(`${path}.tmp`, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  await rename(`${path}.tmp`, path);
}

/** Removes the file and the socket of an entry. */
export async function removeEntry(directory: string, { file }: Pick<LockEntry, 'file'>): Promise<void> {
  await rm(join(directory, file), { force: true });
  await rm(join(directory, file.replace(/lock$/, 'sock')), { force: true });
}

/** Returns the entries of a directory except the process's own. */
export async function entriesBeside(directory: string, own: LockContent): Promise<LockEntry[]> {
  const names = (await readdir(directory)).filter((name) => ENTRY.test(name) && name !== entryName(own.token));
  const entries = await Promise.all(names.map((name) => readEntry(directory, name)));
  return entries.filter((entry) => entry !== undefined);
}

/** @returns undefined for a missing file */
export async function readEntry(directory: string, file: string): Promise<LockEntry | undefined> {
  const path = join(directory, file);
  try {
    const [text, { mtimeMs: beatAt }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
    return { file, content: parse(text), beatAt };
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Removes sockets without a lock file and without a listener, as left by crashes between the two. */
export async function removeLostSockets(directory: string): Promise<void> {
  const names = new Set(await readdir(directory));
  for (const name of names) {
    if (!SOCKET.test(name) || names.has(name.replace(/sock$/, 'lock'))) continue;
    if (!(await ask(directory, name)).listening) await rm(join(directory, name), { force: true });
  }
}

/** Returns whether the process of an entry runs; `unclear` if only the touches of its file can show it. */
export async function presenceOf(
  directory: string,
  { file, content }: LockEntry,
  own: LockContent,
): Promise<'there' | 'gone' | 'unclear'> {
  if (!content) return 'gone';
  // Earlier versions stored only the realm, which ends with the kernel, and not the directory.
  const { directory: locked = own.directory, kernel = content.realm?.split(' ').at(-1) } = content;
  if (kernel !== own.kernel) return 'unclear';
  if (locked !== own.directory) return 'gone';
  if (content.socket) {
    const { listening } = await ask(directory, file.replace(/lock$/, 'sock'));
    return listening ? 'there' : 'gone';
  }
  const { pid, realm, started } = content;
  if (pid === undefined || realm !== own.realm || started === undefined) return 'unclear';
  return stateOf({ pid, realm, started }) === 'running' ? 'there' : 'gone';
}

function parse(text: string): Partial<LockContent> | undefined {
  try {
    return (JSON.parse(text) as Partial<LockContent> | null) ?? undefined;
  } catch {
    return undefined;
  }
}
