import { sortKeyOf } from '../listing/key-order.ts';
import type { ObjectIndex } from '../listing/object-index.ts';

/** Keys that are read from the index at a time while it may change. */
const BATCH = 256;

/**
 * When each key of a bucket is due by its lifecycle rules, so that an evaluation looks at what is due and at what has
 * changed since the one before, and not at every object. It is kept in memory and made anew with the rules.
 */
export class DueKeys {
  private readonly times = new Map<string, number>();
  /** Keys by when they are due; the times are few, since S3 counts in days. */
  private readonly byTime = new Map<number, Set<string>>();
  private changed: Set<string> | undefined;

  /** @param rules the configuration that the times follow from */
  constructor(
    readonly rules: object,
    private readonly objects: ObjectIndex,
  ) {}

  /** The keys to look at: at first all, then those that have changed and those that are due. @param now epoch milliseconds */
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

  /** Notes when a key is due. @param time epoch milliseconds, or infinity where it never is */
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

  /** Every key in order; what comes behind the place it has reached is among those that have changed. */
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
