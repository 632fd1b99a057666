import type { FileSystem, OpenFile } from '../storage/file-system.ts';

/**
 * Creates a file system that rejects changes once a reason exists. A write that runs at that moment fails too, as its
 * file may be unreachable.
 * @param reason called before and after each change; returns the error to throw
 */
export function guardedFileSystem(fileSystem: FileSystem, reason: () => Error | undefined): FileSystem {
  const guarded = async <T>(action: () => Promise<T>): Promise<T> => {
    const before = reason();
    if (before) throw before;
    const result = await action();
    const after = reason();
    if (after) throw after;
    return result;
  };
  const guardedFile = (file: OpenFile): OpenFile => ({
    read: (...args) => file.read(...args),
    write: (...args) => guarded(() => file.write(...args)),
    truncate: (length) => guarded(() => file.truncate(length)),
    sync: () => guarded(() => file.sync()),
    datasync: () => guarded(() => file.datasync()),
    size: () => file.size(),
    status: () => file.status(),
    close: () => file.close(),
  });
  return {
    open: async (path, flags) => {
      if (flags === 'r') return fileSystem.open(path, flags);
      return guardedFile(await guarded(() => fileSystem.open(path, flags)));
    },
    rename: (from, to) => guarded(() => fileSystem.rename(from, to)),
    remove: (path) => guarded(() => fileSystem.remove(path)),
    makeDirectory: (path) => guarded(() => fileSystem.makeDirectory(path)),
    status: (path) => fileSystem.status(path),
    list: (path) => fileSystem.list(path),
    syncDirectory: (path) => guarded(() => fileSystem.syncDirectory(path)),
  };
}
