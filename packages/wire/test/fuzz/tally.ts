/** Counts actions by name, so that a run can prove that it covered every kind. */
export class Tally {
  readonly counts: Record<string, number> = {};
  private readonly turns = new Map<string, number>();

  /** @param names of actions required at least once; counted from zero */
  constructor(names: Iterable<string> = []) {
    for (const name of names) this.counts[name] = 0;
  }

  add(name: string): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }

  /** Returns the next entry of a table, counted as `<table>:<index>`, in rotation, so that a short run covers all. */
  next<T>(table: string, values: readonly T[]): T {
    const turn = this.turns.get(table) ?? 0;
    this.turns.set(table, turn + 1);
    const index = turn % values.length;
    this.add(entryName(table, index));
    return values[index]!;
  }

  /** Returns the names of missing actions. */
  missing(): string[] {
    return Object.keys(this.counts).filter((name) => this.counts[name] === 0);
  }
}

/** Returns the names of table entries. */
export const entryNames = (tables: Record<string, readonly unknown[]>): string[] =>
  Object.entries(tables).flatMap(([table, values]) => values.map((_, index) => entryName(table, index)));

const entryName = (table: string, index: number): string => `${table}:${index}`;
