import type { Collection } from '../collections/collection.ts';
import { isGone, type Life } from './lifecycle.ts';

/** Deletes the records of a resource that AWS shows for a while after their deletion, when that has passed. */
export class GoneRecords<T> {
  private readonly waiting = new WeakMap<Collection<T>, Set<string>>();

  /** Takes note of a record that has been deleted. */
  add(collection: Collection<T>, key: string): void {
    this.waitingIn(collection).add(key);
  }

  /** Deletes the records of a collection whose time has come. */
  purge(collection: Collection<T>, now: number): void {
    const waiting = this.waitingIn(collection);
    for (const key of waiting) {
      const record = collection.get(key) as { readonly life?: Readonly<Life> } | undefined;
      // Those that were deleted later go later. A record of the same name may have been created since.
      if (record?.life?.goneAt !== undefined && !isGone(record, now)) break;
      waiting.delete(key);
      if (record && isGone(record, now)) collection.delete(key);
    }
  }

  /** The keys that wait; those of a restored collection are found once. */
  private waitingIn(collection: Collection<T>): Set<string> {
    let waiting = this.waiting.get(collection);
    if (!waiting) {
      waiting = new Set();
      for (const [key, record] of collection.entries())
        if ((record as { readonly life?: Readonly<Life> }).life?.goneAt !== undefined) waiting.add(key);
      this.waiting.set(collection, waiting);
    }
    return waiting;
  }
}
