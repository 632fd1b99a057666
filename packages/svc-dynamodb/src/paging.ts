import { type Page, Pager } from '@emu/core';
import { invalid } from './context.ts';

/** Pages of the lists whose tokens are opaque; those that go by a key the client knows have none. */
export const pager = new Pager({ defaultLimit: 100, invalidToken: () => invalid('Invalid NextToken') });

/** The shape that tokens of ListImports have: groups of 16 hexadecimal digits, at least seven of them. */
const GROUP = 16;
const MIN_LENGTH = 112;

/**
 * One page of a list whose tokens are hexadecimal.
 * @param list name of the operation
 * @throws AwsError `ValidationException` for a token that the operation did not give
 */
export function hexPage<Item>(
  list: string,
  items: Iterable<Item>,
  keyOf: (item: Item) => string,
  { token, limit }: { token: string | undefined; limit: number },
): Page<Item> {
  const given = token === undefined ? undefined : Buffer.from(token, 'hex').toString().replace(/\0+$/, '');
  const { items: page, nextToken } = pager.page(list, items, keyOf, { token: given, limit });
  if (nextToken === undefined) return { items: page, nextToken };
  const hex = Buffer.from(nextToken).toString('hex');
  return { items: page, nextToken: hex.padEnd(Math.max(MIN_LENGTH, Math.ceil(hex.length / GROUP) * GROUP), '0') };
}
