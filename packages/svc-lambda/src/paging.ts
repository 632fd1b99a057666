import { invalid } from './errors.ts';

/** What a request says about the part of a list it wants. */
export interface PageRequest {
  Marker?: string | undefined;
  MaxItems?: number | undefined;
}

/**
 * One page of a list.
 * @param items in any order; sorted by key
 * @param keyOf what tells an item from all others; the marker holds the last one's, so deletions between pages do no harm
 * @param most items in a page, whatever the request asks for
 * @throws AwsError `InvalidParameterValueException` for a marker that is none
 */
export function paginate<T>(
  items: Iterable<T>,
  keyOf: (item: T) => string,
  { Marker, MaxItems }: PageRequest,
  most = 50,
): { items: T[]; next: { NextMarker?: string } } {
  const keyed = [...items].map((item) => ({ key: keyOf(item), item }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1));
  const after = Marker ? readMarker(Marker) : undefined;
  const rest = after === undefined ? keyed : keyed.filter(({ key }) => key > after);
  const page = rest.slice(0, Math.min(MaxItems ?? most, most));
  const last = page.at(-1);
  return {
    items: page.map(({ item }) => item),
    next: last && page.length < rest.length ? { NextMarker: Buffer.from(`:${last.key}`).toString('base64url') } : {},
  };
}

function readMarker(marker: string): string {
  const text = Buffer.from(marker, 'base64url').toString();
  if (!text.startsWith(':')) throw invalid('The provided marker is invalid.');
  return text.slice(1);
}

/** A key that sorts as a number does. */
export const numericKey = (value: number): string => String(value).padStart(16, '0');
