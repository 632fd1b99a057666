import { Pager } from '@emu/core';
import { secretsError } from './errors.ts';

/** Most items of a page where the request does not say. */
const DEFAULT_LIMIT = 100;

const pager = new Pager({
  defaultLimit: DEFAULT_LIMIT,
  invalidToken: () => secretsError('InvalidNextTokenException', 'The NextToken value is invalid.'),
});

/** A part of a list, with the token of the next. */
export interface ListPage<T> {
  items: T[];
  NextToken?: string;
}

/**
 * One page of a list in an order of its own. The token holds the place and the key of the last item, so that deletions
 * between pages do no harm.
 * @param list name of the operation
 * @throws AwsError `InvalidNextTokenException` for a token that the operation did not give
 */
export function pageOf<T>(
  list: string,
  items: readonly T[],
  keyOf: (item: T) => string,
  { MaxResults, NextToken: token }: { MaxResults?: number | undefined; NextToken?: string | undefined },
  defaultLimit = DEFAULT_LIMIT,
): ListPage<T> {
  const limit = MaxResults ?? defaultLimit;
  let start = 0;
  if (token) {
    const [, position, key] = /^(\d+) (.*)$/s.exec(pager.read(list, token))!;
    const found = items.findIndex((item) => keyOf(item) === key);
    // Where the item has gone, the next has taken its place.
    start = found < 0 ? Number(position) - 1 : found + 1;
  }
  const page = items.slice(start, start + limit);
  if (start + limit >= items.length) return { items: page };
  return { items: page, NextToken: pager.write(list, `${start + limit} ${keyOf(page.at(-1)!)}`) };
}
