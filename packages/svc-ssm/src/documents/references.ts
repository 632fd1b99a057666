import { isObject } from '@emu/wire';
import type { Json } from './content.ts';

/** What stands in double braces. */
const REFERENCE = /\{\{\s*([A-Za-z_][\w.:/[\]*$@'"-]*)\s*\}\}/g;
const ALONE = new RegExp(`^\\s*${REFERENCE.source}\\s*$`);

/** Every reference in a value, in order of its places. */
export function referencesIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return [...value.matchAll(REFERENCE)].map((match) => match[1]!);
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  return isObject(value) ? Object.values(value).flatMap(referencesIn) : [];
}

/**
 * A value with its references resolved. A text that is one reference takes on the value itself, whatever its type; within
 * other text a value is written as text, or as JSON.
 * @param resolve undefined for a reference that is left as it is
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
      return typeof found === 'string' ? found : JSON.stringify(found);
    });
  }
  if (Array.isArray(value)) return value.map((item) => substitute(item, resolve));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, substitute(item, resolve)]));
}
