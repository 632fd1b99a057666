import { createHash } from 'node:crypto';
import type { AwsError } from '@emu/wire';

/** A part of a list. */
export interface Page<Item> {
  items: Item[];
  /** Where the next part begins; undefined on the last. */
  nextToken: string | undefined;
}

/** What a listing is asked for. */
export interface PageRequest {
  /** Undefined or empty for the first part. */
  token?: string | undefined;
  /** Most items of the part. */
  limit?: number | undefined;
  /** Most items of the part, whatever `limit` asks for. */
  maxLimit?: number | undefined;
  /** Whether the item of the greatest key comes first. */
  descending?: boolean | undefined;
}

/** How lists are paged. */
export interface PagerOptions {
  /** Items of a part where the request does not say. */
  defaultLimit: number;
  /** What is thrown for a token that no listing of this kind gave. */
  invalidToken(token: string): AwsError;
}

/** Characters of the check that tells tokens from garbage. */
const CHECK_LENGTH = 8;

/**
 * Cuts lists into parts. A token holds the key of the last item of the part before, so that what is made or deleted in
 * between neither repeats nor skips others; it is opaque, and one of another list is refused as garbage is.
 */
export class Pager {
  constructor(private readonly options: PagerOptions) {}

  /**
   * One part of a list, in order of the items' keys.
   * @param listOf what tells this list from all others, asked only where there is a token
   * @param keyOf what tells an item from all others of the list
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

  /** A token for what follows the item of a key. */
  write(list: string, key: string): string {
    return Buffer.from(checkOf(list, key) + key).toString('base64url');
  }

  /** The key in a token. @throws AwsError of `invalidToken` */
  read(list: string, token: string): string {
    const text = Buffer.from(token, 'base64url').toString();
    const key = text.slice(CHECK_LENGTH);
    if (text.slice(0, CHECK_LENGTH) !== checkOf(list, key)) throw this.options.invalidToken(token);
    return key;
  }
}

const checkOf = (list: string, key: string): string =>
  createHash('sha256').update(`${list}\0${key}`).digest('base64url').slice(0, CHECK_LENGTH);

/** A key that sorts as a number does. @param value whole and not negative */
export const numericKey = (value: number): string => String(value).padStart(16, '0');
