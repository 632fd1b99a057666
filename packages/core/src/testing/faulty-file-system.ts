import { basename } from 'node:path';
import { type FileSystem, nodeFileSystem, type OpenFile } from '../storage/file-system.ts';

/** A test's effect on a call: none, an error to throw, or, for a write, the number of bytes written. */
export type Fault = undefined | number | Error;

type Call = keyof FileSystem | keyof OpenFile;

/** The machine's file system with injected faults. */
export interface FaultyFileSystem extends FileSystem {
  /** Called before each call, with the file's name and its whole path; may be replaced. */
  fault: (call: Call, file: string, path: string) => Fault | Promise<Fault>;
  /** Calls made so far, as `write journal-1.jsonl`. */
  readonly calls: string[];
  /** Runs `action` while no call is running: the files are those of one moment. */
  quietly<T>(action: () => Promise<T>): Promise<T>;
}

/** Returns the error of a full disk. */
export function noSpace(): Error {
  return Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
}

/** Returns the error of a failing disk. */
export function ioError(): Error {
  return Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
}

/** Returns this machine's file system with a fault of a test; without one it only records calls. */
export function faultyFileSystem(): FaultyFileSystem {
  const calls: string[] = [];
  let quiet: Promise<unknown> | undefined;
  let running = 0;
  const run = async <T>(call: Call, path: string, action: (most: number) => Promise<T>): Promise<T> => {
    const file = basename(path);
    calls.push(`${call} ${file}`);
    const fault = await faulty.fault(call, file, path);
    while (quiet) await quiet;
    if (fault instanceof Error) throw fault;
    running++;
    try {
      return await action(fault ?? Number.POSITIVE_INFINITY);
    } finally {
      running--;
    }
  };
  const wrap = (file: OpenFile, path: string): OpenFile => ({
    read: (...args) => file.read(...args),
    write: (buffer, offset, length, position) =>
      run('write', path, (most) => file.write(buffer, offset, Math.min(most, length), position)),
    truncate: (length) => run('truncate', path, () => file.truncate(length)),
    sync: () => run('sync', path, () => file.sync()),
    datasync: () => run('datasync', path, () => file.datasync()),
    size: () => file.size(),
    status: () => file.status(),
    close: () => file.close(),
  });
  const faulty: FaultyFileSystem = {
    calls,
    fault: () => undefined,
    quietly: async (action) => {
      const { promise, resolve } = withResolvers();
      quiet = promise;
      try {
        while (running) await new Promise((next) => setImmediate(next));
        return await action();
      } finally {
        quiet = undefined;
        resolve();
      }
    },
    open: (path, flags) => run('open', path, async () => wrap(await nodeFileSystem.open(path, flags), path)),
    rename: (from, to) => run('rename', to, () => nodeFileSystem.rename(from, to)),
    remove: (path) => run('remove', path, () => nodeFileSystem.remove(path)),
    makeDirectory: (path) => run('makeDirectory', path, () => nodeFileSystem.makeDirectory(path)),
    status: (path) => nodeFileSystem.status(path),
    list: (path) => nodeFileSystem.list(path),
    syncDirectory: (path) => run('syncDirectory', path, () => nodeFileSystem.syncDirectory(path)),
  };
  return faulty;
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve!: () => void;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
