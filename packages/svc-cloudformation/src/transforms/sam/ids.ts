import { createHash } from 'node:crypto';
import { canonicalJson } from '@emu/core/service';

/** Returns a text with the characters beyond ASCII as escape sequences of JSON. */
const ascii = (json: string): string =>
  json.replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Returns the hexadecimal digest of a text, or of a value's canonical JSON in ASCII. */
export function digest(data: unknown): string {
  const text = typeof data === 'string' ? data : ascii(canonicalJson(data));
  return createHash('sha1').update(text).digest('hex');
}

/** Returns the ten-digit suffix of ids that change with their content. */
export const shortDigest = (data: unknown): string => digest(data).slice(0, 10);
