import { invalidParameter } from './errors.ts';

/** One page of a list. */
export interface Page<Item> {
  items: Item[];
  /** Undefined on the last page. */
  nextToken: string | undefined;
}

/** Most entries of a page where the request does not say. */
export const PAGE_SIZE = 100;

/**
 * Cuts a page out of a list. The token names the last key of the page before, so that entries made or deleted in between
 * neither repeat nor skip others.
 * @param keyOf what the list is sorted by here
 * @throws AwsError `InvalidParameter` for a token that is none
 */
export function pageOf<Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => string,
  token: string | undefined,
  size = PAGE_SIZE,
): Page<Item> {
  const after = token === undefined ? undefined : readToken(token);
  const rest: { key: string; item: Item }[] = [];
  for (const item of items) {
    const key = keyOf(item);
    if (after === undefined || key > after) rest.push({ key, item });
  }
  rest.sort((a, b) => (a.key < b.key ? -1 : 1));
  const page = rest.slice(0, size);
  const nextToken = rest.length > page.length ? writeToken(page.at(-1)!.key) : undefined;
  return { items: page.map(({ item }) => item), nextToken };
}

const PREFIX = 'after ';

const writeToken = (key: string): string => Buffer.from(PREFIX + key).toString('base64');

function readToken(token: string): string {
  const text = Buffer.from(token, 'base64').toString();
  if (!text.startsWith(PREFIX)) throw invalidParameter('NextToken');
  return text.slice(PREFIX.length);
}
