import type { DeepReadonly } from '@emu/core/service';
import sortedBTree from 'sorted-btree';
import type { VersionRecord } from '../records.ts';
import { sortKeyOf } from './key-order.ts';

// The package is CommonJS: `import` returns its exports, whose `default` is the class.
const BTree = sortedBTree.default;

/** A stored version, read-only. */
export type ObjectVersion = DeepReadonly<VersionRecord>;

/** A key with its versions, newest first. */
export interface ObjectEntry {
  readonly key: string;
  readonly versions: ObjectVersion[];
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Objects of a bucket in byte order of their keys. */
export class ObjectIndex {
  private readonly tree = new BTree<string, ObjectEntry>(undefined, compare);
  private readonly entriesByKey = new Map<string, ObjectEntry>();
  /** Receives keys whose versions change, if set. */
  changed: Set<string> | undefined;

  /** Number of keys with versions. */
  get size(): number {
    return this.entriesByKey.size;
  }

  get(key: string): ObjectEntry | undefined {
    return this.entriesByKey.get(key);
  }

  /** Returns the current version, unless it is a delete marker or missing. */
  current(key: string): ObjectVersion | undefined {
    const newest = this.entriesByKey.get(key)?.versions[0];
    return newest?.deleteMarker ? undefined : newest;
  }

  /** Returns a version by id, by default the newest; includes delete markers. */
  version(key: string, versionId: string | undefined): ObjectVersion | undefined {
    const versions = this.entriesByKey.get(key)?.versions;
    return versionId === undefined ? versions?.[0] : versions?.find((version) => version.versionId === versionId);
  }

  /** Adds a version, as the newest unless its sequence is lower. */
  add(version: ObjectVersion): void {
    this.changed?.add(version.key);
    let entry = this.entriesByKey.get(version.key);
    if (!entry) {
      entry = { key: version.key, versions: [] };
      this.entriesByKey.set(version.key, entry);
      this.tree.set(sortKeyOf(version.key), entry);
    }
    const { versions } = entry;
    let at = 0;
    while (at < versions.length && versions[at]!.sequence > version.sequence) at++;
    versions.splice(at, 0, version);
  }

  /** Replaces the record with the same sequence. */
  replace(version: ObjectVersion): void {
    this.changed?.add(version.key);
    const versions = this.entriesByKey.get(version.key)?.versions;
    const at = versions?.findIndex(({ sequence }) => sequence === version.sequence) ?? -1;
    if (at < 0) throw new Error(`no version ${version.versionId} of ${version.key} to replace`);
    versions![at] = version;
  }

  remove(version: ObjectVersion): void {
    const entry = this.entriesByKey.get(version.key);
    if (!entry) return;
    this.changed?.add(version.key);
    const at = entry.versions.findIndex(({ sequence }) => sequence === version.sequence);
    if (at >= 0) entry.versions.splice(at, 1);
    if (entry.versions.length > 0) return;
    this.entriesByKey.delete(version.key);
    this.tree.delete(sortKeyOf(version.key));
  }

  /**
   * Yields entries in order.
   * @param from smallest sort key, see `sortKeyOf`
   */
  *from(from: string): IterableIterator<ObjectEntry> {
    for (const [, entry] of this.tree.entries(from)) yield entry;
  }
}
