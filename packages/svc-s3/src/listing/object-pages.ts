import type { Bucket } from '../buckets/bucket.ts';
import { sortKeyOf } from './key-order.ts';
import type { ObjectEntry } from './object-index.ts';

/** Keys that are looked up at a time. */
const PAGE = 1000;

/** The keys of a bucket that begin with a prefix, some at a time: while they are gone through the bucket may change. */
export function* entries(bucket: Bucket, prefix: string): Generator<ObjectEntry> {
  let from = sortKeyOf(prefix);
  for (;;) {
    const page: ObjectEntry[] = [];
    for (const entry of bucket.objects.from(from)) {
      if (!entry.key.startsWith(prefix)) break;
      if (page.push(entry) === PAGE) break;
    }
    yield* page;
    if (page.length < PAGE) return;
    from = `${sortKeyOf(page.at(-1)!.key)}\0`;
  }
}
