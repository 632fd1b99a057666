/** Entries that have gone from the front after which the list is shortened. */
const SHORTEN = 4096;
/** Bytes of an entry that is kept no more. */
const GONE = -1;

/** Something that is kept, with the bytes that it takes of memory, about. */
export interface Entry<T> {
  value: T;
  bytes: number;
}

/** The newest of many values, within a number of bytes. */
export class BoundedLog<T> {
  private entries: (Entry<T> | undefined)[] = [];
  /** Where the oldest one is. */
  private first = 0;
  private size = 0;

  /** @param limit bytes that the values may take; the newest one stays whatever it takes */
  constructor(private readonly limit: number) {}

  /** Appends a value; the oldest ones go where there is no room. */
  push(value: T, bytes: number): Entry<T> {
    const entry = { value, bytes };
    this.entries.push(entry);
    this.size += bytes;
    this.shorten();
    return entry;
  }

  /** Puts another value in the place of one. */
  replace(entry: Entry<T>, value: T, bytes: number): void {
    entry.value = value;
    if (entry.bytes === GONE) return;
    this.size += bytes - entry.bytes;
    entry.bytes = bytes;
    this.shorten();
  }

  /** Every entry, oldest first. */
  list(): Entry<T>[] {
    return this.entries.slice(this.first) as Entry<T>[];
  }

  /** Forgets all. @returns how many there were */
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
