/** How much of each group there is in a collection: kept as records come and go, never counted anew. */
export interface Tally {
  of(group: string): number;
}

/** The tally of a collection, which tells it of records as it keeps them, whatever they are. */
export class GroupTally implements Tally {
  private readonly sums = new Map<string, number>();

  /**
   * @param groupOf the group that a record counts in
   * @param weigh how much it counts there
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
