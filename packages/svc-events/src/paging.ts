import { invalid, invalidParameter } from './errors.ts';

const MOST = 100;

/**
 * One page of a list in order of keys. The token holds the last key, so that changes between pages do no harm.
 * @throws AwsError `ValidationException` for a token of nobody's
 */
export function pageOf<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  { NextToken: token, Limit: limit = MOST }: { NextToken?: string | undefined; Limit?: number | undefined },
): { items: T[]; NextToken?: string } {
  let start = 0;
  if (token !== undefined) {
    const after = Buffer.from(token, 'base64').toString('utf8');
    if (Buffer.from(after).toString('base64') !== token) throw invalidParameter('NextToken');
    const next = items.findIndex((item) => keyOf(item) > after);
    start = next < 0 ? items.length : next;
  }
  const page = items.slice(start, start + limit);
  if (start + limit >= items.length) return { items: page };
  return { items: page, NextToken: Buffer.from(keyOf(page.at(-1)!)).toString('base64') };
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
