import {
  type AnyCollectionDefinition,
  type ChangeListener,
  Collection,
  type CollectionDefinition,
} from './collection.ts';
import type { Change, ServiceJournal } from './persistence.ts';

/** An account and region that holds records; empty strings for records of wider scope. */
export interface ScopeKey {
  accountId: string;
  region: string;
}

interface OpenCollection {
  definition: AnyCollectionDefinition;
  scope: ScopeKey;
  collection: Collection<unknown>;
}

const SEPARATOR = '\u0000';

/** All records of one service: its collections by definition and scope, feeding its journal where there is one. */
export class ServiceStore {
  private readonly open = new Map<string, OpenCollection>();
  private readonly definitions: Map<string, AnyCollectionDefinition>;
  private journal: ServiceJournal | undefined;

  constructor(
    readonly service: string,
    definitions: readonly AnyCollectionDefinition[],
  ) {
    this.definitions = new Map(definitions.map((definition) => [definition.name, definition]));
  }

  /** The collection of a scope; account and region are ignored as far as the definition's scope is wider. */
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

  /** Scopes in which any collection has records. */
  scopes(): ScopeKey[] {
    const found = new Map<string, ScopeKey>();
    for (const { scope, collection } of this.open.values())
      if (collection.size) found.set(scope.accountId + SEPARATOR + scope.region, scope);
    return [...found.values()];
  }

  /** Removes the records of one account, or all; records of global collections go only with all. */
  clear(accountId?: string): void {
    for (const { scope, collection } of this.open.values())
      if (accountId === undefined || scope.accountId === accountId) collection.clear();
  }

  /** Takes a change read from disk. @throws Error for a collection the service does not know */
  restore(change: Change): void {
    const definition = this.definitions.get(change.collection);
    if (!definition) throw new Error(`${this.service} has no collection ${change.collection}`);
    const collection = this.collection(definition as CollectionDefinition<unknown>, change.accountId, change.region);
    if (change.op === 'put')
      collection.restore(change.key!, definition.decode ? definition.decode(change.value) : change.value);
    else collection.forget(change.op === 'delete' ? change.key : undefined);
  }

  /** Connects the journal that changes go to from now on. */
  attach(journal: ServiceJournal): void {
    this.journal = journal;
  }

  /** Writes the snapshot anew; at once in memory mode. */
  async rewrite(): Promise<void> {
    await this.journal?.rewrite();
  }

  /** Every record as a `put`, read lazily: what changes meanwhile is in the journal as well. */
  *snapshot(): Iterable<Change> {
    for (const { definition, scope, collection } of this.open.values()) {
      if (definition.transient) continue;
      for (const [key, value] of collection.entries())
        yield { op: 'put', collection: definition.name, ...scope, key, value: encodeRecord(definition, value) };
    }
  }

  private listenerOf(definition: AnyCollectionDefinition, scope: ScopeKey): ChangeListener | undefined {
    if (definition.transient) return undefined;
    const head = { collection: definition.name, ...scope };
    return {
      put: (key, value) => this.journal?.append({ op: 'put', ...head, key, value: encodeRecord(definition, value) }),
      delete: (key) => this.journal?.append({ op: 'delete', ...head, key }),
      clear: () => this.journal?.append({ op: 'clear', ...head }),
    };
  }
}

function encodeRecord(definition: AnyCollectionDefinition, value: unknown): unknown {
  return definition.encode ? definition.encode(value as never) : value;
}
