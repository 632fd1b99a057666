import type { TimestampFormat } from './model.ts';

/** Largest distance from the epoch that a `Date` holds, in milliseconds. */
const MAX_MILLIS = 8.64e15;

/** A date from milliseconds since the epoch; undefined where a `Date` cannot hold it. */
function dateOfMillis(millis: number): Date | undefined {
  return Number.isFinite(millis) && Math.abs(millis) <= MAX_MILLIS ? new Date(millis) : undefined;
}

/** A date from seconds since the epoch, with fractions; undefined where it is not a date. */
export function dateOfSeconds(seconds: number): Date | undefined {
  return dateOfMillis(Math.round(seconds * 1000));
}

const ISO8601 =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,12}))?)?)?(?:([Zz])|([+-])(\d{2}):?(\d{2}))?$/;
const RFC822 =
  /^(?:[A-Za-z]{3,9},? )?(\d{1,2})[ -]([A-Za-z]{3})[ -](\d{2}|\d{4}) (\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,12}))? (?:GMT|UTC|Z|([+-])(\d{2})(\d{2}))$/;
const ASCTIME = /^[A-Za-z]{3} ([A-Za-z]{3}) {1,2}(\d{1,2}) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

/** Year, month (from 0), day, hour, minute, second, fraction digits, offset in minutes. */
type Fields = [number, number, number, number, number, number, string | undefined, number];

/** A date from calendar fields; undefined where they name no such moment (the 30th of February, 25 o'clock). */
function dateOfFields([year, month, day, hour, minute, second, fraction, offset]: Fields): Date | undefined {
  if (month < 0 || month > 11 || hour > 23 || minute > 59 || second > 60 || day < 1) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  if (date.getUTCMonth() !== month || date.getUTCDate() !== day) return undefined;
  const millis = fraction ? Math.trunc(Number(`0.${fraction}`) * 1000 + 1e-6) : 0;
  return dateOfMillis(date.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000 + millis);
}

const offsetOf = (sign: string | undefined, hours: string | undefined, minutes: string | undefined): number =>
  sign ? (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) : 0;

/** Parses ISO 8601 / RFC 3339 with fractions and offsets; without an offset it is UTC, as AWS reads it. */
export function parseIso8601(text: string): Date | undefined {
  const match = ISO8601.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, fraction, , sign, hours, minutes] = match;
  const offset = offsetOf(sign, hours, minutes);
  return dateOfFields([
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second ?? 0),
    fraction,
    offset,
  ]);
}

/** Parses an HTTP date (RFC 7231 `IMF-fixdate`, with fractions too, and the obsolete RFC 850 and asctime forms). */
function parseRfc822(text: string): Date | undefined {
  const asctime = ASCTIME.exec(text);
  if (asctime) {
    const [, month, day, hour, minute, second, year] = asctime;
    const index = MONTHS.indexOf(month!.toLowerCase());
    return dateOfFields([Number(year), index, Number(day), Number(hour), Number(minute), Number(second), undefined, 0]);
  }
  const match = RFC822.exec(text);
  if (!match) return undefined;
  const [, day, month, year, hour, minute, second, fraction, sign, hours, minutes] = match;
  // RFC 6265: two-digit years up to 69 are of this century.
  const fullYear = year!.length === 2 ? Number(year) + (Number(year) < 70 ? 2000 : 1900) : Number(year);
  const index = MONTHS.indexOf(month!.toLowerCase());
  const offset = offsetOf(sign, hours, minutes);
  return dateOfFields([fullYear, index, Number(day), Number(hour), Number(minute), Number(second), fraction, offset]);
}

/** Parses seconds since the epoch in decimal. */
function parseUnixTimestamp(text: string): Date | undefined {
  return NUMBER.test(text) ? dateOfSeconds(Number(text)) : undefined;
}

/**
 * Parses a timestamp as text on the wire.
 * @returns undefined where the text is not a timestamp of that format
 */
export function parseTimestamp(format: TimestampFormat, text: string): Date | undefined {
  switch (format) {
    case 'iso8601':
      return parseIso8601(text);
    case 'rfc822':
      return parseRfc822(text);
    case 'unixTimestamp':
      return parseUnixTimestamp(text);
  }
}

/**
 * Parses a timestamp whatever its format: services accept another than the model's, since clients always sent some.
 * The model's own format is tried first.
 */
export function parseAnyTimestamp(format: TimestampFormat, text: string): Date | undefined {
  return parseTimestamp(format, text) ?? parseIso8601(text) ?? parseRfc822(text) ?? parseUnixTimestamp(text);
}

/**
 * Writes a timestamp: ISO 8601 with milliseconds only where there are some, HTTP dates in whole seconds, or seconds
 * since the epoch with up to three decimals.
 */
export function formatTimestamp(format: TimestampFormat, date: Date): string {
  switch (format) {
    case 'iso8601': {
      const text = date.toISOString();
      return text.endsWith('.000Z') ? `${text.slice(0, -5)}Z` : text;
    }
    case 'rfc822':
      return date.toUTCString();
    case 'unixTimestamp':
      return String(date.getTime() / 1000);
  }
}
