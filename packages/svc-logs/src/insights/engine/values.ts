/** A map or a list that came from JSON. */
export type Structure = { readonly [key: string]: unknown } | readonly unknown[];

/** A value of a field; undefined where the event lacks it. */
export type Value = string | number | boolean | Structure | undefined;

/**
 * How a column's values are shown: points in time, numbers that were computed (four decimals), or as they are.
 */
export type Kind = 'timestamp' | 'computed' | 'plain';

const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

export const isStructure = (value: Value): value is Structure => typeof value === 'object';

/** The number that a value is or says; NaN for all others. */
export function numberOf(value: Value): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return NUMBER.test(value) ? Number(value) : Number.NaN;
  return typeof value === 'boolean' ? Number(value) : Number.NaN;
}

/** The text of a value; undefined for structures, which are nothing to functions of texts. */
export function textOf(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return typeof value === 'boolean' ? (value ? '1' : '0') : undefined;
}

/** Whether a condition holds. */
export function isTrue(value: Value): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value !== 0;
  return value !== undefined && value !== '' && value !== '0';
}

/** Whether two values are the same: as numbers where one of them is a number. */
export function equal(a: Value, b: Value): boolean {
  if (a === undefined || b === undefined || isStructure(a) || isStructure(b)) return false;
  if (typeof a === 'string' && typeof b === 'string') return a === b;
  const first = numberOf(a);
  const second = numberOf(b);
  return Number.isNaN(first) || Number.isNaN(second) ? textOf(a) === textOf(b) : first === second;
}

/** Less than 0 where the first value is less; NaN where they cannot be compared. */
export function compare(a: Value, b: Value): number {
  if (a === undefined || b === undefined || isStructure(a) || isStructure(b)) return Number.NaN;
  const first = numberOf(a);
  const second = numberOf(b);
  if (!Number.isNaN(first) && !Number.isNaN(second)) return first - second;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : Number(a > b);
  return Number.NaN;
}

/** The value of something that JSON holds; null is nothing. */
export function fromJson(json: unknown): Value {
  return json === null ? undefined : (json as Value);
}

/** What a structure has at a path; keys may have dots in them. */
export function walk(value: unknown, segments: readonly string[], from = 0): Value {
  if (from >= segments.length) return fromJson(value);
  if (typeof value !== 'object' || value === null) return undefined;
  const container = value as Readonly<Record<string, unknown>>;
  let key = segments[from]!;
  for (let next = from + 1; ; next++) {
    if (Object.hasOwn(container, key)) {
      const found = walk(container[key], segments, next);
      if (found !== undefined) return found;
    }
    if (next >= segments.length) return undefined;
    key += `.${segments[next]}`;
  }
}

const MAX_DECIMALS = 4;

/** A value as results show it; undefined where the row lacks it. */
export function display(value: Value, kind: Kind): string | undefined {
  if (value === undefined) return undefined;
  if (kind === 'timestamp' && typeof value === 'number') return displayTime(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return undefined;
    return kind === 'computed' && !Number.isInteger(value) ? rounded(value) : String(value);
  }
  return isStructure(value) ? JSON.stringify(value) : textOf(value);
}

function rounded(value: number): string {
  return String(Number(value.toFixed(MAX_DECIMALS)));
}

/** A point in time as results show it, e.g. `2019-04-29 13:00:00.000`. @param time epoch milliseconds */
export const displayTime = (time: number): string => new Date(time).toISOString().replace('T', ' ').slice(0, -1);
