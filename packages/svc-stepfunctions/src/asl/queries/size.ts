import { isObject } from '@emu/wire';

/** Part of an item of a list for each value: expressions are evaluated for items, but only copy or compare values. */
const VALUE = 1 / 16;
/** Part of an item of a list for each character of texts. */
const CHARACTER = 1 / 512;

/**
 * Returns the size of JSON data: its items in lists, and parts of them for its values and texts.
 * @returns undefined above the limit
 */
export function sizeWithin(data: unknown, limit: number): number | undefined {
  const waiting: unknown[] = [data];
  let size = 0;
  while (waiting.length > 0) {
    const value = waiting.pop();
    size += VALUE;
    if (typeof value === 'string') size += value.length * CHARACTER;
    else if (Array.isArray(value)) {
      size += value.length;
      if (size <= limit) waiting.push(...value);
    } else if (isObject(value)) for (const member of Object.values(value)) waiting.push(member);
    if (size > limit) return undefined;
  }
  return size;
}
