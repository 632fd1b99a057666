import { invalidParameterValue, invalidValueFor } from './errors.ts';

const MAX_RESULTS = 1000;

/** One page of a list. */
export interface Page<Item> {
  items: Item[];
  /** Undefined on the last page, and where the caller did not ask for pages. */
  nextToken: string | undefined;
}

/**
 * Cuts a page out of a list that is ordered by name. The token is the last name of the page before, so that queues made
 * or deleted in between neither repeat nor skip others.
 * @param maxResults undefined: the first thousand, without a token
 * @throws AwsError `InvalidParameterValue`
 */
export function pageOf<Item extends { readonly name: string }>(
  items: readonly Item[],
  maxResults: number | undefined,
  token: string | undefined,
): Page<Item> {
  if (maxResults !== undefined && !(maxResults >= 1 && maxResults <= MAX_RESULTS))
    throw invalidValueFor('MaxResults', maxResults, `Must be between 1 and ${MAX_RESULTS}, if provided.`);
  const after = token ? readToken(token) : '';
  const rest = items.filter(({ name }) => name > after);
  const page = rest.slice(0, maxResults ?? MAX_RESULTS);
  const more = maxResults !== undefined && rest.length > page.length;
  return { items: page, nextToken: more ? writeToken(page.at(-1)!.name) : undefined };
}

const writeToken = (name: string): string => Buffer.from(`after ${name}`).toString('base64');

function readToken(token: string): string {
  const match = /^after ([A-Za-z0-9_.-]+)$/.exec(Buffer.from(token, 'base64').toString('latin1'));
  if (!match) throw invalidParameterValue('Invalid or expired next token.');
  return match[1]!;
}
