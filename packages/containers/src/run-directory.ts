import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownIdentity, type ProcessIdentity, processStateOf } from '@emu/core';

const OWNER = 'owner.json';
/** Milliseconds after which a directory without an owner is nobody's any more. */
const ABANDONED = 3_600_000;

/** What a run's directory says about whose it is. */
export interface RunOwner {
  identity: ProcessIdentity;
  /** Tells a run of an emulator from every other. */
  run: string;
}

/**
 * Makes a directory for the files of one run of the emulator, which a later emulator finds when this one was killed.
 * @param prefix begins its name
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
 * @param prefix begins their names
 * @param onGone told of each owner first
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
  // Another emulator may remove it at this moment.
  const found = await stat(directory).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > ABANDONED;
}

async function readOwner(directory: string): Promise<RunOwner | undefined> {
  try {
    const owner = JSON.parse(await readFile(join(directory, OWNER), 'utf8')) as Partial<RunOwner>;
    return owner.identity && owner.run ? { identity: owner.identity, run: owner.run } : undefined;
  } catch {
    // Being made at this moment, somebody else's, or damaged: not ours to remove.
    return undefined;
  }
}
