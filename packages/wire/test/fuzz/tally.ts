/** Counts what was done, by name, so that a run can show that it left no kind out. */
export class Tally {
  readonly counts: Record<string, number> = {};
  private readonly turns = new Map<string, number>();

  /** @param names what is to be done at least once; it counts from zero */
  constructor(names: Iterable<string> = []) {
    for (const name of names) this.counts[name] = 0;
  }

  add(name: string): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }

  /** The next entry of a table, counted as `<table>:<index>`: in turn, so that a short run leaves none out. */
  next<T>(table: string, values: readonly T[]): T {
    const turn = this.turns.get(table) ?? 0;
    this.turns.set(table, turn + 1);
    const index = turn % values.length;
    this.add(entryName(table, index));
    return values[index]!;
  }

  /** The names of what was never done. */
  missing(): string[] {
    return Object.keys(this.counts).filter((name) => this.counts[name] === 0);
  }
}

/** How the entries of tables are counted. */
export const entryNames = (tables: Record<string, readonly unknown[]>): string[] =>
  Object.entries(tables).flatMap(([table, values]) => values.map((_, index) => entryName(table, index)));

const entryName = (table: string, index: number): string => `${table}:${index}`;
