import { type Cidr, isInCidr, parseIp } from './ip.ts';
import { matchesWildcard } from './wildcard.ts';

/** A scalar value of an event. */
export type Leaf = string | number | boolean | null;

/** Converts a number before it is compared; NaN for one that equals no other. */
export type NumberScale = (value: number) => number;

/** One end of a numeric range. */
export interface Bound {
  readonly value: number;
  /** Whether the limit itself is excluded. */
  readonly open: boolean;
}

/** The value that a matcher requires, or the required beginning of a string. */
export type MatcherKey = { readonly value: Leaf } | { readonly start: string };

/** One alternative in a field's pattern. */
export interface Matcher {
  /** Whether a value of the field matches. */
  readonly test: (value: Leaf) => boolean;
  /** Key of the pattern index; undefined if values of any kind may match. */
  readonly key?: MatcherKey;
  /** `exists: false`: matches only a missing field. */
  readonly absent?: true;
}

/**
 * Matches the value itself. IP addresses in strings are equal in any notation.
 * @param scale converts numbers before the comparison; by default they are compared as they are
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

/** Matches strings with a prefix. */
export const prefix = (start: string): Matcher => ({
  test: (value) => typeof value === 'string' && value.startsWith(start),
  ...(start !== '' && { key: { start } }),
});

/** Matches strings with a suffix. */
export const suffix = (end: string): Matcher => ({
  test: (value) => typeof value === 'string' && value.endsWith(end),
});

/**
 * Matches strings that equal, begin or end with a text, ignoring case. As in event-ruler, each UTF-16 unit matches its
 * own lower and upper case, which may have several characters: `ß` matches `SS`, and letters outside of the first plane
 * match only themselves.
 */
export function ignoringCase(text: string, at: 'whole' | 'start' | 'end' = 'whole'): Matcher {
  let source = '';
  for (let index = 0; index < text.length; index++) source += eitherCase(text.charAt(index));
  // The `$` comes first, so that a suffix is matched once and not at every place of a long text.
  const pattern = new RegExp(at === 'end' ? `$(?<=${source})` : `^${source}${at === 'whole' ? '$' : ''}`);
  return { test: (value) => typeof value === 'string' && pattern.test(value) };
}

/** Returns a regular expression for a UTF-16 unit in either case. */
function eitherCase(unit: string): string {
  const cases = [...new Set([unit.toLowerCase(), unit.toUpperCase()])].map(escaped);
  return cases.length === 1 ? cases[0]! : `(?:${cases.join('|')})`;
}

/** Escapes a text for a regular expression. */
const escaped = (text: string): string =>
  [...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

/** Matches strings by a wildcard pattern. */
export const wildcard = (parts: readonly string[]): Matcher => ({
  test: (value) => typeof value === 'string' && matchesWildcard(parts, value),
  ...(parts[0] && { key: { start: parts[0] } }),
});

/**
 * Matches numbers in a range; an undefined end is infinite.
 * @param scale converts numbers before the comparison
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

/** Matches IP addresses, as strings, in a block of addresses. */
export const cidr = (block: Cidr): Matcher => ({
  test: (value) => typeof value === 'string' && isInCidr(block, value),
});

/** Matches any value that none of some matchers match; the field must exist. */
export const anythingBut = (matchers: readonly Matcher[]): Matcher => ({
  test: (value) => !matchers.some((matcher) => matcher.test(value)),
});

/** Matches by the existence of the field. */
export const exists = (expected: boolean): Matcher =>
  expected ? { test: () => true } : { test: () => false, absent: true };
