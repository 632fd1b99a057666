interface Entry<T> {
  readonly value: T;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** Cache with expiry in emulated time, for authorizer policies and integration responses. */
export class TimedCache<T> {
  private readonly entries = new Map<string, Entry<T>>();

  /** @param most maximum number of entries; the oldest are evicted */
  constructor(private readonly most: number) {}

  get size(): number {
    return this.entries.size;
  }

  /** @param now epoch milliseconds */
  get(key: string, now: number): T | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    if (entry.until > now) return entry.value;
    this.entries.delete(key);
    return undefined;
  }

  /**
   * @param now epoch milliseconds
   * @param life lifetime in milliseconds; 0 stores nothing
   */
  put(key: string, value: T, now: number, life: number): void {
    if (life <= 0) return;
    this.entries.delete(key);
    this.entries.set(key, { value, until: now + life });
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= this.most) break;
      this.entries.delete(oldest);
    }
  }

  /** Removes entries with a key prefix; all without one. */
  clear(prefix = ''): void {
    for (const key of this.entries.keys()) if (key.startsWith(prefix)) this.entries.delete(key);
  }
}
