import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isLockFile } from '../persistence/lock-entry.ts';
import { MANIFEST } from '../persistence/manifest.ts';

/**
 * Copies a data directory in use at this moment: the state after a crash of its process. Skips files that are being
 * created, as they may be renamed at any time, and locks, as Node copies no sockets. The manifest comes first: it names
 * files after they were created, so that no copy of it names one that the copy of the directory lacks.
 */
export async function copyDataDirectory(from: string, to: string): Promise<void> {
  const manifest = join(from, MANIFEST);
  if (existsSync(manifest)) await cp(manifest, join(to, MANIFEST));
  const filter = (path: string): boolean => path !== manifest && !path.endsWith('.tmp') && !isLockFile(basename(path));
  await cp(from, to, { recursive: true, filter });
}
