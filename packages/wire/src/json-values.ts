import { MAX_DEPTH } from './compile.ts';
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

/** Whether a JSON text nests objects and arrays deeper than a number of levels. */
function isDeeper(text: string, levels: number): boolean {
  if (text.length <= levels) return false;
  let depth = 0;
  for (let index = 0; index < text.length; index++)
    switch (text.charCodeAt(index)) {
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > levels) return true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
      case 0x22: // "
        index = endOfString(text, index);
        break;
    }
  return false;
}

/** Returns the index of the quote that ends a string; the length of the text if it does not end. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

/**
 * Parses JSON from a user. Nesting is limited, because functions that walk the values and `JSON.stringify` recurse.
 * @throws SyntaxError if it is invalid, or nested deeper than `MAX_DEPTH` levels
 */
export function parseJson(text: string): unknown {
  if (isDeeper(text, MAX_DEPTH)) throw new SyntaxError(`JSON is nested deeper than ${MAX_DEPTH} levels`);
  return JSON.parse(text) as unknown;
}

/** Parses a text as JSON; returns other texts unchanged, and JSON that is nested too deeply. */
export function jsonOrText(text: string): DocumentValue {
  try {
    return parseJson(text) as DocumentValue;
  } catch {
    return text;
  }
}
