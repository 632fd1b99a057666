interface Bucket {
  tokens: number;
  /** When the tokens were counted, in epoch milliseconds. */
  at: number;
}

/** Rates: each key has a bucket of tokens that fills as the emulated time goes by. */
export class TokenBuckets {
  private readonly buckets = new Map<string, Bucket>();

  /**
   * Takes tokens.
   * @param rate tokens that come per second
   * @param size most tokens that a bucket holds
   * @param now emulated time in epoch milliseconds; where it was set back, no tokens come
   * @returns false, and takes none, where there are too few
   */
  take(key: string, tokens: number, rate: number, size: number, now: number): boolean {
    const bucket = this.buckets.get(key) ?? { tokens: size, at: now };
    const come = (Math.max(now - bucket.at, 0) * rate) / 1000;
    bucket.tokens = Math.min(bucket.tokens + come, size);
    bucket.at = now;
    this.buckets.set(key, bucket);
    // A request that takes more than a bucket holds would never be let in: a full one has enough.
    if (size <= 0 || bucket.tokens < Math.min(tokens, size)) return false;
    bucket.tokens -= tokens;
    return true;
  }

  /** Fills all buckets. */
  clear(): void {
    this.buckets.clear();
  }
}
