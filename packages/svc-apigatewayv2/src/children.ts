import type { Collection, DeepReadonly } from '@emu/core';

/** Records that belong to others, as routes belong to APIs: kept by the key of the owner and their own, found by either. */
export class Children<T> {
  private readonly byOwner = new Map<string, Map<string, DeepReadonly<T>>>();

  constructor(private readonly records: Collection<T>) {
    for (const [key, record] of records.entries()) {
      const end = key.lastIndexOf('/');
      this.index(key.slice(0, end), key.slice(end + 1), record);
    }
  }

  /** How many there are of all owners. */
  get size(): number {
    return this.records.size;
  }

  get(owner: string, id: string): DeepReadonly<T> | undefined {
    return this.byOwner.get(owner)?.get(id);
  }

  /** The records of an owner, in the order in which they were made. */
  list(owner: string): DeepReadonly<T>[] {
    return [...(this.byOwner.get(owner)?.values() ?? [])];
  }

  /** How many records an owner has. */
  count(owner: string): number {
    return this.byOwner.get(owner)?.size ?? 0;
  }

  /** Adds a record or puts it in the place of what it was. */
  put(owner: string, id: string, record: T): DeepReadonly<T> {
    const kept = this.records.put(`${owner}/${id}`, record);
    this.index(owner, id, kept);
    return kept;
  }

  /** Changes a record that is there. */
  update(owner: string, id: string, change: (draft: T) => void): DeepReadonly<T> {
    const kept = this.records.update(`${owner}/${id}`, change);
    this.index(owner, id, kept);
    return kept;
  }

  delete(owner: string, id: string): void {
    this.records.delete(`${owner}/${id}`);
    const siblings = this.byOwner.get(owner);
    siblings?.delete(id);
    if (siblings?.size === 0) this.byOwner.delete(owner);
  }

  /** Deletes every record of an owner. */
  clear(owner: string): void {
    for (const id of this.byOwner.get(owner)?.keys() ?? []) this.records.delete(`${owner}/${id}`);
    this.byOwner.delete(owner);
  }

  private index(owner: string, id: string, record: DeepReadonly<T>): void {
    let siblings = this.byOwner.get(owner);
    if (!siblings) {
      siblings = new Map();
      this.byOwner.set(owner, siblings);
    }
    siblings.set(id, record);
  }
}
