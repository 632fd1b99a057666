import sortedBTree from 'sorted-btree';
import { compareRange, hasIndexKey, type KeySchema, partitionHash, partitionText } from './keys.ts';
import type { Item } from './values.ts';

// The package is CommonJS: the default import is `module.exports`, whose `default` is the class.
const BTree = sortedBTree.default;

/** An item in an index, with its position and identity. */
export interface Entry {
  /** Hash of the partition key. */
  hash: number;
  /** Text of the partition key. */
  partition: string;
  /** Identity in the table, which distinguishes items of a secondary index with equal keys. */
  identity: string;
  item: Item;
}

/** A position between entries at which a page starts. */
export type Position = Pick<Entry, 'hash' | 'partition' | 'identity' | 'item'>;

/**
 * A position before or after all entries with the sort key of `item`, or of the whole partition if it has no sort key.
 */
interface Bound extends Position {
  side?: -1 | 1;
}

/**
 * Ordered items of a table or secondary index: partitions by key hash, items of a partition by sort key. Finding a
 * position takes logarithmic time.
 */
export class ItemIndex {
  private readonly tree;

  constructor(
    readonly schema: KeySchema,
    private readonly unique: boolean,
  ) {
    this.tree = new BTree<Bound, Entry>(undefined, (a: Bound, b: Bound) => this.compare(a, b));
  }

  get size(): number {
    return this.tree.size;
  }

  /** Whether an item has all key attributes with valid values and therefore belongs to the index. */
  covers(item: Item): boolean {
    return hasIndexKey(item, this.schema);
  }

  /** Returns the position of an item. */
  positionOf(item: Item, identity: string): Entry {
    const partition = partitionText(item, this.schema);
    return { hash: partitionHash(item, this.schema), partition, identity, item };
  }

  /** Whether a position is after another. */
  isBehind(place: Position, other: Position): boolean {
    return this.compare(place, other) > 0;
  }

  put(item: Item, identity: string): void {
    const entry = this.positionOf(item, identity);
    // Replaces the key too, so that the index does not retain old versions of an item.
    this.tree.set(entry, entry);
  }

  delete(item: Item, identity: string): void {
    this.tree.delete(this.positionOf(item, identity));
  }

  /**
   * Removes all entries.
   * @returns the removed entries in order, as a lazy iterable
   */
  takeAll(): Iterable<Entry> {
    const before = this.tree.clone();
    this.tree.clear();
    return before.values();
  }

  /** Returns the current entries in order, as a lazy snapshot unaffected by later changes. */
  held(): Iterable<Entry> {
    return this.tree.clone().values();
  }

  /**
   * Yields entries after a position, in order or in reverse.
   * @param from exclusive start position; undefined for the whole index
   */
  *after(from: Position | undefined, forward: boolean): Iterable<Entry> {
    if (forward) {
      for (const [, entry] of this.tree.entries(from)) {
        if (from && this.compare(entry, from) <= 0) continue;
        yield entry;
      }
    } else {
      for (const [, entry] of this.tree.entriesReversed(from, undefined, true)) yield entry;
    }
  }

  /** Returns the position before (`-1`) or after (`1`) all items of a key's partition. */
  partitionEdge(key: Item, side: -1 | 1): Position {
    return this.rangeEdge(key, {}, side);
  }

  /**
   * Returns the position before or after the items of a partition with the sort key of `range`; if `range` has only
   * leading sort key attributes, items that match these.
   */
  rangeEdge(key: Item, range: Item, side: -1 | 1): Position {
    const partition = partitionText(key, this.schema);
    const bound: Bound = { hash: partitionHash(key, this.schema), partition, identity: '', item: range, side };
    return bound;
  }

  /** Returns the position before all items with at least this hash, for segments of a parallel scan. */
  hashEdge(hash: number): Position {
    const bound: Bound = { hash, partition: '', identity: '', item: {}, side: -1 };
    return bound;
  }

  private compare(left: Bound, right: Bound): number {
    if (left.hash !== right.hash) return left.hash - right.hash;
    if (left.partition !== right.partition) {
      // A hash edge has no partition and sorts before all partitions with the hash.
      return left.partition < right.partition ? -1 : 1;
    }
    const order = compareRange(left.item, right.item, this.schema);
    if (order !== 0) return order;
    if (left.side !== undefined) return left.side;
    if (right.side !== undefined) return -right.side;
    if (this.unique) return 0;
    return left.identity < right.identity ? -1 : left.identity > right.identity ? 1 : 0;
  }
}
