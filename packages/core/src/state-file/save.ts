import { join } from 'node:path';
import { openDataDirectory } from '../persistence/data-directory.ts';
import type { Change } from '../persistence/persistence.ts';
import { SNAPSHOT } from '../persistence/service-files.ts';
import { writeSnapshot } from '../persistence/snapshot.ts';
import type { HeldData } from '../plugin/own-data.ts';
import type { LoadedService } from '../services/loaded-service.ts';
import type { Parts } from '../services/parts.ts';
import type { HeldCollection } from '../state/store.ts';
import { encodeRecord } from '../state/store.ts';
import { nodeFileSystem } from '../storage/file-system.ts';
import { makeWorkDirectory, pack, removeWorkDirectory } from './archive.ts';
import { type BodyNames, withBodyNames } from './body-names.ts';
import { SavedBodies } from './saved-bodies.ts';
import { accountOf, checkSelection, type StateSelection, selectsCredentials } from './selection.ts';

/** State of a service at the moment of saving. */
interface HeldService {
  readonly service: LoadedService;
  readonly records: readonly HeldCollection[];
  readonly data: HeldData | undefined;
}

/** Journal number in a saved snapshot: none. */
const NO_JOURNAL = 0;

/**
 * Saves the state of this moment, between two requests: records, bodies, services' own data and credentials, and
 * without a selection also the time, the position of a seed's ids and the quotas. Secrets are included unencrypted.
 * Changes of later requests are not included.
 * @returns the bytes of a compressed tar archive with the layout of a data directory
 * @throws ControlError 400 for an invalid selection
 */
export async function saveState(parts: Parts, selection: StateSelection): Promise<AsyncIterable<Uint8Array>> {
  checkSelection(selection, parts.environment.manifests);
  const { services, accounts } = selection;
  const whole = services === undefined && accounts === undefined;
  // No turn passes from here to the end of collecting, so that no request runs in between.
  const takenAt = parts.environment.clock.now();
  const held = parts.registry
    .loadedServices()
    .filter(({ name, plugin }) => plugin.stateOf === undefined && (services === undefined || services.includes(name)))
    .map(
      (service): HeldService => ({
        service,
        records: withoutTransient(service.store.hold()),
        data: service.data?.save ? service.data.hold() : undefined,
      }),
    );
  for (const { service, records } of held) service.store.retainHeld(records);
  const credentials = parts.environment.credentials.store.hold();
  const own = whole ? parts.ownState.changes() : [];
  const directory = await makeWorkDirectory();
  const bodies = new SavedBodies();
  const end = async (): Promise<void> => {
    for (const { service, records, data } of held.splice(0)) {
      service.store.releaseHeld(records);
      data?.release();
    }
    await removeWorkDirectory(directory);
  };
  try {
    await openDataDirectory(nodeFileSystem, directory, parts.environment.version);
    for (const each of held) await saveService(parts, directory, each, accounts, bodies);
    const kept = credentials.filter(({ definition }) =>
      selectsCredentials(definition.name, services, parts.environment.manifests),
    );
    await saveRecords(directory, parts.environment.credentials.store.service, changesOf(kept, accounts));
    await saveRecords(directory, parts.ownState.store.service, own);
  } catch (error) {
    await end();
    throw error;
  }
  return untilRead(
    pack(directory, bodies.list, { version: parts.environment.version, takenAt, services, accounts }),
    end,
  );
}

/** Returns an archive whose parts are released when its reader ends, even before its first step. */
function untilRead(bytes: AsyncGenerator<Uint8Array>, release: () => Promise<void>): AsyncIterable<Uint8Array> {
  const end = async (): Promise<IteratorResult<Uint8Array>> => {
    await bytes.return(undefined);
    await release();
    return { done: true, value: undefined };
  };
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        try {
          const step = await bytes.next();
          return step.done ? await end() : step;
        } catch (error) {
          await end();
          throw error;
        }
      },
      return: end,
    }),
  };
}

const withoutTransient = (held: readonly HeldCollection[]): HeldCollection[] =>
  held.filter(({ definition }) => !definition.transient);

async function saveService(
  parts: Parts,
  directory: string,
  { service, records, data }: HeldService,
  accounts: readonly string[] | undefined,
  bodies: SavedBodies,
): Promise<void> {
  const chosen = records.filter(({ scope }) => accounts === undefined || accounts.includes(scope.accountId));
  const names = await bodies.find(parts.storage.bodiesOf(service.name), service.name, chosen);
  await saveRecords(directory, service.name, changesOf(chosen, undefined, names));
  const place = { directory: join(directory, service.name), fileSystem: nodeFileSystem, log: parts.environment.log };
  if (data) await service.data?.save?.(data, place, accounts);
}

function* changesOf(
  held: readonly HeldCollection[],
  accounts: readonly string[] | undefined,
  names: BodyNames = new Map(),
): Iterable<Change> {
  for (const { definition, scope, entries } of held)
    for (const [key, record] of entries) {
      const ids = definition.bodies?.(record as never) ?? [];
      const value = withBodyNames(encodeRecord(definition, record), ids, names);
      if (accounts !== undefined && !accounts.includes(accountOf(scope.accountId, value))) continue;
      yield { op: 'put', collection: definition.name, ...scope, key, value };
    }
}

/** Writes a service's records as the snapshot of a data directory; writes nothing without records. */
async function saveRecords(directory: string, service: string, changes: Iterable<Change>): Promise<void> {
  const rest = changes[Symbol.iterator]();
  const first = rest.next();
  if (first.done) return;
  const folder = join(directory, service);
  await nodeFileSystem.makeDirectory(folder);
  const target = { path: join(folder, SNAPSHOT), service, journal: NO_JOURNAL, ready: async () => {} };
  await writeSnapshot(nodeFileSystem, target, prepended(first.value, { [Symbol.iterator]: () => rest }));
}

function* prepended<Item>(first: Item, rest: Iterable<Item>): Iterable<Item> {
  yield first;
  yield* rest;
}
