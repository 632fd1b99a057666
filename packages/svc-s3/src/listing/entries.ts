import { afterPrefix, sortKeyOf } from './key-order.ts';
import type { ObjectEntry, ObjectIndex } from './object-index.ts';

/** What a listing is asked for. */
export interface ListingQuery {
  readonly prefix: string;
  /** Undefined, or empty, for none. */
  readonly delimiter: string | undefined;
  /** Entries of the page. */
  readonly max: number;
  /** Key after which the page starts; a common prefix skips everything under it. */
  readonly after: string | undefined;
  /** Whether a common prefix is listed although `after` is under it. */
  readonly intoPrefix?: boolean;
}

/** One entry of a page: a key, or what keys share up to the delimiter. */
export type ListedEntry = { readonly entry: ObjectEntry } | { readonly commonPrefix: string };

/** The common prefix of a key, up to and with the first delimiter after the prefix. */
export function commonPrefixOf(key: string, prefix: string, delimiter: string | undefined): string | undefined {
  if (!delimiter) return undefined;
  const at = key.indexOf(delimiter, prefix.length);
  return at < 0 ? undefined : key.slice(0, at + delimiter.length);
}

/**
 * Walks a bucket's keys in the order of their bytes. A common prefix is seen once: what is under it is skipped by
 * looking up its end, not by reading it.
 * @param accepts whether an entry is listed, e.g. not where its newest version is a delete marker
 * @param resume a key that is to be looked at although it is not after `after`: its older versions are still to come
 */
export function* walk(
  index: ObjectIndex,
  { prefix, delimiter, after, intoPrefix }: Omit<ListingQuery, 'max'>,
  accepts: (entry: ObjectEntry) => boolean,
  resume?: string,
): Generator<ListedEntry> {
  let from: string | undefined = startOf(prefix, intoPrefix ? undefined : delimiter, after, resume);
  while (from !== undefined) {
    let jump: string | undefined;
    for (const entry of index.from(from)) {
      const { key } = entry;
      if (!key.startsWith(prefix)) return;
      if (!accepts(entry)) continue;
      const common = commonPrefixOf(key, prefix, delimiter);
      if (common === undefined) {
        yield { entry };
        continue;
      }
      yield { commonPrefix: common };
      jump = afterPrefix(sortKeyOf(common));
      break;
    }
    from = jump;
  }
}

/** The least sort key that the page may hold. */
function startOf(
  prefix: string,
  delimiter: string | undefined,
  after: string | undefined,
  resume: string | undefined,
): string | undefined {
  const least = sortKeyOf(prefix);
  if (after === undefined || after === '') return least;
  const marker = sortKeyOf(after);
  const common = after.startsWith(prefix) ? commonPrefixOf(after, prefix, delimiter) : undefined;
  // A marker inside a common prefix means that the prefix was listed already.
  const next = common === undefined ? (resume === after ? marker : `${marker}\0`) : afterPrefix(sortKeyOf(common));
  if (next === undefined || next > least) return next;
  return least;
}
