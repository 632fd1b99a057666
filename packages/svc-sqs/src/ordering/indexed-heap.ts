/** Children per node: a wider heap is flatter, and siblings share a cache line. */
const ARITY = 4;

/**
 * A priority queue of items, smallest key first, with removal of any item. Each item stores its heap position in its
 * property `slot` (-1 outside of a heap), so that insertion, removal and key changes cost O(log n) without a search.
 */
export class IndexedHeap<Slot extends string, Item extends Record<Slot, number>> {
  private readonly items: Item[] = [];
  /** Keys beside the items, so that comparisons do not access items. */
  private readonly keys: number[] = [];

  constructor(private readonly slot: Slot) {}

  get size(): number {
    return this.items.length;
  }

  /** Smallest key; `Infinity` if empty. */
  get firstKey(): number {
    return this.keys.length ? this.keys[0]! : Number.POSITIVE_INFINITY;
  }

  /** Item with the smallest key. */
  get first(): Item | undefined {
    return this.items[0];
  }

  has(item: Item): boolean {
    return item[this.slot] >= 0;
  }

  push(item: Item, key: number): void {
    const index = this.items.push(item) - 1;
    this.keys.push(key);
    this.siftUp(index, item, key);
  }

  /** Removes and returns the item with the smallest key. */
  shift(): Item | undefined {
    const item = this.items[0];
    if (item) this.remove(item);
    return item;
  }

  /** Removes an item; no effect if it is not in the heap. */
  remove(item: Item): void {
    const index = item[this.slot];
    if (index < 0) return;
    this.place(item, -1);
    const last = this.items.pop()!;
    const key = this.keys.pop()!;
    if (last === item) return;
    if (index > 0 && key < this.keys[(index - 1) >> 2]!) this.siftUp(index, last, key);
    else this.siftDown(index, last, key);
  }

  /** Removes all items. */
  clear(): void {
    for (const item of this.items) this.place(item, -1);
    this.items.length = 0;
    this.keys.length = 0;
  }

  /** Yields all items in no particular order; the heap must not change meanwhile. */
  values(): IterableIterator<Item> {
    return this.items.values();
  }

  private place(item: Item, index: number): void {
    (item as Record<Slot, number>)[this.slot] = index;
  }

  private siftUp(start: number, item: Item, key: number): void {
    const { items, keys } = this;
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 2;
      if (keys[parent]! <= key) break;
      this.move(parent, index);
      index = parent;
    }
    items[index] = item;
    keys[index] = key;
    this.place(item, index);
  }

  private siftDown(start: number, item: Item, key: number): void {
    const { items, keys } = this;
    let index = start;
    for (;;) {
      const from = index * ARITY + 1;
      if (from >= items.length) break;
      let child = from;
      const end = Math.min(from + ARITY, items.length);
      for (let sibling = from + 1; sibling < end; sibling++) if (keys[sibling]! < keys[child]!) child = sibling;
      if (keys[child]! >= key) break;
      this.move(child, index);
      index = child;
    }
    items[index] = item;
    keys[index] = key;
    this.place(item, index);
  }

  private move(from: number, to: number): void {
    const item = this.items[from]!;
    this.items[to] = item;
    this.keys[to] = this.keys[from]!;
    this.place(item, to);
  }
}
