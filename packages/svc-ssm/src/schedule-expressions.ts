import { nextRun, parseAt, parseSchedule, type Schedule } from '@emu/core/schedules';

/** Schedule of something in Systems Manager: once, or repeated. */
export type Timing = { readonly kind: 'at'; readonly time: number } | Schedule;

const DAY = 86_400_000;

/** Whether a name is in the IANA time zone database. */
export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * Parses `at(…)`, `rate(…)` or `cron(…)`; returns undefined for other text. Cron may start with a seconds field, which
 * must be 0.
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/reference-cron-and-rate-expressions.html
 */
export function parseTiming(expression: string, timezone = 'UTC'): Timing | undefined {
  const time = parseAt(expression, timezone);
  if (time !== undefined) return { kind: 'at', time };
  const rate = /^rate\(\s*([1-9]\d*) (minute|hour|day)s?\s*\)$/.exec(expression);
  if (rate) return parseSchedule(`rate(${rate[1]} ${rate[2]}${rate[1] === '1' ? '' : 's'})`);
  return parseSchedule(expression.replace(/^cron\(0 ((?:\S+ ){5}\S+)\)$/, 'cron($1)'), timezone);
}

/** Bounds of a schedule in epoch milliseconds. */
export interface Bounds {
  /** Start of a rate. */
  readonly since: number;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  /** Days between the time of a cron expression and the run. */
  readonly offset?: number | undefined;
}

/** Returns the first time of a schedule after a given time; undefined if there is none. */
export function nextTime(timing: Timing, after: number, { since, start, end, offset = 0 }: Bounds): number | undefined {
  const time = unbounded(timing, Math.max(after, start === undefined ? after : start - 1), start ?? since, offset);
  return time === undefined || (end !== undefined && time >= end) ? undefined : time;
}

function unbounded(timing: Timing, after: number, since: number, offset: number): number | undefined {
  if (timing.kind === 'at') return timing.time > after ? timing.time : undefined;
  if (timing.kind === 'rate') return after < since ? since : nextRun(timing, after, since);
  const shift = offset * DAY;
  const next = nextRun(timing, after - shift, since);
  return next === undefined ? undefined : next + shift;
}
