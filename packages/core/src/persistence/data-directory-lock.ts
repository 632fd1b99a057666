import { randomBytes } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../kernel/log.ts';
import { type FileSystem, isFileError, readText, writeFully } from './file-system.ts';
import { ownIdentity, type ProcessIdentity, stateOf } from './process-identity.ts';

const LOCK = 'emulator.lock';
/** How often a lock that others take or give back at the same moment is tried. */
const ATTEMPTS = 20;

interface LockContent extends ProcessIdentity {
  /** The directory's path: a copied directory is not locked by its original's user. */
  path: string;
  /** Tells the locks of one process apart. */
  token: string;
}

/** A data directory that no other process uses. */
export interface DirectoryLock {
  release(): Promise<void>;
}

/**
 * Takes the lock of a data directory. One that a process left behind by dying is taken over.
 * @throws Error naming the process that uses the directory
 */
export async function lockDirectory(fileSystem: FileSystem, directory: string, log: Logger): Promise<DirectoryLock> {
  const path = join(directory, LOCK);
  const own: LockContent = {
    ...ownIdentity(),
    path: await realpath(directory),
    token: randomBytes(8).toString('hex'),
  };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await create(fileSystem, path, own)) {
      return { release: () => release(fileSystem, path, own) };
    }
    const found = await readLock(fileSystem, path);
    if (found && isHeld(found, own, log))
      throw new Error(
        `${directory} is in use by process ${found.pid}; stop it, or give this one a --data-path of its own (${path})`,
      );
    await takeAway(fileSystem, path, found);
  }
  throw new Error(`${path} cannot be taken: other processes take it at the same time`);
}

async function create(fileSystem: FileSystem, path: string, content: LockContent): Promise<boolean> {
  try {
    const file = await fileSystem.open(path, 'wx');
    try {
      await writeFully(file, Buffer.from(`${JSON.stringify(content)}\n`), 0);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (isFileError(error, 'EEXIST')) return false;
    throw error;
  }
}

/** @returns undefined where it is gone, or its owner died before it was written */
async function readLock(fileSystem: FileSystem, path: string): Promise<LockContent | undefined> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const text = await readText(fileSystem, path);
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text) as LockContent;
    } catch {
      // It may be that it is being written just now.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  return undefined;
}

function isHeld(found: LockContent, own: LockContent, log: Logger): boolean {
  if (found.path !== own.path && found.realm === own.realm) return false;
  const state = stateOf(found);
  if (state === 'unknown')
    log.warn(`the data directory was last used by process ${found.pid} of another machine or container`, {
      realm: found.realm,
    });
  return state === 'running';
}

/** Removes a lock, unless another process has put its own in its place since it was read. */
async function takeAway(fileSystem: FileSystem, path: string, stale: LockContent | undefined): Promise<void> {
  const aside = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    await fileSystem.rename(path, aside);
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return;
    throw error;
  }
  const taken = await readLock(fileSystem, aside);
  if (taken?.token !== stale?.token) await fileSystem.rename(aside, path);
  else await fileSystem.remove(aside);
}

async function release(fileSystem: FileSystem, path: string, own: LockContent): Promise<void> {
  const found = await readLock(fileSystem, path);
  if (found?.token === own.token) await fileSystem.remove(path);
}
