const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** First Monday after the epoch. */
const FIRST_MONDAY = 4 * DAY;

type Unit = 'ms' | 's' | 'm' | 'h' | 'd' | 'w' | 'mo' | 'q' | 'y';

const UNITS: Readonly<Record<string, Unit>> = {
  millisecond: 'ms',
  msec: 'ms',
  ms: 'ms',
  second: 's',
  sec: 's',
  s: 's',
  minute: 'm',
  min: 'm',
  m: 'm',
  hour: 'h',
  hr: 'h',
  h: 'h',
  day: 'd',
  d: 'd',
  week: 'w',
  w: 'w',
  month: 'mo',
  mon: 'mo',
  mo: 'mo',
  quarter: 'q',
  qtr: 'q',
  q: 'q',
  year: 'y',
  yr: 'y',
  y: 'y',
};

/** Maximum count per unit; larger counts are capped. */
const CAPS: Partial<Readonly<Record<Unit, number>>> = { ms: 1000, s: 60, m: 60, h: 24 };
const LENGTHS: Partial<Readonly<Record<Unit, number>>> = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY, w: WEEK };
const MONTHS: Partial<Readonly<Record<Unit, number>>> = { mo: 1, q: 3, y: 12 };

/** Parses a period. */
export interface WrittenPeriod {
  readonly amount: number;
  /** Units in singular and plural. */
  readonly unit: string;
}

const unitOf = (unit: string): Unit => UNITS[unit] ?? UNITS[unit.replace(/s$/, '')] ?? 'm';

/** Returns the length of a period in milliseconds; months are 30 days, quarters 90, years 365. */
export function lengthOf({ amount, unit }: WrittenPeriod): number {
  const known = unitOf(unit);
  const days = { mo: 30, q: 90, y: 365 }[known as 'mo' | 'q' | 'y'];
  return amount * (LENGTHS[known] ?? days * DAY);
}

/**
 * Returns the start of the period around a time, for `bin` and `datefloor`: counted from the epoch, weeks from Monday,
 * months and longer by calendar. Times are epoch milliseconds.
 */
export function floorTo({ amount, unit }: WrittenPeriod): (time: number) => number {
  const known = unitOf(unit);
  const count = Math.max(Math.min(amount, CAPS[known] ?? Number.POSITIVE_INFINITY), 1e-3);
  const months = MONTHS[known];
  if (months !== undefined) {
    const step = Math.max(1, Math.round(count)) * months;
    return (time) => {
      const date = new Date(time);
      const since = (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
      return Date.UTC(1970, Math.floor(since / step) * step, 1);
    };
  }
  const length = count * LENGTHS[known]!;
  const origin = known === 'w' ? FIRST_MONDAY : 0;
  return (time) => Math.floor((time - origin) / length) * length + origin;
}

/** Returns the next period start at or after a time. */
export function ceilTo(period: WrittenPeriod): (time: number) => number {
  const floor = floorTo(period);
  return (time) => {
    const start = floor(time);
    if (start === time) return time;
    const later = floor(start + lengthOf(period));
    return later > start ? later : floor(start + 2 * lengthOf(period));
  };
}
