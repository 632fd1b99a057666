import { type Clock, type Collection, DueTimers, type Worker } from '@emu/core';
import { maximumAgeOf } from '../delivery/retries.ts';
import type { ScheduleRecord } from '../records.ts';
import type { Schedule } from '../registry.ts';
import { type Run, runAfterDowntime, runFrom } from './timing.ts';

/** Runs schedules when their time has come. */
export class ScheduleRuns implements Worker {
  private readonly timers: DueTimers;
  private readonly next = new Map<string, Run>();

  /** @param fire calls the target of a schedule, for one of its times */
  constructor(
    private readonly clock: Clock,
    private readonly schedules: Collection<ScheduleRecord>,
    private readonly fire: (schedule: Schedule, scheduledAt: number) => Promise<unknown>,
  ) {
    this.timers = new DueTimers(clock);
  }

  resume(): void {
    for (const [key, schedule] of this.schedules.entries())
      this.wait(key, runAfterDowntime(schedule, this.clock.now(), maximumAgeOf(schedule.target)));
  }

  /** Waits for the next run of a schedule that was made or changed. @param key that it is kept by */
  set(key: string, schedule: Schedule): void {
    // From that moment on, and not from a little later: a rate runs at once.
    this.wait(key, runFrom(schedule, schedule.modifiedAt));
  }

  cancel(key: string): void {
    this.next.delete(key);
    this.timers.cancel(key);
  }

  /** When a schedule calls its target next, in epoch milliseconds; undefined where it does not. */
  nextAt(key: string): number | undefined {
    return this.next.get(key)?.dueAt;
  }

  private wait(key: string, run: Run | undefined): void {
    this.cancel(key);
    if (!run) return;
    this.next.set(key, run);
    this.timers.set(key, run.dueAt, () => this.run(key, run.scheduledAt));
  }

  private async run(key: string, scheduledAt: number): Promise<void> {
    const schedule = this.schedules.update(key, (draft) => {
      draft.ranFor = scheduledAt;
    });
    const now = this.clock.now();
    const following = runFrom(schedule, scheduledAt);
    // After the machine has slept, what was missed is left out; what a flexible window delayed is not.
    this.wait(key, following && following.dueAt < now ? runFrom(schedule, now) : following);
    await this.fire(schedule, scheduledAt);
  }
}
