import sortedBTree from 'sorted-btree';
import type { Item } from './values.ts';

// The package is CommonJS: the default import is `module.exports`, whose `default` is the class.
const BTree = sortedBTree.default;

/** Seconds before now at which expiry times are ignored, as a safeguard against milliseconds given as seconds. */
const MAX_AGE = 5 * 365 * 24 * 60 * 60;

/** Items of a table ordered by expiry time. */
export class ExpiryIndex {
  private readonly tree = new BTree<[seconds: number, identity: string], Item>(undefined, (a, b) => {
    return a[0] - b[0] || (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0);
  });

  /** @param attribute the attribute with the expiry time in epoch seconds */
  constructor(private readonly attribute: string) {}

  put(item: Item, identity: string): void {
    const seconds = this.secondsOf(item);
    if (seconds !== undefined) this.tree.set([seconds, identity], item);
  }

  delete(item: Item, identity: string): void {
    const seconds = this.secondsOf(item);
    if (seconds !== undefined) this.tree.delete([seconds, identity]);
  }

  clear(): void {
    this.tree.clear();
  }

  /** Returns the items that expired before a time in epoch milliseconds. */
  due(now: number): Item[] {
    const seconds = Math.floor(now / 1000);
    const items: Item[] = [];
    this.tree.forRange([seconds - MAX_AGE, ''], [seconds, ''], false, (_key, item) => {
      items.push(item);
    });
    return items;
  }

  private secondsOf(item: Item): number | undefined {
    const value = Object.hasOwn(item, this.attribute) ? item[this.attribute]!.N : undefined;
    return value === undefined ? undefined : Number(value);
  }
}
