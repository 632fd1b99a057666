/** A JSON map or list. */
export type Structure = { readonly [key: string]: unknown } | readonly unknown[];

/** Value of a field; undefined if the event lacks it. */
export type Value = string | number | boolean | Structure | undefined;

/** Display format of a column: times, computed numbers (four decimals), or unchanged. */
export type Kind = 'timestamp' | 'computed' | 'plain';

const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

export const isStructure = (value: Value): value is Structure => typeof value === 'object';

/** Converts a value to a number; NaN if it is none. */
export function numberOf(value: Value): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return NUMBER.test(value) ? Number(value) : Number.NaN;
  return typeof value === 'boolean' ? Number(value) : Number.NaN;
}

/** Converts a value to text; undefined for structures, which text functions ignore. */
export function scalarText(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return typeof value === 'boolean' ? (value ? '1' : '0') : undefined;
}

/** Whether a value is true as a condition. */
export function isTrue(value: Value): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value !== 0;
  return value !== undefined && value !== '' && value !== '0';
}

/** Whether two values are equal: as numbers if one of them is a number. */
export function equal(a: Value, b: Value): boolean {
  if (a === undefined || b === undefined || isStructure(a) || isStructure(b)) return false;
  if (typeof a === 'string' && typeof b === 'string') return a === b;
  const first = numberOf(a);
  const second = numberOf(b);
  return Number.isNaN(first) || Number.isNaN(second) ? scalarText(a) === scalarText(b) : first === second;
}

/** Compares two values: negative if the first is smaller, NaN if incomparable. */
export function compare(a: Value, b: Value): number {
  if (a === undefined || b === undefined || isStructure(a) || isStructure(b)) return Number.NaN;
  const first = numberOf(a);
  const second = numberOf(b);
  if (!Number.isNaN(first) && !Number.isNaN(second)) return first - second;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : Number(a > b);
  return Number.NaN;
}

/** Converts a JSON value; null becomes undefined. */
export function fromJson(json: unknown): Value {
  return json === null ? undefined : (json as Value);
}

/** Returns the value at a path of a structure; keys may contain dots. */
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

/** Formats a value for results; undefined if the row lacks it. */
export function display(value: Value, kind: Kind): string | undefined {
  if (value === undefined) return undefined;
  if (kind === 'timestamp' && typeof value === 'number') return displayTime(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return undefined;
    return kind === 'computed' && !Number.isInteger(value) ? rounded(value) : String(value);
  }
  return isStructure(value) ? JSON.stringify(value) : scalarText(value);
}

function rounded(value: number): string {
  return String(Number(value.toFixed(MAX_DECIMALS)));
}

/**
 * Formats a time for results, e.g. `2019-04-29 13:00:00.000`.
 * @param time epoch milliseconds
 */
export const displayTime = (time: number): string => new Date(time).toISOString().replace('T', ' ').slice(0, -1);
