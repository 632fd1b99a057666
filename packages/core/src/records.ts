/** A bounded list of what happened, for an introspection route: the oldest entries give way to new ones. */
export class RecordBuffer<T> {
  private readonly items: T[] = [];
  private start = 0;

  /** @param limit most entries kept */
  constructor(private readonly limit = 10_000) {}

  get size(): number {
    return this.items.length;
  }

  add(item: T): void {
    if (this.items.length < this.limit) {
      this.items.push(item);
      return;
    }
    this.items[this.start] = item;
    this.start = (this.start + 1) % this.limit;
  }

  /** Every entry, oldest first. */
  list(): T[] {
    return [...this.items.slice(this.start), ...this.items.slice(0, this.start)];
  }

  /** Drops the entries that `matches` names, or all. */
  clear(matches?: (item: T) => boolean): void {
    const kept = matches ? this.list().filter((item) => !matches(item)) : [];
    this.items.length = 0;
    for (const item of kept) this.items.push(item);
    this.start = 0;
  }
}
