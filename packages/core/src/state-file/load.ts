import { join } from 'node:path';
import type { Change } from '../persistence/persistence.ts';
import type { AdoptedData } from '../plugin/own-data.ts';
import type { LoadedService } from '../services/loaded-service.ts';
import type { Parts } from '../services/parts.ts';
import type { ServiceStore } from '../state/store.ts';
import { decodeRecord } from '../state/store.ts';
import { nodeFileSystem } from '../storage/file-system.ts';
import { eachOf } from '../time/each-of.ts';
import { Slices } from '../time/slices.ts';
import { makeWorkDirectory, removeWorkDirectory, unpack } from './archive.ts';
import { withBodyNames } from './body-names.ts';
import { accountOf, checkSelection, common, type StateSelection, selectsCredentials } from './selection.ts';
import { BodySpool, SPOOL } from './spool.ts';
import { readStaged, type StagedService } from './staged.ts';

/** Options of loading an archive. */
export interface LoadOptions extends StateSelection {
  /** Whether it replaces the existing state, or is merged into it: then records of the same key are replaced. */
  readonly mode: 'replace' | 'merge';
}

/** Summary of the loaded state. */
export interface LoadedState {
  /** Number of records, by service. */
  readonly records: Readonly<Record<string, number>>;
  /** Emulated time of the saved state, in epoch milliseconds. */
  readonly takenAt: number;
}

/** A service with its prepared data. */
interface Ready {
  readonly service: LoadedService;
  readonly staged: StagedService;
  readonly changes: readonly Change[];
  /** Ids of the bodies here, which are retained until the records are put. */
  readonly bodies: ReadonlyMap<string, string>;
  readonly data: AdoptedData | undefined;
}

/**
 * Loads an archive of `saveState`. Reads and checks all of it before any change; then it takes effect as if at once,
 * between two requests. A complete archive that replaces the existing state also sets the time, the position of a
 * seed's ids and the quotas.
 * @throws ControlError 400 `InvalidState` for a damaged archive, one of a later version, or one with content that this
 * version does not support; nothing is changed then
 */
export async function loadState(
  parts: Parts,
  source: AsyncIterable<Uint8Array>,
  options: LoadOptions,
): Promise<LoadedState> {
  checkSelection(options, parts.environment.manifests);
  const directory = await makeWorkDirectory();
  const spool = new BodySpool(join(directory, SPOOL));
  const ready: Ready[] = [];
  try {
    const index = await unpack(source, directory, spool);
    const services = common(index.services, options.services);
    const accounts = common(index.accounts, options.accounts);
    const staged = await readStaged(parts, directory, spool);
    for (const each of staged) {
      if (!parts.environment.manifests.some(({ name }) => name === each.name)) continue;
      if (services !== undefined && !services.includes(each.name)) continue;
      ready.push(await prepare(parts, each, accounts));
    }
    const scope = { services, accounts, mode: options.mode };
    const partOf = (store: ServiceStore): StagedService | undefined =>
      staged.find(({ name }) => name === store.service);
    await apply(parts, ready, scope, partOf);
    const records = Object.fromEntries(ready.map(({ service, changes }) => [service.name, changes.length]));
    return { records, takenAt: index.takenAt };
  } finally {
    for (const { service, bodies, data } of ready) {
      for (const id of bodies.values()) parts.storage.bodiesOf(service.name).release(id);
      data?.release();
    }
    await spool[Symbol.asyncDispose]();
    await removeWorkDirectory(directory);
  }
}

/** Number of bodies written concurrently. */
const BODIES_AT_A_TIME = 16;

/** Adds the ids of the bodies that records refer to, one record in each step. */
function* wantedBodies(
  { definitions }: StagedService,
  changes: readonly Change[],
  wanted: Set<string>,
): Iterable<void> {
  for (const { collection, value } of changes) {
    const definition = definitions.get(collection)!;
    if (!definition.bodies) continue;
    for (const id of definition.bodies(decodeRecord(definition, value) as never)) wanted.add(id);
    yield;
  }
}

/** Copies bodies and own data in advance, before the records are put. */
async function prepare(parts: Parts, staged: StagedService, accounts: readonly string[] | undefined): Promise<Ready> {
  const service = await parts.registry.service(staged.name);
  const changes = staged.changes.filter(({ accountId }) => accounts === undefined || accounts.includes(accountId));
  const bodies = new Map<string, string>();
  const store = parts.storage.bodiesOf(staged.name);
  try {
    const slices = new Slices();
    const wanted = new Set<string>();
    await slices.run(wantedBodies(staged, changes, wanted));
    await eachOf(wanted, BODIES_AT_A_TIME, async (id) => {
      const { size, read } = staged.bodies.get(id)!;
      bodies.set(id, (await store.write(await read(), undefined, { size })).id);
      await slices.pause();
    });
    const place = { directory: staged.directory, fileSystem: nodeFileSystem, log: parts.environment.log };
    const data = await service.data?.adopt?.(place, accounts);
    return { service, staged, changes, bodies, data };
  } catch (error) {
    for (const id of bodies.values()) store.release(id);
    throw error;
  }
}

async function apply(
  parts: Parts,
  ready: readonly Ready[],
  { services, accounts, mode }: LoadOptions,
  partOf: (store: ServiceStore) => StagedService | undefined,
): Promise<void> {
  const replaces = mode === 'replace';
  const touched = replaces
    ? parts.registry.loadedServices().filter(({ name }) => services === undefined || services.includes(name))
    : ready.map(({ service }) => service);
  if (replaces) for (const service of touched) await reset(service, accounts);
  const replacing = touched.map((service) => ({
    service,
    clear: () => {
      if (replaces) for (const account of accounts ?? [undefined]) service.store.clear(account);
    },
    put: () => putting(ready.find((each) => each.service === service)),
  }));
  await parts.turnover.run(replacing, () => {
    if (replaces) for (const { data } of touched) for (const account of accounts ?? [undefined]) data?.clear(account);
    for (const { data } of ready) data?.show();
    applyCredentials(parts, { services, accounts, mode }, partOf(parts.environment.credentials.store));
    if (replaces && services === undefined && accounts === undefined)
      parts.ownState.adopt(partOf(parts.ownState.store)?.changes ?? [], parts.quotas);
  });
  parts.sessionSweep.restart();
  for (const { data } of touched) await data?.committed();
  await parts.environment.persistence?.committed();
}

/** Puts the records of a service, one in each step. */
function* putting(ready: Ready | undefined): Iterable<void> {
  if (!ready) return;
  const { service, staged, changes, bodies, data } = ready;
  for (const change of changes) {
    const definition = staged.definitions.get(change.collection)!;
    const value = data ? data.translated(change.collection, change.value) : change.value;
    const ids = definition.bodies?.(decodeRecord(definition, value) as never) ?? [];
    service.store.adopt({ ...change, value: withBodyNames(value, ids, bodies) });
    yield;
  }
}

async function reset(service: LoadedService, accounts: readonly string[] | undefined): Promise<void> {
  for (const account of accounts ?? [undefined]) await service.plugin.onReset?.(service as never, account);
}

function applyCredentials(
  parts: Parts,
  { services, accounts, mode }: LoadOptions,
  staged: StagedService | undefined,
): void {
  const { credentials, manifests } = parts.environment;
  const chosen = (collection: string): boolean => selectsCredentials(collection, services, manifests);
  if (mode === 'replace')
    for (const kind of ['access-keys', 'sessions'] as const)
      if (chosen(kind)) for (const account of accounts ?? [undefined]) credentials.reset(kind, account);
  for (const change of staged?.changes ?? [])
    if (chosen(change.collection) && (!accounts || accounts.includes(accountOf(change.accountId, change.value))))
      credentials.store.adopt(change);
}
