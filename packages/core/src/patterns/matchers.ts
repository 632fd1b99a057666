import { type Cidr, isInCidr, parseIp } from './ip.ts';
import { matchesWildcard } from './wildcard.ts';

/** A value of an event that a pattern can look at. */
export type Leaf = string | number | boolean | null;

/** What of a number is compared; NaN where it equals no other. */
export type NumberScale = (value: number) => number;

/** One end of a numeric range. */
export interface Bound {
  readonly value: number;
  /** Whether the value itself is outside. */
  readonly open: boolean;
}

/** What a value must be, or a string must begin with, to fit a matcher. */
export type MatcherKey = { readonly value: Leaf } | { readonly start: string };

/** One of the alternatives that a field's pattern lists. */
export interface Matcher {
  /** Whether a value of the field fits. */
  readonly test: (value: Leaf) => boolean;
  /** By what patterns with it are found; undefined where values of any kind may fit. */
  readonly key?: MatcherKey;
  /** `exists: false`: fits where the field is not there, and only there. */
  readonly absent?: true;
}

/**
 * The value itself. Strings that are IP addresses are equal however the address is written.
 * @param scale what of numbers is compared; by default all
 */
export function exactly(expected: Leaf, scale?: NumberScale): Matcher {
  const scaled = scale && typeof expected === 'number' ? scale(expected) : Number.NaN;
  if (scale && !Number.isNaN(scaled)) return { test: (value) => typeof value === 'number' && scale(value) === scaled };
  const key = { value: expected };
  if (typeof expected !== 'string') return { test: (value) => value === expected, key };
  const address = parseIp(expected)?.join();
  if (!address) return { test: (value) => value === expected, key };
  return {
    test: (value) => value === expected || (typeof value === 'string' && parseIp(value)?.join() === address),
  };
}

/** A string that begins so. */
export const prefix = (start: string): Matcher => ({
  test: (value) => typeof value === 'string' && value.startsWith(start),
  ...(start !== '' && { key: { start } }),
});

/** A string that ends so. */
export const suffix = (end: string): Matcher => ({
  test: (value) => typeof value === 'string' && value.endsWith(end),
});

/**
 * A string that is this one, begins or ends with it but for case. As in event-ruler, each UTF-16 unit stands for its own
 * lower and upper case, which may have several characters: `ß` fits `SS`, and letters outside of the first plane fit
 * only themselves.
 */
export function ignoringCase(text: string, at: 'whole' | 'start' | 'end' = 'whole'): Matcher {
  let source = '';
  for (let index = 0; index < text.length; index++) source += eitherCase(text.charAt(index));
  // The end comes first in its pattern, so that it is looked for once and not from every place of a long text.
  const pattern = new RegExp(at === 'end' ? `$(?<=${source})` : `^${source}${at === 'whole' ? '$' : ''}`);
  return { test: (value) => typeof value === 'string' && pattern.test(value) };
}

/** A regular expression for a UTF-16 unit in either case. */
function eitherCase(unit: string): string {
  const cases = [...new Set([unit.toLowerCase(), unit.toUpperCase()])].map(escaped);
  return cases.length === 1 ? cases[0]! : `(?:${cases.join('|')})`;
}

/** A text as a regular expression that fits it alone. */
const escaped = (text: string): string =>
  [...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

/** A string that fits a wildcard pattern. */
export const wildcard = (parts: readonly string[]): Matcher => ({
  test: (value) => typeof value === 'string' && matchesWildcard(parts, value),
  ...(parts[0] && { key: { start: parts[0] } }),
});

/**
 * A number in a range; an end that is undefined is open to infinity.
 * @param scale what of numbers is compared
 */
export function numeric(low: Bound | undefined, high: Bound | undefined, scale: NumberScale): Matcher {
  const from = low && scale(low.value);
  const to = high && scale(high.value);
  return {
    test: (value) => {
      if (typeof value !== 'number') return false;
      const scaled = scale(value);
      return (
        !Number.isNaN(scaled) &&
        (from === undefined || (low!.open ? scaled > from : scaled >= from)) &&
        (to === undefined || (high!.open ? scaled < to : scaled <= to))
      );
    },
  };
}

/** An IP address, as a string, in a block of addresses. */
export const cidr = (block: Cidr): Matcher => ({
  test: (value) => typeof value === 'string' && isInCidr(block, value),
});

/** Any value that none of some matchers fits; the field must be there. */
export const anythingBut = (matchers: readonly Matcher[]): Matcher => ({
  test: (value) => !matchers.some((matcher) => matcher.test(value)),
});

/** Whether the field is there. */
export const exists = (expected: boolean): Matcher =>
  expected ? { test: () => true } : { test: () => false, absent: true };
