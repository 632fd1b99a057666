import { epochOf, isZone, type LocalTime, localTime, offsetAt } from './zones.ts';

/** A run of one letter in a pattern, or a literal text. */
type Token = { letter: string; count: number } | { text: string };

const LETTERS = 'yuMLdDHhkKmsSnaEeGzZXxVO';
const FIRST_WEEKDAY = Date.UTC(2023, 0, 1);
const DAY = 86_400_000;

/** An unsupported letter in a pattern. */
export class UnknownLetter extends Error {
  constructor(readonly letter: string) {
    super(`Unknown pattern letter: ${letter}`);
  }
}

/** @throws UnknownLetter */
function tokensOf(pattern: string): Token[] {
  const tokens: Token[] = [];
  const matches = /'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+/g;
  for (const [whole, quoted, letter] of pattern.matchAll(matches)) {
    if (quoted !== undefined) tokens.push({ text: quoted === '' ? "'" : quoted.replaceAll("''", "'") });
    else if (letter === undefined) tokens.push({ text: whole });
    else if (LETTERS.includes(letter)) tokens.push({ letter, count: whole.length });
    else throw new UnknownLetter(letter);
  }
  return tokens;
}

/** Returns the names of months or weekdays in a locale, in order. */
function names(locale: string, kind: 'month' | 'weekday', width: 'long' | 'short'): string[] {
  const format = new Intl.DateTimeFormat(locale, { day: 'numeric', [kind]: width, timeZone: 'UTC' });
  const alone = new Intl.DateTimeFormat(locale, { [kind]: width, timeZone: 'UTC' });
  const count = kind === 'month' ? 12 : 7;
  return Array.from({ length: count }, (_, index) => {
    const date = kind === 'month' ? Date.UTC(2023, index, 1) : FIRST_WEEKDAY + index * DAY;
    const part = format.formatToParts(date).find(({ type }) => type === kind)?.value;
    return part ?? alone.format(date);
  });
}

const padded = (value: number, width: number): string => String(value).padStart(width, '0');

function offsetText(offset: number, colon: boolean, zero: string): string {
  if (offset === 0 && zero) return zero;
  const minutes = Math.abs(offset) / 60_000;
  return `${offset < 0 ? '-' : '+'}${padded(Math.floor(minutes / 60), 2)}${colon ? ':' : ''}${padded(minutes % 60, 2)}`;
}

const zoneName = (time: number, zone: string, locale: string, style: 'short' | 'long'): string =>
  new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: style })
    .formatToParts(time)
    .find(({ type }) => type === 'timeZoneName')?.value ?? zone;

/**
 * Formats a time with a Java date pattern.
 * @param time epoch milliseconds
 * @throws Error for an invalid letter
 * @see https://docs.oracle.com/en/java/javase/17/docs/api/java.base/java/time/format/DateTimeFormatter.html
 */
export function formatDate(time: number, pattern: string, zone: string, locale = 'en'): string {
  const local = localTime(time, zone);
  const offset = offsetAt(time, zone);
  const weekday = new Date(time + offset).getUTCDay();
  return tokensOf(pattern)
    .map((token) => ('text' in token ? token.text : formatted(token.letter, token.count)))
    .join('');

  function formatted(letter: string, count: number): string {
    switch (letter) {
      case 'y':
      case 'u':
        return count === 2 ? padded(local.year % 100, 2) : padded(local.year, count);
      case 'M':
      case 'L':
        return count < 3
          ? padded(local.month, count)
          : names(locale, 'month', count === 3 ? 'short' : 'long')[local.month - 1]!;
      case 'd':
        return padded(local.day, count);
      case 'D':
        return padded(
          Math.round((Date.UTC(local.year, local.month - 1, local.day) - Date.UTC(local.year, 0, 1)) / DAY) + 1,
          count,
        );
      case 'H':
        return padded(local.hour, count);
      case 'k':
        return padded(local.hour || 24, count);
      case 'h':
        return padded(local.hour % 12 || 12, count);
      case 'K':
        return padded(local.hour % 12, count);
      case 'm':
        return padded(local.minute, count);
      case 's':
        return padded(local.second, count);
      case 'S':
        return padded(local.millisecond, 3).padEnd(count, '0').slice(0, count);
      case 'n':
        return padded(local.millisecond * 1_000_000, count);
      case 'a':
        return local.hour < 12 ? 'AM' : 'PM';
      case 'E':
      case 'e':
        return names(locale, 'weekday', count < 4 ? 'short' : 'long')[weekday]!;
      case 'G':
        return 'AD';
      case 'z':
        return zoneName(time, zone, locale, count < 4 ? 'short' : 'long');
      case 'V':
        return zone;
      case 'O':
        return `GMT${offset ? offsetText(offset, true, '') : ''}`;
      case 'Z':
        return offsetText(offset, count === 5, count === 5 ? 'Z' : '');
      case 'X':
        return count === 1 && offset % 3_600_000 === 0 && offset !== 0
          ? offsetText(offset, false, 'Z').slice(0, 3)
          : offsetText(offset, count === 3, 'Z');
      default:
        return offsetText(offset, count === 3, '');
    }
  }
}

/**
 * Parses a text with a Java date pattern. Returns epoch milliseconds; undefined if it does not match.
 * @param zone time zone if the text contains none
 * @throws Error for an invalid letter
 */
export function parseDate(text: string, pattern: string, zone: string, locale = 'en'): number | undefined {
  const local: LocalTime = { year: 1970, month: 1, day: 1, hour: 0, minute: 0, second: 0, millisecond: 0 };
  const found: { zone?: string; afternoon?: boolean } = {};
  let rest = text;
  const take = (form: RegExp): string | undefined => {
    const taken = form.exec(rest)?.[0];
    if (taken !== undefined) rest = rest.slice(taken.length);
    return taken;
  };
  const tokens = tokensOf(pattern);
  for (const [index, token] of tokens.entries()) {
    if ('text' in token) {
      if (!rest.startsWith(token.text)) return undefined;
      rest = rest.slice(token.text.length);
      continue;
    }
    // If digits follow without a separator, each field has its fixed width.
    const next = tokens[index + 1];
    const crowded = next !== undefined && 'letter' in next;
    if (!read(token.letter, token.count, crowded)) return undefined;
  }
  if (rest !== '') return undefined;
  if (found.afternoon !== undefined) local.hour = (local.hour % 12) + (found.afternoon ? 12 : 0);
  if (local.month < 1 || local.month > 12 || local.day < 1 || local.day > 31 || local.hour > 24) return undefined;
  return epochOf(local, found.zone ?? zone);

  function takeDigits(least: number, most: number): string | undefined {
    const run = /^\d*/.exec(rest.slice(0, most))![0];
    if (run.length < least) return undefined;
    rest = rest.slice(run.length);
    return run;
  }

  function digits(count: number, crowded: boolean, most: number): number | undefined {
    const taken = crowded ? takeDigits(count, count) : takeDigits(Math.min(count, most), most);
    return taken === undefined ? undefined : Number(taken);
  }

  function set(field: keyof LocalTime, value: number | undefined): boolean {
    if (value === undefined) return false;
    local[field] = value;
    return true;
  }

  function oneOf(candidates: readonly string[]): number {
    const matches = candidates
      .map((name, index) => ({ name: name.toLowerCase(), index }))
      .filter(({ name }) => name !== '' && rest.toLowerCase().startsWith(name))
      .sort((a, b) => b.name.length - a.name.length);
    const [match] = matches;
    if (!match) return -1;
    rest = rest.slice(match.name.length);
    return match.index;
  }

  function read(letter: string, count: number, crowded: boolean): boolean {
    switch (letter) {
      case 'y':
      case 'u': {
        const year = digits(count, crowded || count === 2, count === 2 ? 2 : 4);
        return set('year', year !== undefined && count === 2 ? 2000 + year : year);
      }
      case 'M':
      case 'L': {
        if (count < 3) return set('month', digits(count, crowded, 2));
        const index = oneOf([...names(locale, 'month', 'long'), ...names(locale, 'month', 'short')]);
        return index >= 0 && set('month', (index % 12) + 1);
      }
      case 'd':
        return set('day', digits(count, crowded, 2));
      case 'H':
      case 'k':
      case 'h':
      case 'K':
        return set('hour', digits(count, crowded, 2));
      case 'm':
        return set('minute', digits(count, crowded, 2));
      case 's':
        return set('second', digits(count, crowded, 2));
      case 'S': {
        const taken = takeDigits(count, count);
        return taken !== undefined && set('millisecond', Number(taken.slice(0, 3).padEnd(3, '0')));
      }
      case 'a': {
        const half = take(/^[ap]\.?m\.?/i);
        found.afternoon = half?.toLowerCase().startsWith('p') ?? false;
        return half !== undefined;
      }
      case 'E':
      case 'e':
        return oneOf([...names(locale, 'weekday', 'long'), ...names(locale, 'weekday', 'short')]) >= 0;
      case 'z':
      case 'V':
      case 'O':
      case 'Z':
      case 'X':
      case 'x': {
        const taken = take(/^(?:Z\b|(?:UTC|GMT)?[+-]\d{1,2}(?::?\d\d)?|[A-Za-z]+(?:\/[A-Za-z_]+)*)/);
        if (taken === undefined || !isZone(taken)) return false;
        found.zone = taken;
        return true;
      }
      default:
        return false;
    }
  }
}
