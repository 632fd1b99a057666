import { cp } from 'node:fs/promises';
import { basename } from 'node:path';
import { isLockFile } from '../persistence/lock-entry.ts';

/**
 * Copies a data directory that is in use, as it is at this moment: what the death of its process would leave. Files that
 * are being made are left out, for they get another name at any time, and so are locks: Node copies no sockets.
 */
export async function copyDataDirectory(from: string, to: string): Promise<void> {
  const filter = (path: string): boolean => !path.endsWith('.tmp') && !isLockFile(basename(path));
  await cp(from, to, { recursive: true, filter });
}
