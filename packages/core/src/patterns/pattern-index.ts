import type { PatternEvent } from './event.ts';
import { eachLeaf, matchesBranch } from './match.ts';
import type { Leaf, MatcherKey } from './matchers.ts';
import type { FieldCondition, Pattern } from './pattern.ts';

interface Entry<Key> {
  readonly key: Key;
  readonly conditions: readonly FieldCondition[];
  /** The indexed condition; undefined if no condition has a key. */
  readonly filed: FieldCondition | undefined;
}

/** Alternatives by the required value of one field, or the beginning of it. */
class Field<Key> {
  private readonly byValue = new Map<Leaf, Set<Entry<Key>>>();
  private readonly byStart = new Map<string, Set<Entry<Key>>>();
  /** Number of beginnings by length. */
  private readonly lengths = new Map<number, number>();

  constructor(readonly segments: readonly string[]) {}

  get empty(): boolean {
    return !this.byValue.size && !this.byStart.size;
  }

  /** Returns the number of alternatives with a key. */
  crowd(key: MatcherKey): number {
    return this.setOf(key)?.size ?? 0;
  }

  add(key: MatcherKey, entry: Entry<Key>): void {
    const there = this.setOf(key);
    if (there) there.add(entry);
    else if ('value' in key) this.byValue.set(key.value, new Set([entry]));
    else {
      this.byStart.set(key.start, new Set([entry]));
      this.lengths.set(key.start.length, (this.lengths.get(key.start.length) ?? 0) + 1);
    }
  }

  remove(key: MatcherKey, entry: Entry<Key>): void {
    const there = this.setOf(key);
    if (!there?.delete(entry) || there.size) return;
    if ('value' in key) {
      this.byValue.delete(key.value);
      return;
    }
    this.byStart.delete(key.start);
    const left = this.lengths.get(key.start.length)! - 1;
    if (left) this.lengths.set(key.start.length, left);
    else this.lengths.delete(key.start.length);
  }

  /** Visits the alternatives that a value of the field can match. */
  visit(leaf: Leaf, consider: (entries: Iterable<Entry<Key>>) => void): void {
    const same = this.byValue.get(leaf);
    if (same) consider(same);
    if (typeof leaf !== 'string' || !this.lengths.size) return;
    for (const length of this.lengths.keys()) {
      const entries = length <= leaf.length ? this.byStart.get(leaf.slice(0, length)) : undefined;
      if (entries) consider(entries);
    }
  }

  private setOf(key: MatcherKey): Set<Entry<Key>> | undefined {
    return 'value' in key ? this.byValue.get(key.value) : this.byStart.get(key.start);
  }
}

/**
 * Finds the patterns that match an event among many. Each alternative of a pattern is indexed by the required values of
 * one of its fields, or their beginnings, so that an event is compared only with patterns that can match it.
 */
export class PatternIndex<Key> {
  private readonly entries = new Map<Key, readonly Entry<Key>[]>();
  private readonly fields = new Map<string, Field<Key>>();
  private readonly unfiled = new Set<Entry<Key>>();

  get size(): number {
    return this.entries.size;
  }

  /** Adds a pattern, which replaces the one with the same key. */
  put(key: Key, pattern: Pattern): void {
    this.delete(key);
    const entries = pattern.branches.map((conditions) => ({ key, conditions, filed: this.mostSelective(conditions) }));
    this.entries.set(key, entries);
    for (const entry of entries) this.file(entry);
  }

  /** @returns whether the pattern existed */
  delete(key: Key): boolean {
    const entries = this.entries.get(key);
    for (const entry of entries ?? []) this.unfile(entry);
    return this.entries.delete(key);
  }

  /** Returns the keys of the matching patterns, without duplicates. */
  match(event: PatternEvent): Set<Key> {
    const found = new Set<Key>();
    const consider = (entries: Iterable<Entry<Key>>) => {
      for (const { key, conditions } of entries)
        if (!found.has(key) && matchesBranch(conditions, event)) found.add(key);
    };
    consider(this.unfiled);
    for (const field of this.fields.values())
      eachLeaf(event.root, field.segments, (leaf) => field.visit(leaf, consider));
    return found;
  }

  /** Returns the condition whose keys have the fewest alternatives so far. */
  private mostSelective(conditions: readonly FieldCondition[]): FieldCondition | undefined {
    let best: FieldCondition | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const condition of conditions) {
      if (!condition.keys) continue;
      const field = this.fields.get(condition.path);
      // A new field costs a look-up for every event, so an equally good indexed one is preferred.
      let crowd = field ? 0 : 0.5;
      for (const key of condition.keys) crowd += field?.crowd(key) ?? 0;
      if (crowd < least) {
        least = crowd;
        best = condition;
      }
    }
    return best;
  }

  private file(entry: Entry<Key>): void {
    const { filed } = entry;
    if (!filed?.keys) {
      this.unfiled.add(entry);
      return;
    }
    let field = this.fields.get(filed.path);
    if (!field) {
      field = new Field(filed.segments);
      this.fields.set(filed.path, field);
    }
    for (const key of filed.keys) field.add(key, entry);
  }

  private unfile(entry: Entry<Key>): void {
    const { filed } = entry;
    this.unfiled.delete(entry);
    const field = filed && this.fields.get(filed.path);
    if (!field) return;
    for (const key of filed.keys ?? []) field.remove(key, entry);
    if (field.empty) this.fields.delete(filed.path);
  }
}
