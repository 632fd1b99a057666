/** How much a `RecordBuffer` keeps, besides the number of its entries. */
export interface RecordWeight<T> {
  /** Most bytes, or whatever `of` counts, of all entries; a single one may be heavier. */
  readonly limit: number;
  /** What an entry weighs; always the same for the same entry. */
  of(item: T): number;
}

/** A bounded list of what happened, for an introspection route: the oldest entries give way to new ones. */
export class RecordBuffer<T> {
  /** Oldest first; those before `first` are gone. */
  private items: T[] = [];
  private first = 0;
  private weight = 0;

  /**
   * @param limit most entries kept
   * @param heavy for entries that may be large: they give way by their weight too
   */
  constructor(
    private readonly limit = 10_000,
    private readonly heavy?: RecordWeight<T>,
  ) {}

  get size(): number {
    return this.items.length - this.first;
  }

  add(item: T): void {
    const { heavy } = this;
    this.items.push(item);
    if (heavy) this.weight += heavy.of(item);
    while (this.size > this.limit || (heavy && this.weight > heavy.limit && this.size > 1)) this.dropOldest();
  }

  /** Every entry, oldest first. */
  list(): T[] {
    return this.items.slice(this.first);
  }

  /** Drops the entries that `matches` names, or all. */
  clear(matches?: (item: T) => boolean): void {
    this.items = matches ? this.list().filter((item) => !matches(item)) : [];
    this.first = 0;
    this.weight = 0;
    if (this.heavy) for (const item of this.items) this.weight += this.heavy.of(item);
  }

  private dropOldest(): void {
    if (this.heavy) this.weight -= this.heavy.of(this.items[this.first]!);
    // Dropped at once, for the list itself is only shortened now and then.
    this.items[this.first++] = undefined as never;
    if (this.first < this.limit) return;
    this.items = this.items.slice(this.first);
    this.first = 0;
  }
}
