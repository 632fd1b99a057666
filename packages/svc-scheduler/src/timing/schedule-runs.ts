import { type Clock, type Collection, DueTimers, type Worker } from '@emu/core/service';
import { maximumAgeOf } from '../delivery/retries.ts';
import type { ScheduleRecord } from '../records.ts';
import type { Schedule } from '../registry.ts';
import { type Run, runAfterDowntime, runFrom } from './timing.ts';

/** Runs schedules at their times. */
export class ScheduleRuns implements Worker {
  private readonly timers: DueTimers;
  private readonly next = new Map<string, Run>();

  /** @param fire calls the target of a schedule for one of its times */
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

  /** Waits for the next run of a created or updated schedule. @param key of the schedule */
  set(key: string, schedule: Schedule): void {
    // Computed from the time of the change itself, because a rate runs immediately.
    this.wait(key, runFrom(schedule, schedule.modifiedAt));
  }

  cancel(key: string): void {
    this.next.delete(key);
    this.timers.cancel(key);
  }

  /**
   * Returns the time of the next call of a schedule's target in epoch milliseconds; undefined without a further run.
   */
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
    // After a suspension of the machine, missed runs are skipped, except runs delayed by a flexible window.
    this.wait(key, following && following.dueAt < now ? runFrom(schedule, now) : following);
    await this.fire(schedule, scheduledAt);
  }
}
