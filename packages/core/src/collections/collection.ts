import { copyOf, type DeepReadonly } from './readonly.ts';
import { GroupIndex, type GroupsOf, type RecordIndex } from './record-index.ts';
import { GroupTally, type Tally } from './tally.ts';

/** The scope that a collection belongs to. */
export type StateScopeKind = 'region' | 'account' | 'global';

/** Declaration of a kind of record: its name on disk, its scope, and its JSON form. */
export interface CollectionDefinition<T> {
  readonly name: string;
  readonly scope: StateScopeKind;
  /** Converts a record to a JSON value; by default the record is one. */
  readonly encode?: (value: DeepReadonly<T>) => unknown;
  /** Converts a JSON value to a record. */
  readonly decode?: (json: unknown) => T;
  /** Kept only in memory, in persistent mode too. */
  readonly transient?: true;
  /**
   * Ids of the bodies that a record refers to. Each record counts once for each id; a body is deleted with the last
   * record that refers to it.
   */
  readonly bodies?: (value: DeepReadonly<T>) => Iterable<string>;
  /**
   * The client's own data in a record, which a migration does not change: the whole record with its key, or members by
   * name, at any depth.
   */
  readonly content?: 'all' | readonly string[];
  /**
   * Returns the key or id of the parent record, from the key of a record without an ARN. A migration to sets per region
   * puts the record where its parent is.
   */
  readonly ownerOf?: (key: string) => string;
  /** Carries the record's type; never set. */
  readonly record?: T;
}

/** A definition of any record type. */
export interface AnyCollectionDefinition {
  readonly name: string;
  readonly scope: StateScopeKind;
  readonly encode?: (value: never) => unknown;
  readonly decode?: (json: unknown) => unknown;
  readonly transient?: true;
  readonly bodies?: (value: never) => Iterable<string>;
  readonly content?: 'all' | readonly string[];
  readonly ownerOf?: (key: string) => string;
}

/**
 * Declares a collection. Records are plain JSON data unless `encode` and `decode` say how to store them: points in
 * time as epoch milliseconds, small binary values as base64 strings, bodies as ids of the body store.
 */
export function defineCollection<T>(
  name: string,
  scope: StateScopeKind,
  options: Pick<CollectionDefinition<T>, 'encode' | 'decode' | 'transient' | 'bodies' | 'content' | 'ownerOf'> = {},
): CollectionDefinition<T> {
  return { name, scope, ...options };
}

/** Receives every change of a collection, in order; persistence appends it to the journal. */
export interface ChangeListener {
  /** Whether changes must be reported: false without a journal and bodies, where they cost nothing. */
  readonly listening: boolean;
  /** @param previous the replaced record, if any */
  put(key: string, value: unknown, previous: unknown): void;
  delete(key: string, previous: unknown): void;
  /** Called before the records are removed. @param previous all records */
  clear(previous: Iterable<unknown>): void;
}

/** Data derived from the records of a collection, updated with their changes. */
interface Follower<T> {
  /** @param previous undefined for a new record @param next undefined for a deleted one */
  replace(previous: DeepReadonly<T> | undefined, next: DeepReadonly<T> | undefined, key: string): void;
  clear(): void;
}

/**
 * Records of one kind in one scope, by key, in order of insertion. It returns read-only records; changes are made with
 * `put`, `update` or `delete`, which also feed persistence. A returned record never changes: an update replaces it.
 */
export class Collection<T> {
  private readonly records = new Map<string, T>();
  private followers: Follower<T>[] | undefined;

  constructor(private listener?: ChangeListener) {}

  get size(): number {
    return this.records.size;
  }

  get(key: string): DeepReadonly<T> | undefined {
    return this.records.get(key) as DeepReadonly<T> | undefined;
  }

  has(key: string): boolean {
    return this.records.has(key);
  }

  /** Adds or replaces a record. The collection owns the value: the caller must not change it any more. */
  put(key: string, value: T): DeepReadonly<T> {
    const { listener } = this;
    if (this.followers) this.report(key, value);
    if (listener?.listening) {
      const previous = this.records.get(key);
      this.records.set(key, value);
      listener.put(key, value, previous);
    } else this.records.set(key, value);
    return value as DeepReadonly<T>;
  }

  /**
   * Changes a copy of the record and replaces the record with it; if `change` throws, the record is unchanged.
   * @throws Error for an unknown record
   */
  update(key: string, change: (draft: T) => void): DeepReadonly<T> {
    const current = this.records.get(key);
    if (current === undefined) throw new Error(`no record ${key} to update`);
    const draft = copyOf(current) as T;
    change(draft);
    return this.put(key, draft);
  }

  /** @returns whether the record existed */
  delete(key: string): boolean {
    const { listener } = this;
    if (this.followers) this.report(key, undefined);
    if (!listener?.listening) return this.records.delete(key);
    const previous = this.records.get(key);
    const existed = this.records.delete(key);
    if (existed) listener.delete(key, previous);
    return existed;
  }

  clear(): void {
    if (!this.records.size) return;
    this.listener?.clear(this.records.values());
    this.records.clear();
    this.emptyFollowers();
  }

  /** Stops reporting changes, for a collection whose records are kept elsewhere or discarded. */
  detach(): void {
    this.listener = undefined;
  }

  /**
   * Returns a tally of the records by group, updated with each change.
   * @param groupOf group in which a record counts
   * @param weigh weight of a record; 1 by default
   */
  tally(groupOf: (value: DeepReadonly<T>) => string, weigh: (value: DeepReadonly<T>) => number = () => 1): Tally {
    return this.follow(new GroupTally(groupOf, weigh));
  }

  /**
   * Returns an index of the records by group, updated with each change.
   * @param groupsOf groups of a record
   */
  index(groupsOf: GroupsOf<T>): RecordIndex<T> {
    return this.follow(new GroupIndex(groupsOf));
  }

  keys(): IterableIterator<string> {
    return this.records.keys();
  }

  values(): IterableIterator<DeepReadonly<T>> {
    return this.records.values() as IterableIterator<DeepReadonly<T>>;
  }

  entries(): IterableIterator<[string, DeepReadonly<T>]> {
    return this.records.entries() as IterableIterator<[string, DeepReadonly<T>]>;
  }

  /**
   * Restores a record that persistence read from disk, without reporting a change.
   * @param inserted whether it was new when it was written, and so belongs at the end
   */
  restore(key: string, value: T, inserted = false): void {
    if (this.followers) this.report(key, value);
    if (inserted) this.records.delete(key);
    this.records.set(key, value);
  }

  /** Undoes a restored record that a later journal entry deletes. */
  discard(key?: string): void {
    if (key === undefined) {
      this.records.clear();
      this.emptyFollowers();
      return;
    }
    if (this.followers) this.report(key, undefined);
    this.records.delete(key);
  }

  private follow<Added extends Follower<T>>(follower: Added): Added {
    for (const [key, value] of this.entries()) follower.replace(undefined, value, key);
    this.followers = [...(this.followers ?? []), follower];
    return follower;
  }

  /** Reports a replacement to the followers before it happens. */
  private report(key: string, next: T | undefined): void {
    const previous = this.get(key);
    for (const follower of this.followers!) follower.replace(previous, next as DeepReadonly<T> | undefined, key);
  }

  private emptyFollowers(): void {
    for (const follower of this.followers ?? []) follower.clear();
  }
}
