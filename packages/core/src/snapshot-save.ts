import { join } from 'node:path';
import { nodeFileSystem } from './file-system.ts';
import type { Change } from './persistence.ts';
import { writeSnapshot } from './snapshot.ts';

/**
 * Writes a service's records to `<directory>/<service>/snapshot.json`, in the place of what is there, as a data
 * directory has it.
 * @throws Error of the file system
 */
export async function saveSnapshot(directory: string, service: string, records: Iterable<Change>): Promise<void> {
  const folder = join(directory, service);
  await nodeFileSystem.makeDirectory(folder);
  await writeSnapshot(
    nodeFileSystem,
    { path: join(folder, 'snapshot.json'), service, journal: 0, ready: async () => {} },
    records,
  );
  await nodeFileSystem.syncDirectory(folder);
}
