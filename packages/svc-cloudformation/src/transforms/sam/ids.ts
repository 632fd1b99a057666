import { createHash } from 'node:crypto';
import { canonicalJson } from './values.ts';

/** Returns the hexadecimal digest of a text, or of a value's canonical JSON. */
export function digest(data: unknown): string {
  const text = typeof data === 'string' ? data : canonicalJson(data);
  return createHash('sha1').update(text).digest('hex');
}

/** Returns the ten-digit suffix of ids that change with their content. */
export const shortDigest = (data: unknown): string => digest(data).slice(0, 10);
