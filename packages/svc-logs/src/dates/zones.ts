/** Calendar fields of a time in a time zone. */
export interface LocalTime {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  millisecond: number;
}

const MINUTE = 60_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Parses a fixed offset such as `+05:30`. Returns milliseconds; undefined for zone names. */
function fixedOffset(zone: string): number | undefined {
  if (/^(?:UTC|GMT|Z)$/i.test(zone)) return 0;
  const [, sign, hours, minutes = '0'] = /^(?:UTC|GMT)?([+-])(\d{1,2}):?(\d\d)?$/i.exec(zone) ?? [];
  return hours === undefined ? undefined : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE;
}

/** Whether a time zone exists: a name of the IANA database, or an offset. */
export function isZone(zone: string): boolean {
  if (fixedOffset(zone) !== undefined) return true;
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(zone, format);
  }
  return format;
}

const asUtc = ({ year, month, day, hour, minute, second, millisecond }: LocalTime): number =>
  Date.UTC(year, month - 1, day, hour, minute, second, millisecond);

/**
 * Returns the offset of a zone from UTC at a time, in milliseconds.
 * @throws RangeError for an unknown zone
 */
export function offsetAt(time: number, zone: string): number {
  const fixed = fixedOffset(zone);
  if (fixed !== undefined) return fixed;
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(time)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<string, number>;
  const { year, month, day, hour, minute, second } = parts as Record<string, number>;
  const seconds = Math.floor(time / 1000) * 1000;
  return Date.UTC(year!, month! - 1, day, hour, minute, second) - seconds;
}

/**
 * Returns the local time in a zone.
 * @param time epoch milliseconds
 */
export function localTime(time: number, zone: string): LocalTime {
  const date = new Date(time + offsetAt(time, zone));
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    millisecond: date.getUTCMilliseconds(),
  };
}

/** Converts a local time in a zone to epoch milliseconds. */
export function epochOf(local: LocalTime, zone: string): number {
  const guess = asUtc(local);
  const first = guess - offsetAt(guess, zone);
  return guess - offsetAt(first, zone);
}
