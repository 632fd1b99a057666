import type { Clock, Timer, Worker } from '@emu/core/service';
import type { EventStore } from '../store/event-store.ts';
import type { LogGroups } from './groups.ts';

/** Allowed retentions in days. */
export const RETENTION_DAYS: readonly number[] = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

const DAY = 86_400_000;
/** Milliseconds between two expiry runs. */
const SWEEP = 60_000;

/** Returns the time before which a group's events have expired; undefined without a retention. */
export const cutoffOf = ({ retentionInDays }: { readonly retentionInDays?: number | undefined }, now: number) =>
  retentionInDays === undefined ? undefined : now - retentionInDays * DAY;

/** Expires events: with each change of a state's logs, and every minute while a group has a retention. */
export class Retention implements Worker {
  private timer: Timer | undefined;

  constructor(
    private readonly groups: LogGroups,
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  resume(): void {
    this.enforce();
  }

  close(): void {
    this.timer?.cancel();
  }

  /** Expires all events older than their group's retention. */
  enforce(): void {
    const now = this.clock.now();
    let any = false;
    for (const { record, key } of this.groups.list()) {
      const cutoff = cutoffOf(record, now);
      if (cutoff === undefined) continue;
      any = true;
      this.store.expire(key, cutoff);
    }
    if (any) this.timer ??= this.clock.every(SWEEP, () => this.enforce());
    else {
      this.timer?.cancel();
      this.timer = undefined;
    }
  }
}
