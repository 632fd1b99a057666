import { Cron } from 'croner';

/** When something recurs. */
export type Schedule =
  /** Every `interval` milliseconds from a start. */
  | { readonly kind: 'rate'; readonly interval: number; readonly value: number; readonly unit: RateUnit }
  /** At the minutes that a cron expression names. */
  | { readonly kind: 'cron'; next(after: number): number | undefined };

/** Unit of a rate. */
export type RateUnit = 'minute' | 'hour' | 'day';

const MINUTE = 60_000;
const UNITS: Record<RateUnit, number> = { minute: MINUTE, hour: 60 * MINUTE, day: 1440 * MINUTE };

const MONTHS = 'JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC';
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** What each field of a cron expression may hold, apart from commas between such values. */
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

/** `*`, a value, a range, and steps of them. */
function range(value: string): RegExp {
  return new RegExp(`^(?:(?:\\*|(?:${value})(?:-(?:${value}))?)(?:/\\d+)?)$`);
}

/**
 * A schedule of `rate(…)` or `cron(…)`; undefined where the expression is neither.
 * @param timezone name of the IANA database that cron's fields are told in; UTC by default
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-scheduled-rule-pattern.html
 */
export function parseSchedule(expression: string, timezone = 'UTC'): Schedule | undefined {
  const rate = /^rate\(([1-9]\d*) (minute|hour|day)(s?)\)$/.exec(expression);
  if (rate) {
    const value = Number(rate[1]);
    const unit = rate[2] as RateUnit;
    // One is singular, all others are plural.
    if ((value === 1) !== (rate[3] === '')) return undefined;
    return { kind: 'rate', interval: value * UNITS[unit], value, unit };
  }
  const cron = /^cron\((.+)\)$/.exec(expression);
  return cron ? parseCron(cron[1]!, timezone) : undefined;
}

/** Cron's six fields: minutes, hours, days of the month, months, days of the week, years. */
function parseCron(text: string, timezone: string): Schedule | undefined {
  const fields = text.trim().toUpperCase().split(/\s+/);
  if (fields.length !== 6) return undefined;
  if (!fields.every((field, index) => field.split(',').every((part) => FIELDS[index]!.test(part)))) return undefined;
  const [minutes, hours, days, months, weekdays, years] = fields as [string, string, string, string, string, string];
  // One of the two kinds of days has to be left open, by a question mark.
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
 * A time that daylight saving leaves out is skipped, as AWS does; the library moves it to the hour after.
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
 */
function nextMatch(cron: Cron, after: number): number | undefined {
  let next = cron.nextRun(new Date(after));
  while (next && !cron.match(next)) next = cron.nextRun(next);
  return next?.getTime();
}

/**
 * The moment that `at(yyyy-mm-ddThh:mm:ss)` names, in epoch milliseconds; undefined where the expression is not of this
 * form or names no day of the calendar. A time that daylight saving leaves out is taken for the hour after.
 * @param timezone name of the IANA database that the time is told in; UTC by default
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
 */
export function parseAt(expression: string, timezone = 'UTC'): number | undefined {
  const text = /^at\((\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\)$/.exec(expression)?.[1];
  if (text === undefined) return undefined;
  const utc = new Date(`${text}Z`);
  // The library and `Date` both take the 31st of February for a day of March.
  if (Number.isNaN(utc.getTime()) || !utc.toISOString().startsWith(text)) return undefined;
  return new Cron(text, { timezone, paused: true }).nextRun(new Date(0))?.getTime();
}

/** Steps from a value, as the range from it to the last value that they mean. */
const stepped = (field: string, last: string): string => field.replace(/(?<=^|,)(\w+)(?=\/)/g, `$1-${last}`);

/** A day of the week as the library counts: AWS's week begins with 1 for Sunday, its with 0. */
function weekday(part: string): string {
  if (part === 'L') return 'SAT';
  const [days, step] = part.split('/') as [string, string | undefined];
  const named = days.replace(/^[1-7]|(?<=-)[1-7]/g, (digit) => DAYS[Number(digit) - 1]!);
  return step === undefined ? named : `${named}/${step}`;
}

/**
 * When a schedule is due next after a point in time, in epoch milliseconds; undefined where it never is again.
 * @param start from when on a rate counts
 */
export function nextRun(schedule: Schedule, after: number, start: number): number | undefined {
  if (schedule.kind === 'cron') return schedule.next(after);
  const periods = Math.floor((after - start) / schedule.interval) + 1;
  return start + Math.max(1, periods) * schedule.interval;
}
