import type { Collection, DeepReadonly } from '@emu/core';

/** Separates an owner from the name of what it owns; neither has one. */
const SEPARATOR = '\n';

/** Records that belong to others, such as the resources of an API: found by their owner without looking at all. */
export class Children<T> {
  private readonly names = new Map<string, Set<string>>();

  constructor(private readonly collection: Collection<T>) {
    for (const key of collection.keys()) this.index(key);
  }

  get size(): number {
    return this.collection.size;
  }

  get(owner: string, name: string): DeepReadonly<T> | undefined {
    return this.collection.get(owner + SEPARATOR + name);
  }

  /** What an owner has, in the order in which it was made. */
  list(owner: string): DeepReadonly<T>[] {
    return [...(this.names.get(owner) ?? [])].map((name) => this.get(owner, name)!);
  }

  /** How many an owner has. */
  count(owner: string): number {
    return this.names.get(owner)?.size ?? 0;
  }

  put(owner: string, name: string, record: T): DeepReadonly<T> {
    const key = owner + SEPARATOR + name;
    this.index(key);
    return this.collection.put(key, record);
  }

  update(owner: string, name: string, change: (draft: T) => void): DeepReadonly<T> {
    return this.collection.update(owner + SEPARATOR + name, change);
  }

  delete(owner: string, name: string): boolean {
    const names = this.names.get(owner);
    names?.delete(name);
    if (names?.size === 0) this.names.delete(owner);
    return this.collection.delete(owner + SEPARATOR + name);
  }

  /** Deletes everything that an owner has. */
  deleteAll(owner: string): void {
    for (const name of [...(this.names.get(owner) ?? [])]) this.delete(owner, name);
  }

  private index(key: string): void {
    const [owner = '', name = ''] = key.split(SEPARATOR);
    const names = this.names.get(owner);
    if (names) names.add(name);
    else this.names.set(owner, new Set([name]));
  }
}
