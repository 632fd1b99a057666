import { invalidRequest } from './errors.ts';

/** A part of a list, with where the next begins. */
export interface Page<T> {
  items: T[];
  /** Undefined on the last page. */
  NextToken: string | undefined;
}

/**
 * One page of a list, in order of its keys.
 * @param keyOf what tells an item from all others; the token holds the last one's, so deletions between pages do no harm
 * @throws AwsError `InvalidRequest` for a token of nobody's
 */
export function paginate<T>(
  items: Iterable<T>,
  keyOf: (item: T) => string,
  { MaxResults, NextToken }: { MaxResults?: number | undefined; NextToken?: string | undefined },
  defaultSize = 1000,
): Page<T> {
  const after = NextToken === undefined ? undefined : readToken(NextToken);
  const sorted = [...items]
    .filter((item) => after === undefined || keyOf(item) > after)
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const page = sorted.slice(0, MaxResults || defaultSize);
  const last = page.at(-1);
  const more = last !== undefined && page.length < sorted.length;
  return { items: page, NextToken: more ? Buffer.from(`after:${keyOf(last)}`).toString('base64url') : undefined };
}

function readToken(token: string): string {
  const text = Buffer.from(token, 'base64url').toString();
  if (!text.startsWith('after:')) throw invalidRequest('The continuation token provided is incorrect');
  return text.slice('after:'.length);
}
