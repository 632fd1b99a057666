import type { Collection, DeepReadonly } from '@emu/core/service';

/** Records of a kind by their names, listed in order of these. */
export class Named<T> {
  /** Grows with each change, for what is made from the records. */
  version = 0;

  constructor(private readonly records: Collection<T>) {}

  get size(): number {
    return this.records.size;
  }

  get(name: string): DeepReadonly<T> | undefined {
    return this.records.get(name);
  }

  /** Adds a record, or puts it in the place of the one of its name. */
  put(name: string, record: T): DeepReadonly<T> {
    this.version++;
    return this.records.put(name, record);
  }

  /** Changes a record. @throws Error where there is none */
  update(name: string, change: (draft: T) => void): DeepReadonly<T> {
    this.version++;
    return this.records.update(name, change);
  }

  /** @returns whether there was such a record */
  delete(name: string): boolean {
    this.version++;
    return this.records.delete(name);
  }

  /** Every record, in order of the names. */
  list(): DeepReadonly<T>[] {
    return [...this.records.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, record]) => record);
  }
}
