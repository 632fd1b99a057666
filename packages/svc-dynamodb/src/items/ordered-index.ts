import sortedBTree from 'sorted-btree';
import { compareRange, hasIndexKey, type KeySchema, partitionHash, partitionText } from './keys.ts';
import type { Item } from './values.ts';

// The package is CommonJS: what `import` gives is its exports, and the class is their `default`.
const BTree = sortedBTree.default;

/** An item in an index: where it lies, and which it is. */
export interface Entry {
  /** Hash of the partition key. */
  hash: number;
  /** Text of the partition key. */
  partition: string;
  /** Identity in the table: tells items of a secondary index with equal keys apart. */
  identity: string;
  item: Item;
}

/** A place between entries, from which a page starts. */
export type Position = Pick<Entry, 'hash' | 'partition' | 'identity' | 'item'>;

/** A place between entries: before or behind all whose sort key is that of `item`, or the whole partition where it has none. */
interface Bound extends Position {
  side?: -1 | 1;
}

/**
 * The items of a table or a secondary index in order: partitions by the hash of their key, within one by sort key.
 * Finding a place costs the logarithm of the number of items.
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

  /** Whether an item has all key attributes, as they may be, and so belongs here. */
  covers(item: Item): boolean {
    return hasIndexKey(item, this.schema);
  }

  /** The place of an item. */
  positionOf(item: Item, identity: string): Entry {
    const partition = partitionText(item, this.schema);
    return { hash: partitionHash(item, this.schema), partition, identity, item };
  }

  /** Whether a place lies behind another. */
  isBehind(place: Position, other: Position): boolean {
    return this.compare(place, other) > 0;
  }

  put(item: Item, identity: string): void {
    const entry = this.positionOf(item, identity);
    // Setting replaces the key too, so that the index never keeps an old version of an item alive.
    this.tree.set(entry, entry);
  }

  delete(item: Item, identity: string): void {
    this.tree.delete(this.positionOf(item, identity));
  }

  /** Removes everything at once. @returns what there was, in order; read as it is asked for */
  takeAll(): Iterable<Entry> {
    const before = this.tree.clone();
    this.tree.clear();
    return before.values();
  }

  /** What there is now, in order; read as it is asked for, whatever changes meanwhile. */
  held(): Iterable<Entry> {
    return this.tree.clone().values();
  }

  /**
   * Entries after a place, in order or in reverse.
   * @param from the place to start behind; the whole index where undefined
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

  /** The place before (`-1`) or behind (`1`) all items of the partition of a key. */
  partitionEdge(key: Item, side: -1 | 1): Position {
    return this.rangeEdge(key, {}, side);
  }

  /**
   * The place before or behind the items of a partition whose sort key is that of `range`; where it has only the
   * first of several sort key attributes, those that agree in it.
   */
  rangeEdge(key: Item, range: Item, side: -1 | 1): Position {
    const partition = partitionText(key, this.schema);
    const bound: Bound = { hash: partitionHash(key, this.schema), partition, identity: '', item: range, side };
    return bound;
  }

  /** The place before all items with a hash of at least this, for segments of a parallel scan. */
  hashEdge(hash: number): Position {
    const bound: Bound = { hash, partition: '', identity: '', item: {}, side: -1 };
    return bound;
  }

  private compare(left: Bound, right: Bound): number {
    if (left.hash !== right.hash) return left.hash - right.hash;
    if (left.partition !== right.partition) {
      // An edge of the hash space has no partition and lies before all of them.
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
