import { sortKeyOf } from '../listing/key-order.ts';
import type { ObjectIndex } from '../listing/object-index.ts';

/** Number of keys read at a time from the index, which may change in between. */
const BATCH = 256;

/**
 * Due times of a bucket's keys under its lifecycle rules and archive tiers, so that an evaluation only visits due and changed keys. Kept
 * in memory and recomputed with the rules.
 */
export class DueKeys {
  private readonly times = new Map<string, number>();
  /** Keys by due time; there are few distinct times, because S3 counts in days. */
  private readonly byTime = new Map<number, Set<string>>();
  private changed: Set<string> | undefined;

  /** @param configurations of the due times */
  constructor(
    private readonly configurations: readonly (object | undefined)[],
    private readonly objects: ObjectIndex,
  ) {}

  /** Whether the due times are those of the configurations. */
  follows(configurations: readonly (object | undefined)[]): boolean {
    return this.configurations.every((own, index) => own === configurations[index]);
  }

  /**
   * Yields the keys to visit: initially all, then changed and due ones.
   * @param now epoch milliseconds
   */
  *take(now: number): IterableIterator<string> {
    const changed = this.changed;
    this.changed = new Set();
    this.objects.changed = this.changed;
    if (changed) yield* changed;
    else yield* this.all();
    for (const [time, keys] of this.byTime) {
      if (time > now) continue;
      this.byTime.delete(time);
      for (const key of keys) {
        this.times.delete(key);
        yield key;
      }
    }
  }

  /**
   * Stores when a key is due.
   * @param time epoch milliseconds, or infinity for never
   */
  set(key: string, time: number): void {
    const before = this.times.get(key);
    if (before === time) return;
    if (before !== undefined) this.byTime.get(before)?.delete(key);
    if (time === Number.POSITIVE_INFINITY) {
      this.times.delete(key);
      return;
    }
    this.times.set(key, time);
    const keys = this.byTime.get(time);
    if (keys) keys.add(key);
    else this.byTime.set(time, new Set([key]));
  }

  /** Yields all keys in order; keys changed behind the current position are reported as changed. */
  private *all(): IterableIterator<string> {
    let from: string | undefined = '';
    while (from !== undefined) {
      const batch: string[] = [];
      for (const { key } of this.objects.from(from)) if (batch.push(key) === BATCH) break;
      yield* batch;
      const last = batch.at(-1);
      from = last === undefined ? undefined : `${sortKeyOf(last)}\0`;
    }
  }
}
