interface Bucket {
  tokens: number;
  /** Time of the last update of the tokens, in epoch milliseconds. */
  at: number;
}

/** Rate limits: each key has a bucket of tokens that refills with the emulated time. */
export class TokenBuckets {
  private readonly buckets = new Map<string, Bucket>();

  /**
   * Takes tokens.
   * @param rate new tokens per second
   * @param size capacity of a bucket
   * @param now emulated time in epoch milliseconds; an earlier time than before adds no tokens
   * @returns false, and takes none, if the tokens do not suffice
   */
  take(key: string, tokens: number, rate: number, size: number, now: number): boolean {
    const bucket = this.buckets.get(key) ?? { tokens: size, at: now };
    const come = (Math.max(now - bucket.at, 0) * rate) / 1000;
    bucket.tokens = Math.min(bucket.tokens + come, size);
    bucket.at = now;
    this.buckets.set(key, bucket);
    // A request that needs more than the capacity would never succeed: a full bucket suffices.
    if (size <= 0 || bucket.tokens < Math.min(tokens, size)) return false;
    bucket.tokens -= tokens;
    return true;
  }

  /** Refills all buckets. */
  clear(): void {
    this.buckets.clear();
  }
}
