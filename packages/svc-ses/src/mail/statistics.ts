import type { Clock, Collection, DeepReadonly } from '@emu/core/service';
import type { StatisticsRecord } from '../records.ts';

const QUARTER = 15 * 60_000;
const DAY = 24 * 60 * 60_000;
/** Retention of statistics in milliseconds: two weeks, as in GetSendStatistics. */
const RETENTION = 14 * DAY;

/** Counts by quarter of an hour. */
export class Statistics {
  constructor(
    private readonly records: Collection<StatisticsRecord>,
    private readonly clock: Clock,
  ) {}

  /** Adds to a current count. */
  add(what: 'attempts' | 'bounces' | 'complaints' | 'rejects', count = 1): void {
    if (!count) return;
    const now = this.clock.now();
    const at = now - (now % QUARTER);
    const key = String(at);
    if (!this.records.has(key)) {
      for (const [old, record] of this.records.entries()) if (record.at < now - RETENTION) this.records.delete(old);
      this.records.put(key, { at, attempts: 0, bounces: 0, complaints: 0, rejects: 0 });
    }
    this.records.update(key, (draft) => {
      draft[what] += count;
    });
  }

  /** Returns the number of recipients in the last 24 hours, by quarters of an hour. */
  lastDay(): number {
    const from = this.clock.now() - DAY;
    let sum = 0;
    for (const { at, attempts } of this.records.values()) if (at > from) sum += attempts;
    return sum;
  }

  /** Returns the counts of two weeks, oldest first. */
  list(): DeepReadonly<StatisticsRecord>[] {
    const from = this.clock.now() - RETENTION;
    return [...this.records.values()].filter(({ at }) => at >= from).sort((a, b) => a.at - b.at);
  }
}
