import type { PatternEvent } from './event.ts';
import { eachLeaf, matchesBranch } from './match.ts';
import type { FieldCondition, Pattern } from './pattern.ts';

interface Entry<Key> {
  readonly key: Key;
  readonly conditions: readonly FieldCondition[];
  /** The condition it is filed under; undefined where no condition asks for exact strings. */
  readonly filed: FieldCondition | undefined;
}

interface Field<Key> {
  readonly segments: readonly string[];
  readonly byValue: Map<string, Set<Entry<Key>>>;
}

/**
 * Many patterns, of which those that match an event are wanted. Each alternative of a pattern is filed under the exact
 * strings of one of its fields, so that an event is held only against patterns that can match it.
 */
export class PatternIndex<Key> {
  private readonly entries = new Map<Key, readonly Entry<Key>[]>();
  private readonly fields = new Map<string, Field<Key>>();
  private readonly unfiled = new Set<Entry<Key>>();

  get size(): number {
    return this.entries.size;
  }

  /** Adds a pattern, in the place of the one that has the key. */
  put(key: Key, pattern: Pattern): void {
    this.delete(key);
    const entries = pattern.branches.map((conditions) => ({ key, conditions, filed: this.mostSelective(conditions) }));
    this.entries.set(key, entries);
    for (const entry of entries) this.file(entry);
  }

  /** @returns whether there was a pattern of that key */
  delete(key: Key): boolean {
    const entries = this.entries.get(key);
    for (const entry of entries ?? []) this.unfile(entry);
    return this.entries.delete(key);
  }

  /** Keys of the patterns that match, each once. */
  match(event: PatternEvent): Set<Key> {
    const found = new Set<Key>();
    const consider = (entries: Iterable<Entry<Key>>) => {
      for (const { key, conditions } of entries)
        if (!found.has(key) && matchesBranch(conditions, event)) found.add(key);
    };
    consider(this.unfiled);
    for (const { segments, byValue } of this.fields.values())
      eachLeaf(event.root, segments, (leaf) => {
        const entries = typeof leaf === 'string' ? byValue.get(leaf) : undefined;
        if (entries) consider(entries);
      });
    return found;
  }

  /** The condition whose values the fewest alternatives are filed under so far. */
  private mostSelective(conditions: readonly FieldCondition[]): FieldCondition | undefined {
    let best: FieldCondition | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const condition of conditions) {
      if (!condition.exact) continue;
      const byValue = this.fields.get(condition.path)?.byValue;
      // A new field costs every event a look, so an equally good one that is there already is preferred.
      let crowd = byValue ? 0 : 0.5;
      for (const value of condition.exact) crowd += byValue?.get(value)?.size ?? 0;
      if (crowd < least) {
        least = crowd;
        best = condition;
      }
    }
    return best;
  }

  private file(entry: Entry<Key>): void {
    const { filed } = entry;
    if (!filed?.exact) {
      this.unfiled.add(entry);
      return;
    }
    let field = this.fields.get(filed.path);
    if (!field) {
      field = { segments: filed.segments, byValue: new Map() };
      this.fields.set(filed.path, field);
    }
    for (const value of filed.exact) {
      const entries = field.byValue.get(value);
      if (entries) entries.add(entry);
      else field.byValue.set(value, new Set([entry]));
    }
  }

  private unfile(entry: Entry<Key>): void {
    const { filed } = entry;
    this.unfiled.delete(entry);
    const field = filed && this.fields.get(filed.path);
    if (!field) return;
    for (const value of filed.exact ?? []) {
      const entries = field.byValue.get(value);
      entries?.delete(entry);
      if (!entries?.size) field.byValue.delete(value);
    }
    if (!field.byValue.size) this.fields.delete(filed.path);
  }
}
