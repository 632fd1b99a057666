import { copyOf, type DeepReadonly } from './readonly.ts';
import { GroupIndex, type GroupsOf, type RecordIndex } from './record-index.ts';
import { GroupTally, type Tally } from './tally.ts';

/** Which part of the state a collection is kept for. */
export type StateScopeKind = 'region' | 'account' | 'global';

/** A kind of record a service keeps: its name on disk, its scope, and how a record becomes JSON. */
export interface CollectionDefinition<T> {
  readonly name: string;
  readonly scope: StateScopeKind;
  /** Turns a record into a JSON value; by default the record is one already. */
  readonly encode?: (value: DeepReadonly<T>) => unknown;
  /** Turns it back. */
  readonly decode?: (json: unknown) => T;
  /** Never written to disk: kept in memory in persistent mode too. */
  readonly transient?: true;
  /**
   * Ids of the bodies that a record refers to. Each record counts once for each id; a body goes with the last record
   * that refers to it.
   */
  readonly bodies?: (value: DeepReadonly<T>) => Iterable<string>;
  /**
   * What of a record is the client's own data, which a migration leaves as it is: all of it with its key, or members by
   * their names, at any depth.
   */
  readonly content?: 'all' | readonly string[];
  /**
   * Key or id of the record that one without an ARN belongs to, told by its key: where that is, a migration to sets per
   * region puts it.
   */
  readonly ownerOf?: (key: string) => string;
  /** Carries the record's type; never set. */
  readonly record?: T;
}

/** A definition whose record type is the service's own business. */
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

/** Told of every change of a collection, in order; persistence appends it to the journal. */
export interface ChangeListener {
  /** Whether changes matter to anyone now; without a journal and without bodies they do not, and cost nothing. */
  readonly listening: boolean;
  /** @param previous the record that the value replaces, if any */
  put(key: string, value: unknown, previous: unknown): void;
  delete(key: string, previous: unknown): void;
  /** Told before the records are gone. @param previous every record */
  clear(previous: Iterable<unknown>): void;
}

/** What is computed from the records of a collection and follows their changes. */
interface Follower<T> {
  /** @param previous undefined for a new record @param next undefined for a deleted one */
  replace(previous: DeepReadonly<T> | undefined, next: DeepReadonly<T> | undefined, key: string): void;
  clear(): void;
}

/**
 * Records of one kind in one scope, by key, in order of insertion. What it returns is read-only; a change goes through
 * `put`, `update` or `delete`, which also feed persistence. A record once returned never changes: an update replaces it.
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

  /** Adds or replaces a record. The collection owns the value from now on: the caller must not change it any more. */
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
   * Changes a copy of the record and puts it in the record's place; if `change` throws, nothing changed.
   * @throws Error if there is no such record
   */
  update(key: string, change: (draft: T) => void): DeepReadonly<T> {
    const current = this.records.get(key);
    if (current === undefined) throw new Error(`no record ${key} to update`);
    const draft = copyOf(current) as T;
    change(draft);
    return this.put(key, draft);
  }

  /** @returns whether there was such a record */
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

  /** Tells nobody of changes any more: for a collection whose records live on elsewhere, or nowhere. */
  detach(): void {
    this.listener = undefined;
  }

  /**
   * Counts the records by groups from now on.
   * @param groupOf the group that a record counts in
   * @param weigh how much it counts there; by default each counts once
   */
  tally(groupOf: (value: DeepReadonly<T>) => string, weigh: (value: DeepReadonly<T>) => number = () => 1): Tally {
    return this.follow(new GroupTally(groupOf, weigh));
  }

  /**
   * Finds the records by groups from now on, without looking at all of them.
   * @param groupsOf the groups that a record belongs to
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
   * @param inserted whether it was new when it was written, and so comes after all others
   */
  restore(key: string, value: T, inserted = false): void {
    if (this.followers) this.report(key, value);
    if (inserted) this.records.delete(key);
    this.records.set(key, value);
  }

  /** Undoes a restored record that a later journal entry deletes. */
  forget(key?: string): void {
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

  /** Reports to the followers what is about to replace a record. */
  private report(key: string, next: T | undefined): void {
    const previous = this.get(key);
    for (const follower of this.followers!) follower.replace(previous, next as DeepReadonly<T> | undefined, key);
  }

  private emptyFollowers(): void {
    for (const follower of this.followers ?? []) follower.clear();
  }
}
