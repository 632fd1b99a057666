import { join } from 'node:path';
import { openDataDirectory } from './data-directory.ts';
import { nodeFileSystem } from './file-system.ts';
import type { Change } from './persistence.ts';
import { writeSnapshot } from './snapshot.ts';

/**
 * Writes a service's records to `<directory>/<service>/snapshot.json`, in the place of what is there, as a data
 * directory has it; the directory becomes one where it is none yet.
 * @param version of the emulator
 * @throws Error of the file system, or where the directory is of another format
 */
export async function saveSnapshot(
  directory: string,
  version: string,
  service: string,
  records: Iterable<Change>,
): Promise<void> {
  await openDataDirectory(nodeFileSystem, directory, version);
  const folder = join(directory, service);
  await nodeFileSystem.makeDirectory(folder);
  await writeSnapshot(
    nodeFileSystem,
    { path: join(folder, 'snapshot.json'), service, journal: 0, ready: async () => {} },
    records,
  );
  await nodeFileSystem.syncDirectory(folder);
}
