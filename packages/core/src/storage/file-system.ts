import * as fs from 'node:fs';
import * as promises from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/** Metadata of a file. */
export interface FileStatus {
  /** Bytes. */
  size: number;
  /** Last change of content or name (ctime), in epoch milliseconds; programs cannot set it. */
  changedAt: number;
  /** Number of hard links; 0 for an open file that was removed. */
  links: number;
}

/** An open file; positions and lengths are bytes. */
export interface OpenFile {
  /** @returns bytes read; 0 at the end of the file */
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<number>;
  /** @returns bytes written, which may be fewer than requested */
  write(buffer: Uint8Array, offset: number, length: number, position: number): Promise<number>;
  truncate(length: number): Promise<void>;
  /** Waits until content and metadata have reached the device (fsync). */
  sync(): Promise<void>;
  /** Waits until the content has reached the device (fdatasync). */
  datasync(): Promise<void>;
  size(): Promise<number>;
  status(): Promise<FileStatus>;
  close(): Promise<void>;
}

/** The functions of a file system that persistence needs; tests inject one that fails. */
export interface FileSystem {
  /** @param flags as of fopen: `r` reads, `r+` reads and writes, `w` empties or creates, `wx` only creates */
  open(path: string, flags: 'r' | 'r+' | 'w' | 'wx'): Promise<OpenFile>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file; succeeds for a missing one. */
  remove(path: string): Promise<void>;
  /** Creates a directory and its parents; succeeds for an existing one. */
  makeDirectory(path: string): Promise<void>;
  /** Returns the metadata of a file, without opening it. */
  status(path: string): Promise<FileStatus>;
  /** Returns the names in a directory; an empty list for a missing one. */
  list(path: string): Promise<string[]>;
  /** Waits until names created, changed and removed in a directory have reached the device. */
  syncDirectory(path: string): Promise<void>;
}

const write = promisify(fs.write) as unknown as (
  fd: number,
  buffer: Uint8Array,
  offset: number,
  length: number,
  position: number,
) => Promise<{ bytesWritten: number }>;
const read = promisify(fs.read) as unknown as (
  fd: number,
  buffer: Uint8Array,
  offset: number,
  length: number,
  position: number,
) => Promise<{ bytesRead: number }>;
const open = promisify(fs.open);
const truncate = promisify(fs.ftruncate);
const sync = promisify(fs.fsync);
const datasync = promisify(fs.fdatasync);
const close = promisify(fs.close);
const stat = promisify(fs.fstat) as (fd: number) => Promise<fs.Stats>;

const statusOf = ({ size, ctimeMs, nlink }: fs.Stats): FileStatus => ({ size, changedAt: ctimeMs, links: nlink });

class NodeFile implements OpenFile {
  constructor(private readonly fd: number) {}

  async read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<number> {
    return (await read(this.fd, buffer, offset, length, position)).bytesRead;
  }
  async write(buffer: Uint8Array, offset: number, length: number, position: number): Promise<number> {
    return (await write(this.fd, buffer, offset, length, position)).bytesWritten;
  }
  truncate(length: number): Promise<void> {
    return truncate(this.fd, length);
  }
  sync(): Promise<void> {
    return sync(this.fd);
  }
  datasync(): Promise<void> {
    return datasync(this.fd);
  }
  async size(): Promise<number> {
    return (await stat(this.fd)).size;
  }
  async status(): Promise<FileStatus> {
    return statusOf(await stat(this.fd));
  }
  close(): Promise<void> {
    return close(this.fd);
  }
}

/** Whether an error of the file system has a code, e.g. `ENOENT`. */
export function isFileError(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException | undefined)?.code ?? '');
}

/** Modes of new files and directories: only their user may read the state. */
const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

/** Creates a directory; Node's recursive `mkdir` never ends below one that accepts no entries, such as /proc. */
async function makeDirectory(path: string): Promise<void> {
  try {
    await promises.mkdir(path, DIRECTORY_MODE);
  } catch (error) {
    if (isFileError(error, 'EEXIST', 'EISDIR')) {
      if ((await promises.stat(path)).isDirectory()) return;
      throw error;
    }
    const above = dirname(path);
    if (!isFileError(error, 'ENOENT') || above === path) throw error;
    await makeDirectory(above);
    await promises.mkdir(path, DIRECTORY_MODE).catch((again: unknown) => {
      // Another process may have created it meanwhile.
      if (!isFileError(again, 'EEXIST')) throw again;
    });
  }
}

/** The machine's file system. Other users have no access to the files that it creates. */
export const nodeFileSystem: FileSystem = {
  open: async (path, flags) => new NodeFile(await open(path, flags, FILE_MODE)),
  rename: (from, to) => promises.rename(from, to),
  remove: (path) => promises.rm(path, { force: true }),
  makeDirectory,
  status: async (path) => statusOf(await promises.stat(path)),
  list: async (path) => {
    try {
      return await promises.readdir(path);
    } catch (error) {
      if (isFileError(error, 'ENOENT', 'ENOTDIR')) return [];
      throw error;
    }
  },
  syncDirectory: async (path) => {
    // Windows can neither open nor sync a directory; its renames are journalled by the file system.
    if (process.platform === 'win32') return;
    const directory = await open(path, 'r');
    try {
      await sync(directory);
    } finally {
      await close(directory);
    }
  },
};

/**
 * Writes all of a buffer, continuing after short writes.
 * @param position offset in the file
 * @throws Error of the file system; `ENOSPC` if no byte can be written
 */
export async function writeFully(file: OpenFile, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const written = await file.write(bytes, done, bytes.length - done, position + done);
    if (!written) throw Object.assign(new Error('ENOSPC: nothing could be written'), { code: 'ENOSPC' });
    done += written;
  }
}

/** Opens a file for reading; undefined for a missing file. */
export async function openExisting(fileSystem: FileSystem, path: string): Promise<OpenFile | undefined> {
  try {
    return await fileSystem.open(path, 'r');
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Reads a whole small file as UTF-8; undefined for a missing file. */
export async function readText(fileSystem: FileSystem, path: string): Promise<string | undefined> {
  const file = await openExisting(fileSystem, path);
  if (!file) return undefined;
  try {
    const bytes = Buffer.alloc(await file.size());
    let size = 0;
    for (let count = -1; count && size < bytes.length; size += count)
      count = await file.read(bytes, size, bytes.length - size, size);
    return bytes.toString('utf8', 0, size);
  } finally {
    await file.close();
  }
}

/** Replaces a small file atomically: readers see the old content or the new, even after a crash. */
export async function replaceText(fileSystem: FileSystem, path: string, text: string): Promise<void> {
  const temporary = `${path}.tmp`;
  const file = await fileSystem.open(temporary, 'w');
  try {
    await writeFully(file, Buffer.from(text), 0);
    await file.sync();
  } finally {
    await file.close();
  }
  await fileSystem.rename(temporary, path);
}
