interface Entry<T> {
  readonly value: T;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** Values that are good for a while of the emulated time, as policies of authorizers and responses of integrations. */
export class TimedCache<T> {
  private readonly entries = new Map<string, Entry<T>>();

  /** @param most entries that are kept; the oldest go first */
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
   * @param life milliseconds for which the value is good; none is kept without
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

  /** Forgets what begins with a prefix; everything without one. */
  clear(prefix = ''): void {
    for (const key of this.entries.keys()) if (key.startsWith(prefix)) this.entries.delete(key);
  }
}
