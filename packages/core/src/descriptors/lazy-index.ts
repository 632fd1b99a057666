import type { Collection } from '../collections/collection.ts';
import { OwnedCollection } from '../collections/owned-collection.ts';
import type { DeepReadonly } from '../collections/readonly.ts';
import type { RecordIndex } from '../collections/record-index.ts';
import type { RecordSource } from './types.ts';

/** Returns the collection of a source. */
export const collectionOf = <T>(source: RecordSource<T>): Collection<T> =>
  source instanceof OwnedCollection ? source.records : source;

/** Returns the key of a record in its collection. @param owner empty for records without an owner */
export const keyIn = <T>(source: RecordSource<T>, owner: string, id: string): string =>
  source instanceof OwnedCollection ? source.keyOf(owner, id) : id;

/** Returns the key of the owner of a record; empty for records without an owner. */
export const ownerIn = <T>(source: RecordSource<T>, key: string): string =>
  source instanceof OwnedCollection ? source.ownerOf(key) : '';

/** An index of each state's collection of a resource, created at the first use. */
export class LazyIndex<T> {
  private readonly indexes = new WeakMap<Collection<T>, RecordIndex<T>>();

  /** @param groupsOf groups of a record */
  constructor(private readonly groupsOf: (record: DeepReadonly<T>, owner: string) => string | readonly string[]) {}

  /** Returns the records of a group by key. */
  of(source: RecordSource<T>, group: string): ReadonlyMap<string, DeepReadonly<T>> {
    const collection = collectionOf(source);
    let index = this.indexes.get(collection);
    if (!index) {
      index = collection.index((record, key) => this.groupsOf(record, ownerIn(source, key)));
      this.indexes.set(collection, index);
    }
    return index.of(group);
  }
}
