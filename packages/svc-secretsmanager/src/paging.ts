import { secretsError } from './errors.ts';

/** A part of a list, with the token of the next. */
export interface Page<T> {
  items: T[];
  NextToken?: string;
}

/**
 * One page of a list. The token holds the key of the last item, so that deletions between pages do no harm.
 * @throws AwsError `InvalidNextTokenException`
 */
export function pageOf<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  limit: number,
  token: string | undefined,
): Page<T> {
  let start = 0;
  if (token !== undefined) {
    const [position, key] = decode(token);
    const found = items.findIndex((item) => keyOf(item) === key);
    // Where the item has gone, the next has taken its place.
    start = found < 0 ? Math.max(0, position - 1) : found + 1;
  }
  const page = items.slice(start, start + limit);
  if (start + limit >= items.length) return { items: page };
  const next = JSON.stringify([start + limit, keyOf(page.at(-1)!)]);
  return { items: page, NextToken: Buffer.from(next).toString('base64') };
}

function decode(token: string): [number, string] {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64').toString('utf8'));
    if (Array.isArray(value) && typeof value[0] === 'number' && typeof value[1] === 'string')
      return [Math.max(0, value[0]), value[1]];
  } catch {
    // No token of ours.
  }
  throw secretsError('InvalidNextTokenException', 'The NextToken value is invalid.');
}
