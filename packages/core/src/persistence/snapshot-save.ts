import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from '../base/log.ts';
import { ControlError } from '../plugin/control.ts';
import { nodeFileSystem } from '../storage/file-system.ts';
import { hasVersionFile, openDataDirectory, servicesIn } from './data-directory.ts';
import { DirectoryInUse, lockDirectory } from './data-directory-lock.ts';
import { directoryId } from './lock-entry.ts';
import type { Change } from './persistence.ts';
import { journalNumber, SNAPSHOT } from './service-files.ts';
import { readSnapshotHeader, writeSnapshot } from './snapshot.ts';

/** A snapshot that is to be saved. */
export interface SnapshotToSave {
  service: string;
  records: Iterable<Change>;
  /** Version of the emulator. */
  version: string;
  log: Logger;
}

/** Number of the journal that saved snapshots name: an emulator that has used a directory counts from one. */
const NO_JOURNAL = 0;

/** Whether two paths lead to one directory, by links and mounts too; false where there is none. */
export async function isSameDirectory(one: string, other: string): Promise<boolean> {
  const ids = await Promise.all([one, other].map((path) => directoryId(path).catch(() => path)));
  return ids[0] === ids[1];
}

/**
 * Writes a service's records to `<directory>/<service>/snapshot.json`, in the place of an earlier save, as a data
 * directory has it; the directory becomes one where it is none yet.
 * @throws ControlError `InvalidDataPath` for a directory that an emulator uses or has used, one that holds journals, and one
 *   inside of a data directory, for nothing that these hold may be lost; Error of the file system, or where the directory
 *   is of another format
 */
export async function saveSnapshot(
  directory: string,
  { service, records, version, log }: SnapshotToSave,
): Promise<void> {
  await nodeFileSystem.makeDirectory(directory);
  const around = await dataDirectoryAround(await realpath(directory));
  if (around !== undefined) throw refused(`${directory} is inside of the data directory ${around}`);
  const lock = await lockDirectory(directory, { log }).catch((error: unknown) => {
    throw error instanceof DirectoryInUse ? refused(error.message) : error;
  });
  try {
    await refuseState(directory, service);
    await openDataDirectory(nodeFileSystem, directory, version);
    const folder = join(directory, service);
    await nodeFileSystem.makeDirectory(folder);
    const path = join(folder, SNAPSHOT);
    await writeSnapshot(nodeFileSystem, { path, service, journal: NO_JOURNAL, ready: async () => {} }, records);
    await nodeFileSystem.syncDirectory(folder);
  } finally {
    await lock.release();
  }
}

/** @returns the data directory that a directory is below */
async function dataDirectoryAround(directory: string): Promise<string | undefined> {
  for (let path = dirname(directory); ; path = dirname(path)) {
    if (await hasVersionFile(nodeFileSystem, path)) return path;
    if (path === dirname(path)) return undefined;
  }
}

/** @throws ControlError where the snapshot would meet state that is not its own */
async function refuseState(directory: string, service: string): Promise<void> {
  for (const folder of [
    directory,
    ...(await servicesIn(nodeFileSystem, directory)).map((name) => join(directory, name)),
  ])
    if ((await nodeFileSystem.list(folder)).some(journalNumber)) throw refused(`${folder} holds journals`);
  const path = join(directory, service, SNAPSHOT);
  const found = await readSnapshotHeader(nodeFileSystem, path, service);
  if (found && found.journal !== NO_JOURNAL)
    throw refused(`${path} is the state of an emulator that used the directory`);
}

const refused = (reason: string): ControlError =>
  new ControlError(400, 'InvalidDataPath', `The snapshot cannot be saved there: ${reason}.`);
