import type { DeepReadonly } from '@emu/core/service';
import sortedBTree from 'sorted-btree';
import type { VersionRecord } from '../records.ts';
import { sortKeyOf } from './key-order.ts';

// The package is CommonJS: what `import` gives is its exports, and the class is their `default`.
const BTree = sortedBTree.default;

/** A version as everybody reads it. */
export type ObjectVersion = DeepReadonly<VersionRecord>;

/** A key with its versions, the newest first. */
export interface ObjectEntry {
  readonly key: string;
  readonly versions: ObjectVersion[];
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The objects of a bucket in the order of their keys' bytes. */
export class ObjectIndex {
  private readonly tree = new BTree<string, ObjectEntry>(undefined, compare);
  private readonly entriesByKey = new Map<string, ObjectEntry>();
  /** Takes the keys whose versions change, where somebody asks for them. */
  changed: Set<string> | undefined;

  /** Keys that have any version. */
  get size(): number {
    return this.entriesByKey.size;
  }

  get(key: string): ObjectEntry | undefined {
    return this.entriesByKey.get(key);
  }

  /** The current version, unless the newest is a delete marker or there is none. */
  current(key: string): ObjectVersion | undefined {
    const newest = this.entriesByKey.get(key)?.versions[0];
    return newest?.deleteMarker ? undefined : newest;
  }

  /** A version by its id, the newest where none is named; also a delete marker. */
  version(key: string, versionId: string | undefined): ObjectVersion | undefined {
    const versions = this.entriesByKey.get(key)?.versions;
    return versionId === undefined ? versions?.[0] : versions?.find((version) => version.versionId === versionId);
  }

  /** Adds a version: the newest unless its sequence says otherwise. */
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

  /** Puts a changed record in the place of the one with its sequence. */
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
   * Entries in order.
   * @param from least sort key, see `sortKeyOf`
   */
  *from(from: string): IterableIterator<ObjectEntry> {
    for (const [, entry] of this.tree.entries(from)) yield entry;
  }
}
