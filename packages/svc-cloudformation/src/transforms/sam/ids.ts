import { createHash } from 'node:crypto';
import { canonicalJson } from './values.ts';

/** A digest of a text, or of a value's canonical JSON, in hexadecimal digits. */
export function digest(data: unknown): string {
  const text = typeof data === 'string' ? data : canonicalJson(data);
  return createHash('sha1').update(text).digest('hex');
}

/** The ten digits that stand at the end of ids which change with what they are made of. */
export const shortDigest = (data: unknown): string => digest(data).slice(0, 10);
