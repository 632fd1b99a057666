import { createHash } from 'node:crypto';
import { nextRun, parseAt, parseSchedule, type Schedule as Recurrence } from '@emu/core/schedules';
import type { Schedule } from '../registry.ts';

const MINUTE = 60_000;

/** Times of a schedule. */
type Timing = { readonly kind: 'at'; readonly time: number } | Recurrence;

/** A run of a schedule, in epoch milliseconds. */
export interface Run {
  /** Time by the schedule expression. */
  scheduledAt: number;
  /** Time of the call, within the flexible window. */
  dueAt: number;
}

/** Whether a name is a time zone of the IANA database. */
export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * Parses an expression `at(…)`, `rate(…)` or `cron(…)`. @returns undefined for an invalid expression
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
 */
export function parseTiming(expression: string, timezone: string): Timing | undefined {
  const time = parseAt(expression, timezone);
  if (time !== undefined) return { kind: 'at', time };
  // Unlike EventBridge rules, schedules accept singular and plural units with any value.
  const rate = /^rate\(([1-9]\d*) (minute|hour|day)s?\)$/.exec(expression);
  if (rate) return parseSchedule(`rate(${rate[1]} ${rate[2]}${rate[1] === '1' ? '' : 's'})`);
  return parseSchedule(expression, timezone);
}

/**
 * Returns the delay of a run within its flexible window in milliseconds. It is always the same for one schedule and
 * time.
 */
function delayOf({ group, name, window }: Schedule, scheduledAt: number): number {
  if (window.mode === 'OFF' || window.minutes === undefined) return 0;
  const digest = createHash('sha256').update(`${group}/${name} ${scheduledAt}`).digest();
  return Math.floor((digest.readUInt32BE(0) / 2 ** 32) * window.minutes * MINUTE);
}

/** Returns the first time of a timing at or after a moment. */
function firstFrom(timing: Timing, from: number, schedule: Schedule): number | undefined {
  if (timing.kind === 'at') return timing.time >= from ? timing.time : undefined;
  const { startDate, modifiedAt } = schedule;
  if (timing.kind === 'cron') return nextRun(timing, Math.max(from, startDate ?? from) - 1, from);
  // A rate also runs at its start.
  const start = startDate ?? modifiedAt;
  return from <= start ? start : nextRun(timing, from - 1, start);
}

/**
 * Returns the first run of a schedule at or after a moment.
 * @param from epoch milliseconds
 * @returns undefined without such a run, or for a disabled schedule
 */
export function runFrom(schedule: Schedule, from: number): Run | undefined {
  const timing = schedule.state === 'DISABLED' ? undefined : parseTiming(schedule.expression, schedule.timezone);
  if (!timing) return undefined;
  const since = schedule.ranFor === undefined ? schedule.modifiedAt : schedule.ranFor + 1;
  const scheduledAt = firstFrom(timing, Math.max(from, since), schedule);
  if (scheduledAt === undefined) return undefined;
  // Start and end dates apply to recurring schedules only.
  if (timing.kind !== 'at' && schedule.endDate !== undefined && scheduledAt > schedule.endDate) return undefined;
  return { scheduledAt, dueAt: scheduledAt + delayOf(schedule, scheduledAt) };
}

/**
 * Returns the next run of a schedule after a start of the emulator. Missed runs of recurring schedules are skipped. A
 * one-time schedule runs late unless its event has expired.
 * @param maximumAge seconds
 */
export function runAfterDowntime(schedule: Schedule, now: number, maximumAge: number): Run | undefined {
  const once = parseAt(schedule.expression, schedule.timezone) !== undefined;
  return runFrom(schedule, once ? now - maximumAge * 1000 : now);
}
