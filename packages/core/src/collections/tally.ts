/** Sums of a collection's records by group, updated with each change instead of recounted. */
export interface Tally {
  of(group: string): number;
}

/** The tally of a collection that reports its changes. */
export class GroupTally implements Tally {
  private readonly sums = new Map<string, number>();

  /**
   * @param groupOf group in which a record counts
   * @param weigh weight of a record
   */
  constructor(
    private readonly groupOf: (value: never) => string,
    private readonly weigh: (value: never) => number,
  ) {}

  of(group: string): number {
    return this.sums.get(group) ?? 0;
  }

  replace(previous: unknown, next: unknown): void {
    if (previous !== undefined) this.add(previous, -1);
    if (next !== undefined) this.add(next, 1);
  }

  clear(): void {
    this.sums.clear();
  }

  private add(value: unknown, times: 1 | -1): void {
    const group = this.groupOf(value as never);
    const sum = this.of(group) + times * this.weigh(value as never);
    if (sum) this.sums.set(group, sum);
    else this.sums.delete(group);
  }
}
