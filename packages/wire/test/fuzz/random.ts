/** Pseudo-random choices, equal for equal seeds. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0;
  }

  /** Returns an integer from 0 to below a limit. */
  below(limit: number): number {
    // mulberry32
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  /** Returns one of some values. */
  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }

  /** Returns true in one of a number of calls, on average. */
  once(of: number): boolean {
    return this.below(of) === 0;
  }

  /** Returns some values in random order. */
  shuffled<T>(values: readonly T[]): T[] {
    const shuffled = [...values];
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
    }
    return shuffled;
  }
}
