import { join } from 'node:path';
import type { Change } from '../persistence/persistence.ts';
import { readSnapshot, writeSnapshot } from '../persistence/snapshot.ts';
import { nodeFileSystem } from '../storage/file-system.ts';

/** Replaces each record in a service's snapshot, e.g. by the form of an earlier version; no emulator may run. */
export async function rewriteSnapshot(
  directory: string,
  service: string,
  change: (record: Change) => Change,
): Promise<void> {
  const path = join(directory, service, 'snapshot.json');
  const records: Change[] = [];
  const found = await readSnapshot(nodeFileSystem, path, service, (record) => records.push(record));
  if (!found) throw new Error(`${path} is missing`);
  const target = { path, service, journal: found.journal, ready: async () => undefined };
  await writeSnapshot(nodeFileSystem, target, records.map(change));
}
