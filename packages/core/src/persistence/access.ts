import type { Stats } from 'node:fs';
import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../base/log.ts';
import { isFileError } from '../storage/file-system.ts';
import { isStateFile } from './service-files.ts';

/** Mode bits that give access to other users. */
const OTHERS = 0o077;
/** Files of the data directory itself: version, locks, and the id of its volumes. */
const OWN_FILE = /^emulator\.|^data-volume-scope$/;
/** Content of the root of every mounted file system. */
const SYSTEM_ENTRY = 'lost+found';

/**
 * Removes other users' access from emu's own files in a data directory: files become 0600 and directories 0700. The
 * directory itself is restricted only if it contains nothing else. Files of another user are unchanged.
 */
export async function narrowAccess(directory: string, log: Logger): Promise<void> {
  // Windows does not support such modes.
  if (process.platform === 'win32') return;
  const narrowed: string[] = [];
  let foreign = false;
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory() ? (await readdir(path)).some(isStateFile) : OWN_FILE.test(entry.name)) {
      if (!(await narrow(path))) continue;
      narrowed.push(path);
      // The content of a directory closed to others needs no check.
      if (entry.isDirectory()) await narrowBelow(path);
    } else if (entry.name !== SYSTEM_ENTRY) foreign = true;
  }
  if (!foreign && (await narrow(directory))) narrowed.push(directory);
  if (narrowed.length) log.info(`removed the access of other users to ${narrowed.join(', ')}`);
}

async function narrowBelow(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    await narrow(path);
    if (entry.isDirectory()) await narrowBelow(path);
  }
}

/** @returns whether access was removed: false without such access, and for files of another user */
async function narrow(path: string): Promise<boolean> {
  let found: Stats;
  try {
    found = await lstat(path);
  } catch (error) {
    // Files of processes that check the lock come and go.
    if (isFileError(error, 'ENOENT')) return false;
    throw error;
  }
  const { mode, uid } = found;
  const own = uid === process.getuid?.();
  if (!own || found.isSymbolicLink() || !(mode & OTHERS)) return false;
  await chmod(path, mode & 0o7777 & ~OTHERS);
  return true;
}
