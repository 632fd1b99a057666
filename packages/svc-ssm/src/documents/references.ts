import { isObject, textOf } from '@emu/wire';
import type { Json } from './content.ts';

/** Matches a reference in double braces. */
const REFERENCE = /\{\{\s*([A-Za-z_][\w.:/[\]*$@'"-]*)\s*\}\}/g;
const ALONE = new RegExp(`^\\s*${REFERENCE.source}\\s*$`);

/** Returns all references in a value, in document order. */
export function referencesIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return [...value.matchAll(REFERENCE)].map((match) => match[1]!);
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  return isObject(value) ? Object.values(value).flatMap(referencesIn) : [];
}

/**
 * Resolves the references in a value. Text that consists of one reference becomes the value itself, of any type; within
 * other text, the value is inserted as text or JSON.
 * @param resolve returns undefined to leave a reference unchanged
 */
export function substitute(value: Json, resolve: (reference: string) => Json | undefined): Json {
  if (typeof value === 'string') {
    const whole = ALONE.exec(value);
    if (whole) {
      const found = resolve(whole[1]!);
      return found === undefined ? value : found;
    }
    return value.replace(REFERENCE, (text, reference: string) => {
      const found = resolve(reference);
      if (found === undefined) return text;
      return textOf(found);
    });
  }
  if (Array.isArray(value)) return value.map((item) => substitute(item, resolve));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, substitute(item, resolve)]));
}
