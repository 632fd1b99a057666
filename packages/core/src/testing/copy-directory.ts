import { cp } from 'node:fs/promises';
import { basename } from 'node:path';
import { isLockFile } from '../persistence/lock-entry.ts';

/** Copies a data directory as it is at this moment, which is what the death of its process would leave. */
export async function copyDataDirectory(from: string, to: string): Promise<void> {
  // Node copies no sockets.
  await cp(from, to, { recursive: true, filter: (path) => !isLockFile(basename(path)) });
}
