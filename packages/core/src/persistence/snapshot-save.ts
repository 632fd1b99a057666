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

/** A snapshot to be saved. */
export interface SnapshotToSave {
  service: string;
  records: Iterable<Change>;
  /** Version of the emulator. */
  version: string;
  log: Logger;
}

/** Journal number in saved snapshots: emulators that have used a directory count from one. */
const NO_JOURNAL = 0;

/** Whether two paths are the same directory, through links and mounts too; false for missing ones. */
export async function isSameDirectory(one: string, other: string): Promise<boolean> {
  const ids = await Promise.all([one, other].map((path) => directoryId(path).catch(() => path)));
  return ids[0] === ids[1];
}

/**
 * Writes a service's records to `<directory>/<service>/snapshot.json`, as in a data directory, and replaces an earlier
 * save; the directory becomes a data directory if it is none yet.
 * @throws ControlError `InvalidDataPath` for a directory that an emulator uses or has used, one with journals, and one
 * inside of a data directory, as none of their content may be lost; Error of the file system, or for a directory of
 * another format
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

/** @returns the data directory that contains a directory */
async function dataDirectoryAround(directory: string): Promise<string | undefined> {
  for (let path = dirname(directory); ; path = dirname(path)) {
    if (await hasVersionFile(nodeFileSystem, path)) return path;
    if (path === dirname(path)) return undefined;
  }
}

/** @throws ControlError if the snapshot would be mixed with other state */
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
