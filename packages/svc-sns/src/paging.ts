import { type Page, Pager } from '@emu/core';
import { invalidParameter } from './errors.ts';

const pager = new Pager({ defaultLimit: 100, invalidToken: () => invalidParameter('NextToken') });

/**
 * One page of a list.
 * @param list name of the operation
 * @param keyOf what tells an item from all others; gives the order
 * @throws AwsError `InvalidParameter` for a token that the operation did not give
 */
export const pageOf = <Item>(
  list: string,
  items: Iterable<Item>,
  keyOf: (item: Item) => string,
  token: string | undefined,
  limit?: number,
): Page<Item> => pager.page(list, items, keyOf, { token, limit });
