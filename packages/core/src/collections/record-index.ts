import type { DeepReadonly } from './readonly.ts';

/** Index of the records of a collection by group, updated with each change. */
export interface RecordIndex<T> {
  /** Returns the records of a group by their keys, in the order in which they joined it. */
  of(group: string): ReadonlyMap<string, DeepReadonly<T>>;
}

/** Returns the groups of a record; undefined for none. */
export type GroupsOf<T> = (value: DeepReadonly<T>, key: string) => string | readonly string[] | undefined;

/** The index of a collection that reports its changes. */
export class GroupIndex<T> implements RecordIndex<T> {
  private readonly groups = new Map<string, Map<string, DeepReadonly<T>>>();

  /** @param groupsOf groups of a record */
  constructor(private readonly groupsOf: GroupsOf<T>) {}

  of(group: string): ReadonlyMap<string, DeepReadonly<T>> {
    return this.groups.get(group) ?? new Map();
  }

  replace(previous: DeepReadonly<T> | undefined, next: DeepReadonly<T> | undefined, key: string): void {
    const joined = this.namesOf(next, key);
    for (const group of this.namesOf(previous, key)) if (!joined.includes(group)) this.leave(group, key);
    for (const group of joined) this.join(group, key, next!);
  }

  clear(): void {
    this.groups.clear();
  }

  private namesOf(value: DeepReadonly<T> | undefined, key: string): readonly string[] {
    const groups = value === undefined ? undefined : this.groupsOf(value, key);
    if (groups === undefined) return [];
    return typeof groups === 'string' ? [groups] : groups;
  }

  private join(group: string, key: string, value: DeepReadonly<T>): void {
    const members = this.groups.get(group);
    if (members) members.set(key, value);
    else this.groups.set(group, new Map([[key, value]]));
  }

  private leave(group: string, key: string): void {
    const members = this.groups.get(group);
    members?.delete(key);
    if (members?.size === 0) this.groups.delete(group);
  }
}
