import { type Page, Pager } from '@emu/core';
import { invalidParameterValue, invalidValueFor } from './errors.ts';

const MAX_RESULTS = 1000;

const pager = new Pager({
  defaultLimit: MAX_RESULTS,
  invalidToken: () => invalidParameterValue('Invalid or expired next token.'),
});

/**
 * A part of a list of queues, by name. Who does not say how many gets the first thousand, without a token.
 * @param list name of the operation
 * @throws AwsError `InvalidParameterValue`
 */
export function pageOf<Item extends { readonly name: string }>(
  list: string,
  items: readonly Item[],
  { MaxResults: limit, NextToken: token }: { MaxResults?: number | undefined; NextToken?: string | undefined },
): Page<Item> {
  if (limit !== undefined && !(limit >= 1 && limit <= MAX_RESULTS))
    throw invalidValueFor('MaxResults', limit, `Must be between 1 and ${MAX_RESULTS}, if provided.`);
  const page = pager.page(list, items, ({ name }) => name, { token, limit });
  return limit === undefined ? { ...page, nextToken: undefined } : page;
}
