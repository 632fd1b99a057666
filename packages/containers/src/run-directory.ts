import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownIdentity, type ProcessIdentity, processStateOf } from '@emu/core';

const OWNER = 'owner.json';
/** Milliseconds after which a directory without an owner is abandoned. */
const ABANDONED = 3_600_000;

/** Owner recorded in a run's directory. */
export interface RunOwner {
  identity: ProcessIdentity;
  /** Id of a run of an emulator. */
  run: string;
}

/**
 * Creates a directory for the files of one run, which a later emulator can find if this one is killed.
 * @param prefix of its name
 * @returns its path
 */
export async function makeRunDirectory(prefix: string, run: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), prefix));
  const owner: RunOwner = { identity: ownIdentity(), run };
  await writeFile(join(directory, OWNER), JSON.stringify(owner));
  return directory;
}

/**
 * Removes the directories of emulators that no longer run.
 * @param prefix of their names
 * @param onGone called with each owner before the removal
 */
export async function removeAbandonedRuns(prefix: string, onGone?: (owner: RunOwner) => void): Promise<void> {
  const parent = tmpdir();
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    const directory = join(parent, name);
    const owner = await readOwner(directory);
    if (owner ? processStateOf(owner.identity) !== 'gone' : !(await isOld(directory))) continue;
    if (owner) onGone?.(owner);
    await rm(directory, { recursive: true, force: true });
  }
}

async function isOld(directory: string): Promise<boolean> {
  // Another emulator may be removing it.
  const found = await stat(directory).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > ABANDONED;
}

async function readOwner(directory: string): Promise<RunOwner | undefined> {
  try {
    const owner = JSON.parse(await readFile(join(directory, OWNER), 'utf8')) as Partial<RunOwner>;
    return owner.identity && owner.run ? { identity: owner.identity, run: owner.run } : undefined;
  } catch {
    // Being created, belonging to another user, or damaged, and therefore kept.
    return undefined;
  }
}
