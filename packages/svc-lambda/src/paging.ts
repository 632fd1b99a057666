import { Pager } from '@emu/core';
import { invalid } from './errors.ts';

/** What a request says about the part of a list it wants. */
export interface PageRequest {
  Marker?: string | undefined;
  MaxItems?: number | undefined;
}

const pager = new Pager({ defaultLimit: 50, invalidToken: () => invalid('The provided marker is invalid.') });

/**
 * One page of an operation's list, in order of its keys.
 * @param keyOf what tells an item from all others
 * @param most items in a page, whatever the request asks for
 * @throws AwsError `InvalidParameterValueException` for a marker that the operation never gave
 */
export function paginate<T>(
  { operation }: { readonly operation: string },
  items: Iterable<T>,
  keyOf: (item: T) => string,
  { Marker: token, MaxItems }: PageRequest,
  most = 50,
): { items: T[]; next: { NextMarker?: string } } {
  const limit = Math.min(MaxItems ?? most, most);
  const { items: part, nextToken } = pager.page(operation, items, keyOf, { token, limit });
  return { items: part, next: nextToken === undefined ? {} : { NextMarker: nextToken } };
}
