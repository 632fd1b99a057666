import { nextRun, parseSchedule } from '@emu/core/schedules';
import { type Clock, type Collection, type DeepReadonly, DueTimers, type Worker } from '@emu/core/service';
import type { RuleRecord } from '../records.ts';

type Rule = DeepReadonly<RuleRecord>;

/** Runs rules by their schedules. */
export class RuleSchedules implements Worker {
  private readonly timers: DueTimers;

  constructor(
    private readonly clock: Clock,
    private readonly rules: Collection<RuleRecord>,
    private readonly fire: (rule: Rule) => Promise<unknown>,
  ) {
    this.timers = new DueTimers(clock);
  }

  resume(): void {
    for (const [key, rule] of this.rules.entries()) this.set(key, rule);
  }

  /** Waits for a rule's next run and replaces its earlier timer. @param key of the rule */
  set(key: string, rule: Rule): void {
    const { scheduleExpression: expression } = rule;
    const schedule = expression === undefined || rule.state === 'DISABLED' ? undefined : parseSchedule(expression);
    const now = this.clock.now();
    const due = schedule && nextRun(schedule, now, rule.scheduledFrom ?? now);
    if (due === undefined) {
      this.timers.cancel(key);
      return;
    }
    this.timers.set(key, due, async () => {
      const current = this.rules.get(key);
      if (current?.scheduleExpression === undefined || current.state === 'DISABLED') return;
      this.set(key, current);
      await this.fire(current);
    });
  }

  cancel(key: string): void {
    this.timers.cancel(key);
  }
}
