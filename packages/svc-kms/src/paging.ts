import { Pager } from '@emu/core';
import { kmsError } from './errors.ts';

/** A part of a list, with where the next begins. */
export interface Page<T> {
  items: T[];
  /** `NextMarker` and `Truncated` of the answer. */
  next: { NextMarker?: string; Truncated: boolean };
}

const pager = new Pager({
  defaultLimit: 100,
  invalidToken: () => kmsError('InvalidMarkerException', 'Could not deserialize marker'),
});

/**
 * One page of a list.
 * @param list name of the operation
 * @param keyOf what tells an item from all others; gives the order
 * @param defaultLimit items of a page where the request does not say
 * @throws AwsError `InvalidMarkerException`
 */
export function paginate<T>(
  list: string,
  items: Iterable<T>,
  keyOf: (item: T) => string,
  { Limit: limit, Marker: token }: { Limit?: number | undefined; Marker?: string | undefined },
  defaultLimit?: number,
): Page<T> {
  const page = pager.page(list, items, keyOf, { limit: limit ?? defaultLimit, token });
  const { nextToken: NextMarker } = page;
  return { items: page.items, next: NextMarker === undefined ? { Truncated: false } : { NextMarker, Truncated: true } };
}
