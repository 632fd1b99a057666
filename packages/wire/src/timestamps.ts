import type { TimestampFormat } from './model.ts';

/** Limit of a `Date`: milliseconds from the epoch. */
const MAX_MILLIS = 8.64e15;

/** Returns a date from milliseconds since the epoch; undefined outside of the range of `Date`. */
function dateOfMillis(millis: number): Date | undefined {
  return Number.isFinite(millis) && Math.abs(millis) <= MAX_MILLIS ? new Date(millis) : undefined;
}

/** Returns a date from seconds since the epoch, with fractions; undefined for an invalid date. */
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

/** Returns a date from calendar fields; undefined for invalid ones (30th of February, 25 o'clock). */
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

/** Parses ISO 8601 / RFC 3339 with fractions and offsets. Without an offset it is UTC, as in AWS. */
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

/** Parses an HTTP date (RFC 7231 `IMF-fixdate`, also with fractions, and the obsolete RFC 850 and asctime forms). */
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
  // RFC 6265: two-digit years up to 69 belong to this century.
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
 * Parses a timestamp in text.
 * @returns undefined for text in another format
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
 * Parses a timestamp in any format, the model's first, because services accept other formats that clients have always
 * sent.
 */
export function parseAnyTimestamp(format: TimestampFormat, text: string): Date | undefined {
  return parseTimestamp(format, text) ?? parseIso8601(text) ?? parseRfc822(text) ?? parseUnixTimestamp(text);
}

/**
 * Formats a timestamp: ISO 8601 with milliseconds if not zero, HTTP dates in whole seconds, or seconds since the epoch
 * with up to three decimals.
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
