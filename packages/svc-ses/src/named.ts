import type { Collection, DeepReadonly } from '@emu/core/service';

/** Records of a kind by name, listed in order of name. */
export class Named<T> {
  /** Number of changes, for caches derived from the records. */
  version = 0;

  constructor(private readonly records: Collection<T>) {}

  get size(): number {
    return this.records.size;
  }

  has(name: string): boolean {
    return this.records.has(name);
  }

  /** Returns all names in order. */
  keys(): string[] {
    return [...this.records.keys()].sort();
  }

  get(name: string): DeepReadonly<T> | undefined {
    return this.records.get(name);
  }

  /** Adds or replaces a record. */
  put(name: string, record: T): DeepReadonly<T> {
    this.version++;
    return this.records.put(name, record);
  }

  /**
   * Changes a record.
   * @throws Error if it does not exist
   */
  update(name: string, change: (draft: T) => void): DeepReadonly<T> {
    this.version++;
    return this.records.update(name, change);
  }

  /**
   * Deletes a record.
   * @returns whether it existed
   */
  delete(name: string): boolean {
    this.version++;
    return this.records.delete(name);
  }

  /** Returns all records, ordered by name. */
  list(): DeepReadonly<T>[] {
    return [...this.records.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, record]) => record);
  }
}
