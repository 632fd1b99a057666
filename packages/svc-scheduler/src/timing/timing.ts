import { createHash } from 'node:crypto';
import { nextRun, parseAt, parseSchedule, type Schedule as Recurrence } from '@emu/core/schedules';
import type { Schedule } from '../registry.ts';

const MINUTE = 60_000;

/** When a schedule runs. */
type Timing = { readonly kind: 'at'; readonly time: number } | Recurrence;

/** A run of a schedule, in epoch milliseconds. */
export interface Run {
  /** What the expression says. */
  scheduledAt: number;
  /** When the target is called: within the flexible window. */
  dueAt: number;
}

/** Whether a name is one of the IANA database's. */
export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * What an expression of `at(…)`, `rate(…)` or `cron(…)` says; undefined where it is none.
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
 */
export function parseTiming(expression: string, timezone: string): Timing | undefined {
  const time = parseAt(expression, timezone);
  if (time !== undefined) return { kind: 'at', time };
  // Unlike EventBridge's rules, schedules take either form of a unit with any value.
  const rate = /^rate\(([1-9]\d*) (minute|hour|day)s?\)$/.exec(expression);
  if (rate) return parseSchedule(`rate(${rate[1]} ${rate[2]}${rate[1] === '1' ? '' : 's'})`);
  return parseSchedule(expression, timezone);
}

/** Milliseconds that a run waits within its flexible window: always the same for a schedule and a time. */
function delayOf({ group, name, window }: Schedule, scheduledAt: number): number {
  if (window.mode === 'OFF' || window.minutes === undefined) return 0;
  const digest = createHash('sha256').update(`${group}/${name} ${scheduledAt}`).digest();
  return Math.floor((digest.readUInt32BE(0) / 2 ** 32) * window.minutes * MINUTE);
}

/** The first time of a timing from a moment on, that moment included. */
function firstFrom(timing: Timing, from: number, schedule: Schedule): number | undefined {
  if (timing.kind === 'at') return timing.time >= from ? timing.time : undefined;
  const { startDate, modifiedAt } = schedule;
  if (timing.kind === 'cron') return nextRun(timing, Math.max(from, startDate ?? from) - 1, from);
  // A rate runs at its start, too.
  const start = startDate ?? modifiedAt;
  return from <= start ? start : nextRun(timing, from - 1, start);
}

/**
 * The first run of a schedule that is scheduled at a moment or after it.
 * @param from epoch milliseconds
 * @returns undefined where there is none, or the schedule is disabled
 */
export function runFrom(schedule: Schedule, from: number): Run | undefined {
  const timing = schedule.state === 'DISABLED' ? undefined : parseTiming(schedule.expression, schedule.timezone);
  if (!timing) return undefined;
  const since = schedule.ranFor === undefined ? schedule.modifiedAt : schedule.ranFor + 1;
  const scheduledAt = firstFrom(timing, Math.max(from, since), schedule);
  if (scheduledAt === undefined) return undefined;
  // The dates bound what recurs only.
  if (timing.kind !== 'at' && schedule.endDate !== undefined && scheduledAt > schedule.endDate) return undefined;
  return { scheduledAt, dueAt: scheduledAt + delayOf(schedule, scheduledAt) };
}

/**
 * The run that a schedule waits for when an emulator starts: what recurs does not catch up, and a one-time schedule runs
 * late where its event is not too old yet.
 * @param maximumAge seconds
 */
export function runAfterDowntime(schedule: Schedule, now: number, maximumAge: number): Run | undefined {
  const once = parseAt(schedule.expression, schedule.timezone) !== undefined;
  return runFrom(schedule, once ? now - maximumAge * 1000 : now);
}
