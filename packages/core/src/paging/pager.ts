import { createHash } from 'node:crypto';
import type { AwsError } from '@emu/wire';

/** A page of a list. */
export interface Page<Item> {
  items: Item[];
  /** Token of the next page; undefined on the last. */
  nextToken: string | undefined;
}

/** Paging parameters of a listing. */
export interface PageRequest {
  /** Token of the page; undefined or empty for the first. */
  token?: string | undefined;
  /** Requested maximum of items. */
  limit?: number | undefined;
  /** Maximum of items for any `limit`. */
  maxLimit?: number | undefined;
  /** Whether the list is in descending order of keys. */
  descending?: boolean | undefined;
}

/** Rules of a paged list. */
export interface PagerOptions {
  /** Items of a page without a requested limit. */
  defaultLimit: number;
  /** Returns the error for an invalid token. */
  invalidToken(token: string): AwsError;
}

/** Characters of a token's checksum. */
const CHECK_LENGTH = 8;

/**
 * Cuts lists into pages. A token contains the key of the last item of the previous page, so that items created or
 * deleted in between are neither repeated nor skipped. It is opaque, and a token of another list is invalid.
 */
export class Pager {
  constructor(private readonly options: PagerOptions) {}

  /**
   * Returns one page of a list, in order of the items' keys.
   * @param listOf returns the identity of the list; called only for a request with a token
   * @param keyOf returns the unique key of an item
   * @throws AwsError of `invalidToken`
   */
  page<Item>(
    listOf: () => string,
    items: Iterable<Item>,
    keyOf: (item: Item) => string,
    { token, limit, maxLimit, descending = false }: PageRequest,
  ): Page<Item> {
    const after = token ? this.read(listOf(), token) : undefined;
    const precedes = descending ? (a: string, b: string) => a > b : (a: string, b: string) => a < b;
    const rest: { key: string; item: Item }[] = [];
    let sorted = true;
    for (const item of items) {
      const key = keyOf(item);
      if (after !== undefined && !precedes(after, key)) continue;
      if (rest.length > 0 && precedes(key, rest.at(-1)!.key)) sorted = false;
      rest.push({ key, item });
    }
    if (!sorted) rest.sort((a, b) => (precedes(a.key, b.key) ? -1 : 1));
    const page = rest.slice(0, Math.min(limit ?? this.options.defaultLimit, maxLimit ?? Number.POSITIVE_INFINITY));
    const last = page.at(-1);
    return {
      items: page.map(({ item }) => item),
      nextToken: last && page.length < rest.length ? this.write(listOf(), last.key) : undefined,
    };
  }

  /** Returns the token for the items after a key. */
  write(list: string, key: string): string {
    return Buffer.from(checkOf(list, key) + key).toString('base64url');
  }

  /** Returns the key in a token. @throws AwsError of `invalidToken` */
  read(list: string, token: string): string {
    const text = Buffer.from(token, 'base64url').toString();
    const key = text.slice(CHECK_LENGTH);
    if (text.slice(0, CHECK_LENGTH) !== checkOf(list, key)) throw this.options.invalidToken(token);
    return key;
  }
}

const checkOf = (list: string, key: string): string =>
  createHash('sha256').update(`${list}\0${key}`).digest('base64url').slice(0, CHECK_LENGTH);

/** Returns a key that sorts in numeric order. @param value an integer that is not negative */
export const numericKey = (value: number): string => String(value).padStart(16, '0');
