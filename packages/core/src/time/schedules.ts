import { Cron } from 'croner';

/** A parsed recurring schedule. */
export type Schedule =
  /** Every `interval` milliseconds from a start. */
  | { readonly kind: 'rate'; readonly interval: number; readonly value: number; readonly unit: RateUnit }
  /** At the minutes that a cron expression names. */
  | { readonly kind: 'cron'; next(after: number): number | undefined };

/** Unit of a rate. */
export type RateUnit = 'minute' | 'hour' | 'day';

/** Latest time that `Date` can represent. */
const MAX_TIME = 8.64e15;
const MINUTE = 60_000;
const UNITS: Record<RateUnit, number> = { minute: MINUTE, hour: 60 * MINUTE, day: 1440 * MINUTE };

const MONTHS = 'JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC';
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** Allowed values of each field of a cron expression, between commas. */
const FIELDS = [
  range('[0-5]?\\d'),
  range('[01]?\\d|2[0-3]'),
  new RegExp(
    `^(?:\\?|L|L-(?:[12]?\\d|30)|LW|(?:0?[1-9]|[12]\\d|3[01])W|${range('0?[1-9]|[12]\\d|3[01]').source.slice(1, -1)})$`,
  ),
  range(`0?[1-9]|1[0-2]|${MONTHS}`),
  new RegExp(
    `^(?:\\?|L|(?:[1-7]|${DAYS.join('|')})(?:L|#[1-5])|${range(`[1-7]|${DAYS.join('|')}`).source.slice(1, -1)})$`,
  ),
  range('19[7-9]\\d|2[01]\\d\\d'),
];

/** Returns the pattern of `*`, a value or a range, with an optional step. */
function range(value: string): RegExp {
  return new RegExp(`^(?:(?:\\*|(?:${value})(?:-(?:${value}))?)(?:/\\d+)?)$`);
}

/**
 * Parses `rate(…)` or `cron(…)`; undefined for any other expression, and for a rate without a date of its first run.
 * @param timezone IANA name of the time zone of cron's fields; UTC by default
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-scheduled-rule-pattern.html
 */
export function parseSchedule(expression: string, timezone = 'UTC'): Schedule | undefined {
  const rate = /^rate\(([1-9]\d*) (minute|hour|day)(s?)\)$/.exec(expression);
  if (rate) {
    const value = Number(rate[1]);
    const unit = rate[2] as RateUnit;
    // The unit is singular for one, else plural.
    if ((value === 1) !== (rate[3] === '')) return undefined;
    const interval = value * UNITS[unit];
    return interval > MAX_TIME ? undefined : { kind: 'rate', interval, value, unit };
  }
  const cron = /^cron\((.+)\)$/.exec(expression);
  return cron ? parseCron(cron[1]!, timezone) : undefined;
}

/** Parses cron's six fields: minutes, hours, days of the month, months, days of the week, years. */
function parseCron(text: string, timezone: string): Schedule | undefined {
  const fields = text.trim().toUpperCase().split(/\s+/);
  if (fields.length !== 6) return undefined;
  if (!fields.every((field, index) => field.split(',').every((part) => FIELDS[index]!.test(part)))) return undefined;
  const [minutes, hours, days, months, weekdays, years] = fields as [string, string, string, string, string, string];
  // One of the two day fields must be a question mark.
  if ((days === '?') === (weekdays === '?')) return undefined;
  const pattern = [
    '0',
    stepped(minutes, '59'),
    stepped(hours, '23'),
    days === '?' ? '*' : stepped(days, '31'),
    stepped(months, '12'),
    weekdays === '?' ? '*' : stepped(weekdays.split(',').map(weekday).join(','), 'SAT'),
    stepped(years, '2199'),
  ].join(' ');
  try {
    const cron = new Cron(pattern, { timezone, paused: true, mode: '7-part' });
    return { kind: 'cron', next: (after) => nextMatch(cron, after) };
  } catch {
    return undefined;
  }
}

/**
 * Skips a local time that daylight saving omits, as AWS does; the library moves it to the next hour.
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
 */
function nextMatch(cron: Cron, after: number): number | undefined {
  if (after > MAX_TIME) return undefined;
  let next = cron.nextRun(new Date(after));
  while (next && !cron.match(next)) next = cron.nextRun(next);
  return next?.getTime();
}

/**
 * Parses `at(yyyy-mm-ddThh:mm:ss)` to epoch milliseconds; undefined for another form or a date that does not exist. A
 * local time that daylight saving omits becomes the hour after.
 * @param timezone IANA name of the time zone; UTC by default
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
 */
export function parseAt(expression: string, timezone = 'UTC'): number | undefined {
  const text = /^at\((\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\)$/.exec(expression)?.[1];
  if (text === undefined) return undefined;
  const utc = new Date(`${text}Z`);
  // The library and `Date` both turn 31 February into a day of March.
  if (Number.isNaN(utc.getTime()) || !utc.toISOString().startsWith(text)) return undefined;
  return new Cron(text, { timezone, paused: true }).nextRun(new Date(0))?.getTime();
}

/** Rewrites steps from a value as the range from it to the last value with a step. */
const stepped = (field: string, last: string): string => field.replace(/(?<=^|,)(\w+)(?=\/)/g, `$1-${last}`);

/** Converts a day of the week to the library's number: AWS's Sunday is 1, the library's 0. */
function weekday(part: string): string {
  if (part === 'L') return 'SAT';
  const [days, step] = part.split('/') as [string, string | undefined];
  const named = days.replace(/^[1-7]|(?<=-)[1-7]/g, (digit) => DAYS[Number(digit) - 1]!);
  return step === undefined ? named : `${named}/${step}`;
}

/**
 * Returns the next time of a schedule after a point in time, in epoch milliseconds; undefined if there is no next time.
 * @param start time from which a rate counts
 */
export function nextRun(schedule: Schedule, after: number, start: number): number | undefined {
  if (schedule.kind === 'cron') return schedule.next(after);
  const periods = Math.floor((after - start) / schedule.interval) + 1;
  return start + Math.max(1, periods) * schedule.interval;
}
