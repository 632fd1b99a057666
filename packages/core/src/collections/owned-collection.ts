import type { Collection } from './collection.ts';
import type { DeepReadonly } from './readonly.ts';
import type { RecordIndex } from './record-index.ts';

/**
 * Records that belong to an owner, as routes belong to APIs: stored by the key of the owner and their own, found by
 * either. The owner's key includes its own owners, as in `<API>/<route>`.
 */
export class OwnedCollection<T> {
  private readonly byOwner: RecordIndex<T>;

  /** @param separator separates the owner's key from the record's own key, which must not contain it */
  constructor(
    readonly records: Collection<T>,
    private readonly separator = '/',
  ) {
    this.byOwner = records.index((_value, key) => this.ownerOf(key));
  }

  /** The number of records of all owners. */
  get size(): number {
    return this.records.size;
  }

  get(owner: string, id: string): DeepReadonly<T> | undefined {
    return this.records.get(this.keyOf(owner, id));
  }

  /** Returns the records of an owner, in the order in which they were added. */
  list(owner: string): DeepReadonly<T>[] {
    return [...this.byOwner.of(owner).values()];
  }

  /** Returns the number of records of an owner. */
  count(owner: string): number {
    return this.byOwner.of(owner).size;
  }

  /** Adds or replaces a record. */
  put(owner: string, id: string, record: T): DeepReadonly<T> {
    return this.records.put(this.keyOf(owner, id), record);
  }

  /** Changes a copy of an existing record and replaces the record with it. @throws Error for an unknown record */
  update(owner: string, id: string, change: (draft: T) => void): DeepReadonly<T> {
    return this.records.update(this.keyOf(owner, id), change);
  }

  /** @returns whether the record existed */
  delete(owner: string, id: string): boolean {
    return this.records.delete(this.keyOf(owner, id));
  }

  /** Deletes every record of an owner. */
  clear(owner: string): void {
    for (const key of [...this.byOwner.of(owner).keys()]) this.records.delete(key);
  }

  /** Returns the key under which a record is stored. */
  keyOf(owner: string, id: string): string {
    return owner + this.separator + id;
  }

  /** Returns the owner's part of a record's key. */
  ownerOf(key: string): string {
    return key.slice(0, key.lastIndexOf(this.separator));
  }
}
