/** Limit of a `RecordBuffer` besides its number of entries. */
export interface RecordWeight<T> {
  /** Maximum of all entries in bytes, or in the unit of `of`; a single entry may exceed it. */
  readonly limit: number;
  /** Returns the weight of an entry; always the same for the same entry. */
  of(item: T): number;
}

/** A bounded list of events for an introspection route: new entries evict the oldest. */
export class RecordBuffer<T> {
  /** Oldest first; entries before `first` are evicted. */
  private items: T[] = [];
  private first = 0;
  private weight = 0;

  /**
   * @param limit most entries
   * @param heavy limits the weight too, for entries that may be large
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

  /** Returns every entry, oldest first. */
  list(): T[] {
    return this.items.slice(this.first);
  }

  /** Drops the entries that match, or all. */
  clear(matches?: (item: T) => boolean): void {
    this.items = matches ? this.list().filter((item) => !matches(item)) : [];
    this.first = 0;
    this.weight = 0;
    if (this.heavy) for (const item of this.items) this.weight += this.heavy.of(item);
  }

  private dropOldest(): void {
    if (this.heavy) this.weight -= this.heavy.of(this.items[this.first]!);
    // Released at once, as the list itself is shortened only occasionally.
    this.items[this.first++] = undefined as never;
    if (this.first < this.limit) return;
    this.items = this.items.slice(this.first);
    this.first = 0;
  }
}
