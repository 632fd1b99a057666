import {
  type AnyCollectionDefinition,
  type ChangeListener,
  Collection,
  type CollectionDefinition,
} from '../collections/collection.ts';
import type { Change, ChangeBatch, ServiceJournal } from '../persistence/persistence.ts';
import type { BodyStore } from '../storage/body-store.ts';
import type { Slices } from '../time/slices.ts';

/** An account and region with records; empty strings for records of wider scope. */
export interface ScopeKey {
  accountId: string;
  region: string;
}

/** A collection's records at one moment. */
export interface HeldCollection {
  readonly definition: AnyCollectionDefinition;
  readonly scope: ScopeKey;
  readonly entries: readonly [string, unknown][];
}

interface OpenCollection {
  definition: AnyCollectionDefinition;
  scope: ScopeKey;
  collection: Collection<unknown>;
}

/** Removed records whose bodies are still counted. */
export interface GoneRecords {
  readonly definition: AnyCollectionDefinition;
  readonly values: readonly unknown[];
}

/** Appends changes to the journal. Each method returns whether the change is going to be written. */
interface JournalListener extends ChangeListener {
  put(key: string, value: unknown, previous: unknown): boolean;
  delete(key: string): boolean;
  clear(): boolean;
}

/** A running replacement of all records of a store. */
interface Replacement {
  /** Changes that are appended to the journal at the end, in persistent mode. */
  readonly batch: ChangeBatch | undefined;
  readonly ended: Promise<void>;
  readonly end: () => void;
}

const SEPARATOR = '\u0000';

/** All records of one service: its collections by definition and scope, connected to its journal if it has one. */
export class ServiceStore {
  private readonly open = new Map<string, OpenCollection>();
  private readonly definitions: Map<string, AnyCollectionDefinition>;
  private journal: ServiceJournal | undefined;
  private replacement: Replacement | undefined;
  /** Removed records whose bodies are released later; undefined to release them at once. */
  private gone: GoneRecords[] | undefined;

  constructor(
    readonly service: string,
    definitions: readonly AnyCollectionDefinition[],
    /** Returns the store of the records' bodies. */
    private readonly bodies?: () => Pick<BodyStore, 'retain' | 'release'>,
  ) {
    this.definitions = new Map(definitions.map((definition) => [definition.name, definition]));
  }

  /** Returns the collection of a scope; ignores account and region if the definition's scope is wider. */
  collection<T>(definition: CollectionDefinition<T>, accountId: string, region: string): Collection<T> {
    const scope: ScopeKey = {
      accountId: definition.scope === 'global' ? '' : accountId,
      region: definition.scope === 'region' ? region : '',
    };
    const id = definition.name + SEPARATOR + scope.accountId + SEPARATOR + scope.region;
    let entry = this.open.get(id);
    if (!entry) {
      if (this.definitions.get(definition.name) !== definition)
        throw new Error(`collection ${definition.name} is not listed in the plugin of ${this.service}`);
      const collection = new Collection<unknown>(this.listenerOf(definition, scope));
      entry = { definition, scope, collection };
      this.open.set(id, entry);
    }
    return entry.collection as unknown as Collection<T>;
  }

  /** Returns the scopes with records in any collection. */
  scopes(): ScopeKey[] {
    const found = new Map<string, ScopeKey>();
    for (const { scope, collection } of this.open.values())
      if (collection.size) found.set(scope.accountId + SEPARATOR + scope.region, scope);
    return [...found.values()];
  }

  /**
   * Removes the records of one account, or all; records of global collections are removed only with all. Discards the
   * collections, so that accounts without records need no memory: callers must request them again.
   */
  clear(accountId?: string): void {
    for (const [id, { scope, collection }] of this.open) {
      if (accountId !== undefined && scope.accountId !== accountId) continue;
      collection.clear();
      if (scope.accountId === '') continue;
      this.open.delete(id);
      // A running operation must not write changes of discarded collections to the journal.
      collection.detach();
    }
  }

  /** Removes records like `clear`, and releases the bodies in slices, as there may be very many. */
  async clearInSlices(accountId: string | undefined, slices: Slices): Promise<void> {
    const gone = this.collectGone(() => this.clear(accountId));
    await this.releaseGone(gone, slices);
  }

  /**
   * Begins to replace all records over several turns, in which nothing reads them. Changes until `endReplacement` take
   * effect on disk all together or not at all.
   * @param clear removes the old records
   * @returns the argument for `endReplacement`
   */
  beginReplacement(clear: () => void): readonly GoneRecords[] {
    let end!: () => void;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.replacement = { batch: this.journal?.batch(), ended, end };
    return this.collectGone(clear);
  }

  /**
   * Appends all changes to the journal. @returns a promise that resolves when the removed records' bodies are released
   */
  endReplacement(gone: readonly GoneRecords[], slices: Slices): Promise<void> {
    const { replacement } = this;
    this.replacement = undefined;
    replacement?.batch?.end();
    replacement?.end();
    return this.releaseGone(gone, slices);
  }

  private collectGone(clear: () => void): readonly GoneRecords[] {
    const gone: GoneRecords[] = [];
    this.gone = gone;
    try {
      clear();
    } finally {
      this.gone = undefined;
    }
    return gone;
  }

  private async releaseGone(gone: readonly GoneRecords[], slices: Slices): Promise<void> {
    for (const { definition, values } of gone)
      for (const value of values) {
        this.release(definition, value);
        const pause = slices.pause();
        if (pause) await pause;
      }
  }

  /** Applies a change read from disk. @throws Error for an unknown collection */
  restore(change: Change): void {
    const definition = this.definitions.get(change.collection);
    if (!definition) throw new Error(`${this.service} has no collection ${change.collection}`);
    const collection = this.collection(definition as CollectionDefinition<unknown>, change.accountId, change.region);
    if (change.op === 'delete') collection.discard(change.key);
    else if (change.op === 'clear') collection.discard();
    else {
      collection.restore(change.key!, decodeRecord(definition, change.value), change.op === 'insert');
    }
  }

  /** Returns the definitions of all collections. */
  get collections(): Iterable<AnyCollectionDefinition> {
    return this.definitions.values();
  }

  /** Whether records of the service can refer to bodies. */
  get hasBodies(): boolean {
    return [...this.definitions.values()].some((definition) => definition.bodies);
  }

  /** Counts the bodies that restored records refer to. */
  retainBodies(): void {
    for (const { definition, collection } of this.open.values())
      for (const value of collection.values()) this.retain(definition, value);
  }

  /** Connects the journal for all later changes. */
  attach(journal: ServiceJournal): void {
    this.journal = journal;
  }

  /** Whether a change is waiting to be written; never in memory mode. */
  get dirty(): boolean {
    return this.replacement?.batch !== undefined || (this.journal?.dirty ?? false);
  }

  /** Whether an operation that could make further changes should await `committed` first, and fail with it. */
  get congested(): boolean {
    return this.journal?.congested ?? false;
  }

  /** Resolves when every change so far is on disk, at once in memory mode; rejects if they cannot be written. */
  async committed(): Promise<void> {
    if (this.replacement) await this.replacement.ended;
    if (this.journal?.dirty) await this.journal.committed();
  }

  /** Rewrites the snapshot; resolves at once in memory mode. */
  async rewrite(): Promise<void> {
    await this.journal?.rewrite();
  }

  /** Returns every record as a `put`, read lazily: concurrent changes are in the journal as well. */
  *snapshot(): Iterable<Change> {
    for (const { definition, scope, collection } of this.open.values()) {
      if (definition.transient) continue;
      for (const [key, value] of collection.entries())
        yield { op: 'put', collection: definition.name, ...scope, key, value: encodeRecord(definition, value) };
    }
  }

  /** Returns every record of this moment, unaffected by changes while they are read. */
  picture(): Iterable<Change> {
    const held = this.hold().filter(({ definition }) => !definition.transient);
    return (function* () {
      for (const { definition, scope, entries } of held)
        for (const [key, value] of entries)
          yield { op: 'put', collection: definition.name, ...scope, key, value: encodeRecord(definition, value) };
    })();
  }

  /** Returns every record of this moment, including those that are never written. */
  hold(): HeldCollection[] {
    const held: HeldCollection[] = [];
    // Records are replaced, never changed: references suffice.
    for (const { definition, scope, collection } of this.open.values())
      if (collection.size) held.push({ definition, scope, entries: [...collection.entries()] });
    return held;
  }

  /** Replaces all records by held ones. Discards the collections, as `clear` does. */
  putBack(held: readonly HeldCollection[]): void {
    this.clear();
    for (const _ of this.putting(held));
  }

  /** Puts held records, one in each step. */
  *putting(held: readonly HeldCollection[]): Iterable<void> {
    for (const { definition, scope, entries } of held) {
      const { accountId, region } = scope;
      const collection = this.collection(definition as CollectionDefinition<unknown>, accountId, region);
      for (const [key, value] of entries) {
        collection.put(key, value);
        yield;
      }
    }
  }

  /**
   * Puts a record in another store's encoding, as an operation would: it is journalled, and its bodies are counted.
   * @throws Error for an unknown collection
   */
  adopt({ collection: name, accountId, region, key, value }: Change): void {
    const definition = this.definitions.get(name);
    if (!definition) throw new Error(`${this.service} has no collection ${name}`);
    const collection = this.collection(definition as CollectionDefinition<unknown>, accountId, region);
    collection.put(key!, decodeRecord(definition, value));
  }

  /** Retains the bodies of held records, so that they outlive the records. */
  retainHeld(held: readonly HeldCollection[]): void {
    for (const { definition, entries } of held)
      if (definition.bodies) for (const [, value] of entries) this.retain(definition, value);
  }

  /** Releases them. */
  releaseHeld(held: readonly HeldCollection[]): void {
    for (const { definition, entries } of held)
      if (definition.bodies) for (const [, value] of entries) this.release(definition, value);
  }

  private listenerOf(definition: AnyCollectionDefinition, scope: ScopeKey): ChangeListener | undefined {
    const journalled = definition.transient ? undefined : this.journalling(definition, scope);
    return definition.bodies ? this.counting(definition, journalled) : journalled;
  }

  /** Returns the target of changes. */
  private get changes(): Pick<ServiceJournal, 'append'> | undefined {
    return this.replacement?.batch ?? this.journal;
  }

  private journalling(definition: AnyCollectionDefinition, { accountId, region }: ScopeKey): JournalListener {
    const collection = definition.name;
    const isOpen = (): boolean => this.journal !== undefined;
    return {
      get listening() {
        return isOpen();
      },
      put: (key, value, previous) => {
        const changes = this.changes;
        if (!changes) return true;
        const op = previous === undefined ? 'insert' : 'put';
        return changes.append({ op, collection, accountId, region, key, value: encodeRecord(definition, value) });
      },
      delete: (key) => this.changes?.append({ op: 'delete', collection, accountId, region, key }) ?? true,
      clear: () => this.changes?.append({ op: 'clear', collection, accountId, region }) ?? true,
    };
  }

  /**
   * Counts the bodies of records, new ones first, so that one in both is never deleted in between. If a change is never
   * written, the bodies of the previous record stay, as the record on disk refers to them.
   */
  private counting(definition: AnyCollectionDefinition, journal: JournalListener | undefined): ChangeListener {
    return {
      listening: true,
      put: (key, value, previous) => {
        this.retain(definition, value);
        if (journal?.put(key, value, previous) !== false) this.release(definition, previous);
      },
      delete: (key, previous) => {
        if (journal?.delete(key) !== false) this.release(definition, previous);
      },
      clear: (previous) => {
        if (journal?.clear() === false) return;
        if (this.gone) this.gone.push({ definition, values: [...previous] });
        else for (const value of previous) this.release(definition, value);
      },
    };
  }

  private retain(definition: AnyCollectionDefinition, value: unknown): void {
    for (const id of bodiesOf(definition, value)) this.bodies?.().retain(id);
  }

  private release(definition: AnyCollectionDefinition, value: unknown): void {
    for (const id of bodiesOf(definition, value)) this.bodies?.().release(id);
  }
}

function bodiesOf(definition: AnyCollectionDefinition, value: unknown): Iterable<string> {
  return value === undefined || !definition.bodies ? [] : definition.bodies(value as never);
}

/** Encodes a record for the disk. */
export function encodeRecord(definition: AnyCollectionDefinition, value: unknown): unknown {
  return definition.encode ? definition.encode(value as never) : value;
}

/** Decodes a record from the disk. */
export function decodeRecord(definition: AnyCollectionDefinition, value: unknown): unknown {
  return definition.decode ? definition.decode(value) : value;
}
