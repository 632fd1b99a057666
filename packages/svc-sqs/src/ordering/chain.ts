/** A member of a chain with its own links, so that removal is O(1) and needs no extra object. */
export interface Chained<Item> {
  previous: Item | undefined;
  next: Item | undefined;
  /** Its chain, if any. */
  chain: object | undefined;
}

/** A doubly linked list through its members; a member is in one chain at a time. */
export class Chain<Item extends Chained<Item>> {
  first: Item | undefined;
  last: Item | undefined;

  has(item: Item): boolean {
    return item.chain === this;
  }

  append(item: Item): void {
    this.insertAfter(this.last, item);
  }

  /** Inserts an item after another, or first if that is undefined. */
  insertAfter(previous: Item | undefined, item: Item): void {
    const next = previous ? previous.next : this.first;
    item.previous = previous;
    item.next = next;
    item.chain = this;
    if (previous) previous.next = item;
    else this.first = item;
    if (next) next.previous = item;
    else this.last = item;
  }

  /** Removes an item; no effect if it is not in this chain. */
  remove(item: Item): void {
    if (!this.has(item)) return;
    const { previous, next } = item;
    if (previous) previous.next = next;
    else this.first = next;
    if (next) next.previous = previous;
    else this.last = previous;
    item.previous = undefined;
    item.next = undefined;
    item.chain = undefined;
  }
}
