import { impossible, invalidArgument } from '../errors.ts';

/** Parts of a time in a time zone. */
interface Parts {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  milliseconds: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** @throws RangeError for an unknown time zone */
function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    const two = '2-digit';
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      hourCycle: 'h23',
      year: 'numeric',
      month: two,
      day: two,
      hour: two,
      minute: two,
      second: two,
    });
    formats.set(zone, format);
  }
  return format;
}

/** @throws AwsError `InvalidArgumentException` for an unknown time zone */
export function checkTimeZone(zone: string): void {
  try {
    formatOf(zone || 'UTC');
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalidArgument(`The time zone ${zone} is not supported.`);
  }
}

function partsOf(time: number, zone: string): Parts {
  const found = new Map(
    formatOf(zone)
      .formatToParts(time)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes): number => found.get(name)!;
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
    milliseconds: Math.floor(time) % 1000,
  };
}

const DAY = 24 * 60 * 60 * 1000;
const padded = (value: number, length: number): string => String(value).padStart(length, '0');
const dayOfYear = ({ year, month, day }: Parts): number =>
  (Date.UTC(year, month - 1, day) - Date.UTC(year, 0, 1)) / DAY + 1;

/** Formats of pattern letters by their count. */
const LETTERS: Readonly<Record<string, (parts: Parts, count: number) => string>> = {
  y: ({ year }, count) => (count === 2 ? padded(year % 100, 2) : padded(year, count)),
  u: ({ year }, count) => (count === 2 ? padded(year % 100, 2) : padded(year, count)),
  M: ({ month }, count) => padded(month, count),
  L: ({ month }, count) => padded(month, count),
  d: ({ day }, count) => padded(day, count),
  D: (parts, count) => padded(dayOfYear(parts), count),
  H: ({ hour }, count) => padded(hour, count),
  k: ({ hour }, count) => padded(hour || 24, count),
  h: ({ hour }, count) => padded(hour % 12 || 12, count),
  K: ({ hour }, count) => padded(hour % 12, count),
  a: ({ hour }) => (hour < 12 ? 'AM' : 'PM'),
  m: ({ minute }, count) => padded(minute, count),
  s: ({ second }, count) => padded(second, count),
  S: ({ milliseconds }, count) => padded(milliseconds, 3).padEnd(9, '0').slice(0, count),
};
/** Counts at which letters become names. */
const NAMED = new Set(['M', 'L']);

/** Parts of a pattern: quoted text, runs of a letter, anything else. */
const TOKEN = /'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+/g;

/**
 * Validates a pattern of Java's `DateTimeFormatter`.
 * @throws AwsError `InvalidArgumentException` for an invalid one; `NotImplemented` (501) for unsupported letters
 */
export function checkTimePattern(pattern: string): void {
  let end = 0;
  for (const match of pattern.matchAll(TOKEN)) {
    end += match[0].length;
    const letter = match[2];
    if (letter === undefined) continue;
    if (!LETTERS[letter] || (NAMED.has(letter) && match[0].length > 2))
      throw impossible(`write dates by the pattern ${match[0]}`);
  }
  if (end !== pattern.length) throw invalidArgument(`The timestamp pattern ${pattern} is not valid.`);
}

/**
 * Formats a time with a pattern of Java's `DateTimeFormatter`.
 * @param time epoch milliseconds
 * @param zone e.g. `Europe/Berlin`; empty for UTC
 */
export function formatTime(time: number, pattern: string, zone: string): string {
  const parts = partsOf(time, zone || 'UTC');
  return pattern.replaceAll(TOKEN, (text, quoted: string | undefined, letter: string | undefined) => {
    if (quoted !== undefined) return quoted === '' ? "'" : quoted.replaceAll("''", "'");
    return letter === undefined ? text : LETTERS[letter]!(parts, text.length);
  });
}
