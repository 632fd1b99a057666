import { Pager } from '@emu/core';
import { invalid, invalidParameter } from './errors.ts';

const pager = new Pager({ defaultLimit: 100, invalidToken: () => invalidParameter('NextToken') });

/**
 * One page of a list in order of keys.
 * @param list name of the operation
 * @throws AwsError `ValidationException` for a token that the operation did not give
 */
export function pageOf<T>(
  list: string,
  items: readonly T[],
  keyOf: (item: T) => string,
  { NextToken: token, Limit: limit }: { NextToken?: string | undefined; Limit?: number | undefined },
): { items: T[]; NextToken: string | undefined } {
  const page = pager.page(list, items, keyOf, { token, limit });
  return { items: page.items, NextToken: page.nextToken };
}

/** Items whose names begin with a prefix, in order of their names. */
export const withPrefix = <T extends { readonly name: string }>(items: Iterable<T>, prefix: string | undefined): T[] =>
  [...items]
    .filter(({ name }) => prefix === undefined || name.startsWith(prefix))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

/**
 * Lists that take one filter at a time.
 * @throws AwsError `ValidationException`
 */
export function atMostOne(filters: Readonly<Record<string, unknown>>): void {
  if (Object.values(filters).filter((given) => given !== undefined).length > 1)
    throw invalid(
      `At most one filter is allowed for this operation. Valid filters are: ${Object.keys(filters).join(', ')}.`,
    );
}
