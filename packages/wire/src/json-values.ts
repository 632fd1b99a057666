import type { DocumentValue } from './values.ts';

/** Whether a value is an object in the sense of JSON: neither null nor an array. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a value that is a string; undefined for all others. */
export const asString = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Converts a value of JSON to text: a string unchanged, any other value as JSON. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Converts a value as {@link textOf} does; undefined for null and a missing value. */
export const optionalText = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : textOf(value);

/** Parses a text as JSON; returns other texts unchanged. */
export function jsonOrText(text: string): DocumentValue {
  try {
    return JSON.parse(text) as DocumentValue;
  } catch {
    return text;
  }
}
