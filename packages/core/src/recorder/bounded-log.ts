/** Number of evicted entries at the front after which the list is shortened. */
const SHORTEN = 4096;
/** `bytes` of an evicted entry. */
const GONE = -1;

/** A value, with its approximate size in memory. */
export interface Entry<T> {
  value: T;
  bytes: number;
}

/** The newest of many values, limited by bytes. */
export class BoundedLog<T> {
  private entries: (Entry<T> | undefined)[] = [];
  /** Index of the oldest entry. */
  private first = 0;
  private size = 0;

  /** @param limit most bytes of the values; the newest one is always kept */
  constructor(private readonly limit: number) {}

  /** Appends a value; evicts the oldest ones above the limit. */
  push(value: T, bytes: number): Entry<T> {
    const entry = { value, bytes };
    this.entries.push(entry);
    this.size += bytes;
    this.shorten();
    return entry;
  }

  /** Replaces a value. */
  replace(entry: Entry<T>, value: T, bytes: number): void {
    entry.value = value;
    if (entry.bytes === GONE) return;
    this.size += bytes - entry.bytes;
    entry.bytes = bytes;
    this.shorten();
  }

  /** Returns every entry, oldest first. */
  list(): Entry<T>[] {
    return this.entries.slice(this.first) as Entry<T>[];
  }

  /** Removes all entries. @returns their number */
  clear(): number {
    const kept = this.list();
    for (const entry of kept) entry.bytes = GONE;
    this.entries = [];
    this.first = 0;
    this.size = 0;
    return kept.length;
  }

  private shorten(): void {
    const { entries } = this;
    while (this.size > this.limit && this.first < entries.length - 1) {
      const oldest = entries[this.first]!;
      this.size -= oldest.bytes;
      oldest.bytes = GONE;
      entries[this.first++] = undefined;
    }
    if (this.first < SHORTEN || this.first * 2 < entries.length) return;
    this.entries = entries.slice(this.first);
    this.first = 0;
  }
}
