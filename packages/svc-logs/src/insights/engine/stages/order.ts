import type { Compiled } from '../functions/function.ts';
import type { Row } from '../row.ts';
import { isStructure, numberOf, scalarText, type Value } from '../values.ts';
import { sortInSteps } from './sort-in-steps.ts';
import type { MakeStage, Stage, Steps } from './stage.ts';

/** A sort key. */
export interface SortKey {
  readonly of: Compiled;
  readonly descending: boolean;
}

interface Keyed {
  readonly row: Row;
  readonly keys: readonly SortValue[];
}

/** Number of rows that are sorted while they arrive, which shortens the sort of all rows. */
const RUN = 1024;

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
    const keyed = { row, keys: this.keys.map(({ of }) => sortValueOf(of.evaluate(row))) };
    // Rows after the needed ones are dropped.
    if (this.last && this.compare(keyed, this.last) >= 0) return;
    row.event?.settle?.();
    this.kept.push(keyed);
    // The sorts are stable: equal rows keep their order of arrival.
    if (this.kept.length % RUN === 0) this.kept.push(...this.kept.splice(-RUN).sort(this.compare));
    if (this.kept.length >= this.bound * 2 + RUN) this.cut();
  }

  *end(): Steps {
    const sorted = yield* sortInSteps(this.kept, this.compare);
    for (const { row } of sorted.slice(0, this.bound)) {
      this.next.push(row);
      yield;
    }
    yield* this.next.end();
  }

  private cut(): void {
    this.kept.sort(this.compare);
    this.kept.length = this.bound;
    this.last = this.kept.at(-1);
  }

  private readonly compare = (a: Keyed, b: Keyed): number => {
    for (let index = 0; index < this.keys.length; index++) {
      const order = naturalOrder(a.keys[index]!, b.keys[index]!);
      if (order) return this.keys[index]!.descending ? -order : order;
    }
    return 0;
  };
}

/** A number, or the text of another value. */
type SortValue = number | string;

function sortValueOf(value: Value): SortValue {
  const number = numberOf(value);
  if (!Number.isNaN(number)) return number;
  return isStructure(value) ? '' : (scalarText(value) ?? '');
}

/**
 * Compares values for `sort`: non-numbers before numbers; texts piecewise, with digits by length and then value,
 * everything else by code point.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax-Sort.html
 */
function naturalOrder(a: SortValue, b: SortValue): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : 1;
  return typeof b === 'number' ? -1 : byPieces(a, b);
}

function byPieces(a: string, b: string): number {
  if (a === b) return 0;
  let start = 0;
  while (start < a.length && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  const isOfDigits = isDigit(a, start - 1);
  const continues = (text: string): boolean => start < text.length && isDigit(text, start) === isOfDigits;
  // The piece before the first difference differs if it continues in one of the texts.
  if (start > 0 && (continues(a) || continues(b))) while (start > 0 && isDigit(a, start - 1) === isOfDigits) start--;
  else if (start === a.length || start === b.length) return a.length - b.length;
  const [x, y] = [pieceAt(a, start), pieceAt(b, start)];
  if (isDigit(a, start) && isDigit(b, start) && x.length !== y.length) return x.length - y.length;
  return x < y ? -1 : 1;
}

/** Whether a text has a digit at a place. */
function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

/** Returns the digits, or the other characters, from a place on. */
function pieceAt(text: string, start: number): string {
  let end = start + 1;
  while (end < text.length && isDigit(text, end) === isDigit(text, start)) end++;
  return text.slice(start, end);
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

  end(): Steps {
    return this.next.end();
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

  *end(): Steps {
    for (const row of this.count ? this.rows.slice(-this.count) : []) {
      this.next.push(row);
      yield;
    }
    yield* this.next.end();
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
