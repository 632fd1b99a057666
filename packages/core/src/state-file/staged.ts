import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { AnyCollectionDefinition } from '../collections/collection.ts';
import { withPartitions } from '../migration/arn-partitions.ts';
import { RegionalSplit } from '../migration/regional-split.ts';
import { readVersion, servicesIn } from '../persistence/data-directory.ts';
import type { Change } from '../persistence/persistence.ts';
import { readState } from '../persistence/service-files.ts';
import type { Parts } from '../services/parts.ts';
import { decodeRecord } from '../state/store.ts';
import { nodeFileSystem } from '../storage/file-system.ts';
import { Slices } from '../time/slices.ts';
import { invalid } from './archive.ts';
import type { BodySpool } from './spool.ts';

/** A service's part of an unpacked archive, read and checked. */
export interface StagedService {
  readonly name: string;
  /** Its records as `put` changes, in the form of this version. */
  readonly changes: readonly Change[];
  readonly definitions: ReadonlyMap<string, AnyCollectionDefinition>;
  /** The existing bodies, by their ids in the records. */
  readonly bodies: ReadonlyMap<string, StagedBody>;
  /** Directory of the service's files. */
  readonly directory: string;
}

/** A body of an unpacked archive. */
export interface StagedBody {
  /** Bytes. */
  readonly size: number;
  read(): AsyncIterable<Uint8Array> | Promise<Uint8Array>;
}

/**
 * Reads the data directory of an unpacked archive, migrates the content of older versions, and checks every record as
 * the service would.
 * @throws ControlError 400 `InvalidState` if this version cannot load it
 */
export async function readStaged(parts: Parts, directory: string, spool: BodySpool): Promise<StagedService[]> {
  try {
    const version = await readVersion(nodeFileSystem, directory, parts.environment.version);
    if (!version) throw new Error('it lacks the version that wrote it');
    const staged: StagedService[] = [];
    for (const name of await servicesIn(nodeFileSystem, directory))
      staged.push(await readService(parts, directory, name, version.arnsMigrated, spool));
    return staged;
  } catch (error) {
    throw (error as Error).name === 'ControlError' ? error : invalid(messageOf(error, directory));
  }
}

/** Returns an error's message without the path of the directory, which is temporary. */
const messageOf = (error: unknown, directory: string): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(`${directory}/`, '').replace(/\.$/, '');

async function readService(
  parts: Parts,
  directory: string,
  name: string,
  arnsMigrated: boolean,
  spool: BodySpool,
): Promise<StagedService> {
  const definitions = new Map([...(await collectionsOf(parts, name))].map((each) => [each.name, each]));
  const split = new RegionalSplit(definitions.values(), parts.environment.settings.region);
  const records = new Map<string, Change>();
  const take = (change: Change): void => {
    const { collection, accountId, region, key = '' } = change;
    if (change.op !== 'put') throw new Error(`${name} has an incomplete record`);
    if (!definitions.has(collection)) throw new Error(`${name} has no collection ${collection}`);
    records.set([collection, accountId, region, key].join('\0'), change);
  };
  const place = { fileSystem: nodeFileSystem, service: name, directory: join(directory, name), mark: undefined };
  await readState(place, (change) => {
    const current = arnsMigrated
      ? change
      : withPartitions(change, definitions.get(change.collection), parts.environment.settings.region);
    if (!split.take(current)) take(current);
  });
  for (const change of split.placed()) take(change);
  const changes = [...records.values()];
  const bodies = await bodiesIn(join(place.directory, 'bodies'));
  for (const { path, size } of spool.of(name)) bodies.set(basename(path), { size, read: () => spool.read(path) });
  const slices = new Slices();
  for (const change of changes) {
    check(name, definitions.get(change.collection)!, change, bodies);
    const pause = slices.pause();
    if (pause) await pause;
  }
  return { name, changes, definitions, bodies, directory: place.directory };
}

/** @throws Error for a record that the service cannot use */
function check(
  service: string,
  definition: AnyCollectionDefinition,
  { value, key }: Change,
  bodies: StagedService['bodies'],
): void {
  if (typeof key !== 'string' || value === undefined || value === null)
    throw new Error(`${service} has a record of ${definition.name} without key or value`);
  for (const id of definition.bodies?.(decodeRecord(definition, value) as never) ?? [])
    if (!bodies.has(id)) throw new Error(`the body ${id} of ${service} is missing`);
}

async function collectionsOf(parts: Parts, name: string): Promise<Iterable<AnyCollectionDefinition>> {
  for (const store of [parts.environment.credentials.store, parts.ownState.store])
    if (store.service === name) return store.collections;
  const manifest = parts.environment.manifests.find((candidate) => candidate.name === name);
  if (!manifest) throw new Error(`it holds state of ${name}, which this version of emu does not have`);
  return (await manifest.load()).collections;
}

async function bodiesIn(directory: string): Promise<Map<string, StagedBody>> {
  const found = new Map<string, StagedBody>();
  for (const folder of await nodeFileSystem.list(directory))
    for (const id of await readdir(join(directory, folder))) {
      const path = join(directory, folder, id);
      const read = () => createReadStream(path) as AsyncIterable<Uint8Array>;
      found.set(id, { size: (await stat(path)).size, read });
    }
  return found;
}
