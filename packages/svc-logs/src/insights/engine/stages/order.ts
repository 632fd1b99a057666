import type { Compiled } from '../functions/function.ts';
import type { Row } from '../row.ts';
import { isStructure, numberOf, scalarText, type Value } from '../values.ts';
import type { MakeStage, Stage } from './stage.ts';

/** A sort key. */
export interface SortKey {
  readonly of: Compiled;
  readonly descending: boolean;
}

interface Keyed {
  readonly row: Row;
  readonly keys: readonly Value[];
}

/**
 * Sorts rows.
 * @param bound number of first rows needed; at most twice as many are stored
 */
export const sortStage =
  (keys: readonly SortKey[], bound: number): MakeStage =>
  (next) =>
    new Sort(keys, bound, next);

class Sort implements Stage {
  private kept: Keyed[] = [];
  /** The last needed row so far. */
  private last: Keyed | undefined;

  constructor(
    private readonly keys: readonly SortKey[],
    private readonly bound: number,
    private readonly next: Stage,
  ) {}

  push(row: Row): void {
    const keyed = { row, keys: this.keys.map(({ of }) => of.evaluate(row)) };
    // Rows after the needed ones are dropped.
    if (this.last && this.compare(keyed, this.last) >= 0) return;
    row.event?.settle?.();
    this.kept.push(keyed);
    if (this.kept.length >= this.bound * 2 + 1024) this.cut();
  }

  end(): void {
    this.cut();
    for (const { row } of this.kept) this.next.push(row);
    this.next.end();
  }

  private cut(): void {
    // The sort is stable: equal rows keep their order of arrival.
    this.kept.sort((a, b) => this.compare(a, b));
    if (this.kept.length < this.bound) return;
    this.kept.length = this.bound;
    this.last = this.kept.at(-1);
  }

  private compare(a: Keyed, b: Keyed): number {
    for (const [index, { descending }] of this.keys.entries()) {
      const order = naturalOrder(a.keys[index], b.keys[index]);
      if (order) return descending ? -order : order;
    }
    return 0;
  }
}

/**
 * Compares values for `sort`: non-numbers before numbers; texts piecewise, with digits by length and then value,
 * everything else by code point.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax-Sort.html
 */
function naturalOrder(a: Value, b: Value): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [first, second] = [numberOf(a), numberOf(b)];
  const [aIsNumber, bIsNumber] = [!Number.isNaN(first), !Number.isNaN(second)];
  if (aIsNumber && bIsNumber) return first - second;
  if (aIsNumber !== bIsNumber) return aIsNumber ? 1 : -1;
  return byPieces(isStructure(a) ? '' : (scalarText(a) ?? ''), isStructure(b) ? '' : (scalarText(b) ?? ''));
}

const PIECE = /\d+|\D+/g;

function byPieces(a: string, b: string): number {
  if (a === b) return 0;
  const [first, second] = [a.match(PIECE) ?? [], b.match(PIECE) ?? []];
  for (let index = 0; index < Math.min(first.length, second.length); index++) {
    const [x, y] = [first[index]!, second[index]!];
    if (x === y) continue;
    const digits = /^\d/.test(x) && /^\d/.test(y);
    if (digits && x.length !== y.length) return x.length - y.length;
    return x < y ? -1 : 1;
  }
  return first.length - second.length;
}

/** Passes a number of rows: the first or the last. */
export const limitStage =
  (count: number, last: boolean): MakeStage =>
  (next) =>
    last ? new Tail(count, next) : new Limit(count, next);

class Limit implements Stage {
  private passed = 0;

  constructor(
    private readonly count: number,
    private readonly next: Stage,
  ) {}

  get isDone(): boolean {
    return this.passed >= this.count || (this.next.isDone ?? false);
  }

  push(row: Row): void {
    if (this.passed >= this.count) return;
    this.passed++;
    this.next.push(row);
  }

  end(): void {
    this.next.end();
  }
}

class Tail implements Stage {
  private rows: Row[] = [];

  constructor(
    private readonly count: number,
    private readonly next: Stage,
  ) {}

  push(row: Row): void {
    this.rows.push(row);
    if (this.rows.length > this.count * 2 + 1024) this.rows = this.rows.slice(-this.count);
  }

  end(): void {
    for (const row of this.count ? this.rows.slice(-this.count) : []) this.next.push(row);
    this.next.end();
  }
}

/** Drops rows with the same fields as an earlier row; rows without one of the fields are kept. */
export const dedupStage =
  (fields: readonly Compiled[]): MakeStage =>
  (next) => {
    const seen = new Set<string>();
    return {
      push(row) {
        const values = fields.map((field) => scalarText(field.evaluate(row)));
        if (!values.includes(undefined)) {
          const key = JSON.stringify(values);
          if (seen.has(key)) return;
          seen.add(key);
        }
        next.push(row);
      },
      end: () => next.end(),
    };
  };
