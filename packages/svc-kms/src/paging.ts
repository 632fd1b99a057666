import { kmsError } from './errors.ts';

/** A part of a list, with where the next begins. */
export interface Page<T> {
  items: T[];
  /** `NextMarker` and `Truncated` of the answer. */
  next: { NextMarker?: string; Truncated: boolean };
}

/**
 * One page of a list.
 * @param items in an order that stays
 * @param keyOf what tells an item from all others; the marker holds the last one's, so deletions between pages do no harm
 * @throws AwsError `InvalidMarkerException`
 */
export function paginate<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  { Limit, Marker }: { Limit?: number | undefined; Marker?: string | undefined },
  defaultLimit: number,
): Page<T> {
  const sorted = [...items].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  let start = 0;
  if (Marker !== undefined) {
    const last = readMarker(Marker);
    const found = sorted.findIndex((item) => keyOf(item) > last);
    start = found < 0 ? sorted.length : found;
  }
  const end = start + (Limit ?? defaultLimit);
  const page = sorted.slice(start, end);
  if (end >= sorted.length) return { items: page, next: { Truncated: false } };
  const NextMarker = Buffer.from(`after:${keyOf(page.at(-1)!)}`).toString('base64url');
  return { items: page, next: { NextMarker, Truncated: true } };
}

function readMarker(marker: string): string {
  const text = Buffer.from(marker, 'base64url').toString();
  if (!text.startsWith('after:')) throw kmsError('InvalidMarkerException', 'Could not deserialize marker');
  return text.slice('after:'.length);
}
