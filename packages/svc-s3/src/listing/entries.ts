import { afterPrefix, sortKeyOf } from './key-order.ts';
import type { ObjectEntry, ObjectIndex } from './object-index.ts';

/** Parameters of a listing. */
export interface ListingQuery {
  readonly prefix: string;
  /** Undefined or empty for none. */
  readonly delimiter: string | undefined;
  /** Maximum number of entries. */
  readonly max: number;
  /** Exclusive start key; a common prefix skips all keys below it. */
  readonly after: string | undefined;
  /** Whether a common prefix that contains `after` is listed. */
  readonly intoPrefix?: boolean;
}

/** A listed entry: a key, or a common prefix. */
export type ListedEntry = { readonly entry: ObjectEntry } | { readonly commonPrefix: string };

/** Returns the common prefix of a key, through the first delimiter after the prefix. */
export function commonPrefixOf(key: string, prefix: string, delimiter: string | undefined): string | undefined {
  if (!delimiter) return undefined;
  const at = key.indexOf(delimiter, prefix.length);
  return at < 0 ? undefined : key.slice(0, at + delimiter.length);
}

/**
 * Yields a bucket's keys in byte order. A common prefix is yielded once: keys below it are skipped by a lookup of its
 * end.
 * @param accepts whether an entry is listed, e.g. unless its newest version is a delete marker
 * @param resume key included although it is not after `after`: its older versions follow
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

/** Returns the minimum sort key of the page. */
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
  // A marker below a common prefix means that the prefix was already listed.
  const next = common === undefined ? (resume === after ? marker : `${marker}\0`) : afterPrefix(sortKeyOf(common));
  if (next === undefined || next > least) return next;
  return least;
}
