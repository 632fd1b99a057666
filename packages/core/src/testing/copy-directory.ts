import { cp } from 'node:fs/promises';
import { basename } from 'node:path';
import { isLockFile } from '../persistence/lock-entry.ts';

/**
 * Copies a data directory in use at this moment: the state after a crash of its process. Skips files that are being
 * created, as they may be renamed at any time, and locks, as Node copies no sockets.
 */
export async function copyDataDirectory(from: string, to: string): Promise<void> {
  const filter = (path: string): boolean => !path.endsWith('.tmp') && !isLockFile(basename(path));
  await cp(from, to, { recursive: true, filter });
}
