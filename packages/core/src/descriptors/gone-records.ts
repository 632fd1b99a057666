import type { Collection } from '../collections/collection.ts';
import { isGone, type Life } from './lifecycle.ts';

/** Deletes records that AWS shows for a while after their deletion, once that time has passed. */
export class GoneRecords<T> {
  private readonly waiting = new WeakMap<Collection<T>, Set<string>>();

  /** Registers a deleted record. */
  add(collection: Collection<T>, key: string): void {
    this.waitingIn(collection).add(key);
  }

  /** Removes the due records of a collection. */
  purge(collection: Collection<T>, now: number): void {
    const waiting = this.waitingIn(collection);
    for (const key of waiting) {
      const record = collection.get(key) as { readonly life?: Readonly<Life> } | undefined;
      // Records deleted later are due later. A record of the same name may have been created since.
      if (record?.life?.goneAt !== undefined && !isGone(record, now)) break;
      waiting.delete(key);
      if (record && isGone(record, now)) collection.delete(key);
    }
  }

  /** Returns the pending keys; those of a restored collection are collected once. */
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
