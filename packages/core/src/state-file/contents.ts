import { join } from 'node:path';
import { SNAPSHOT } from '../persistence/service-files.ts';
import { readSnapshot } from '../persistence/snapshot.ts';
import { nodeFileSystem } from '../storage/file-system.ts';
import { makeWorkDirectory, removeWorkDirectory, unpack } from './archive.ts';
import { BodySpool, SPOOL } from './spool.ts';

/** Content of a state file: a text for each record, by service, collection, account, region and key. */
export type StateContents = ReadonlyMap<string, string>;

/** Files of a service that are compared by their records. */
const BODIES = /^[^/]+\/bodies\//;

/**
 * Reads the content of a state file for a comparison. A service's own data is compared by file, and bodies by the
 * records that refer to them.
 * @throws ControlError `InvalidState` for any other file
 */
export async function contentsOf(source: AsyncIterable<Uint8Array>): Promise<StateContents> {
  const directory = await makeWorkDirectory();
  try {
    const contents = new Map<string, string>();
    await using spool = new BodySpool(join(directory, SPOOL));
    const { entries } = await unpack(source, directory, spool);
    for (const { path, sha256 } of entries) {
      const [service = '', file] = path.split('/');
      if (file === undefined || BODIES.test(path)) continue;
      if (file !== SNAPSHOT) {
        contents.set(`${service} file ${file}`, sha256);
        continue;
      }
      await readSnapshot(
        nodeFileSystem,
        join(directory, path),
        service,
        ({ collection, accountId, region, key, value }) => {
          const place = [accountId, region].filter(Boolean);
          contents.set([service, collection, ...place, key].join(' '), JSON.stringify(value));
        },
      );
    }
    return contents;
  } finally {
    await removeWorkDirectory(directory);
  }
}

/** A record that differs between two state files. */
export interface StateDifference {
  /** Service, collection, account, region and key. */
  readonly record: string;
  /** Whether it was added, removed or changed. */
  readonly change: 'added' | 'removed' | 'changed';
}

/** Returns the differences of a second state file from a first. */
export function differencesOf(before: StateContents, after: StateContents): StateDifference[] {
  const found: StateDifference[] = [];
  for (const [record, text] of before)
    if (!after.has(record)) found.push({ record, change: 'removed' });
    else if (after.get(record) !== text) found.push({ record, change: 'changed' });
  for (const record of after.keys()) if (!before.has(record)) found.push({ record, change: 'added' });
  return found.sort((one, other) => (one.record < other.record ? -1 : 1));
}
