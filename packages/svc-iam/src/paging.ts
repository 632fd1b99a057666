import { type OperationContext, Pager } from '@emu/core';
import { invalid } from './errors.ts';

/** What a listing is asked for. */
export interface PageRequest {
  MaxItems?: number | undefined;
  Marker?: string | undefined;
}

/** A part of a list; `page` are the members of the answer that tell where the next part begins. */
export interface Page<T> {
  items: T[];
  page: { IsTruncated: boolean; Marker?: string };
}

const pager = new Pager({ defaultLimit: 100, invalidToken: () => invalid('Invalid Marker.') });

/**
 * One page of an operation's list, in the order of its keys.
 * @param keyOf what tells an item from all others
 * @throws AwsError `ValidationError` for a marker that the operation never gave
 */
export function paginate<T>(
  { operation }: Pick<OperationContext, 'operation'>,
  items: Iterable<T>,
  keyOf: (item: T) => string,
  { MaxItems: limit, Marker: token }: PageRequest,
): Page<T> {
  const { items: part, nextToken } = pager.page(operation, items, keyOf, { token, limit });
  return {
    items: part,
    page: nextToken === undefined ? { IsTruncated: false } : { IsTruncated: true, Marker: nextToken },
  };
}
