import { sortKeyOf } from '../listing/key-order.ts';
import type { ObjectEntry } from '../listing/object-index.ts';
import type { Bucket } from './bucket.ts';

/** Number of keys looked up at a time. */
const PAGE = 1000;

/** Yields keys with a prefix in batches; the bucket may change in between. */
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
