import type { Compiled } from './functions/function.ts';
import { lengthOf } from './periods.ts';
import type { Row } from './row.ts';
import { compare, isStructure, numberOf, scalarText, type Value } from './values.ts';

/** Accumulates rows of a group for an aggregation. */
export interface Accumulator {
  add(row: Row): void;
  result(): Value;
}

/** An aggregation function. */
export interface Aggregate {
  readonly min: number;
  readonly max: number;
  /** Whether it accepts `*`. */
  readonly all?: true;
  make(args: readonly Compiled[]): Accumulator;
}

class Count implements Accumulator {
  private count = 0;

  constructor(private readonly of: Compiled | undefined) {}

  add(row: Row): void {
    if (!this.of || this.of.evaluate(row) !== undefined) this.count++;
  }

  result(): number {
    return this.count;
  }
}

/** Computes count, sum and mean of numeric values with Welford's algorithm. */
class Moments implements Accumulator {
  private count = 0;
  private sum = 0;
  private mean = 0;
  private squares = 0;

  constructor(
    private readonly of: Compiled,
    private readonly what: 'sum' | 'avg' | 'stddev',
  ) {}

  add(row: Row): void {
    const value = numberOf(this.of.evaluate(row));
    if (Number.isNaN(value)) return;
    this.count++;
    this.sum += value;
    const distance = value - this.mean;
    this.mean += distance / this.count;
    this.squares += distance * (value - this.mean);
  }

  result(): Value {
    if (!this.count) return undefined;
    if (this.what === 'sum') return this.sum;
    if (this.what === 'avg') return this.sum / this.count;
    return this.count > 1 ? Math.sqrt(this.squares / (this.count - 1)) : 0;
  }
}

/** Selects the first value of an order. */
class Best implements Accumulator {
  private best: Value;
  private rank: Value;

  constructor(
    private readonly of: Compiled,
    private readonly rankOf: (row: Row, value: Value) => Value,
    private readonly isBetter: (order: number) => boolean,
  ) {}

  add(row: Row): void {
    const value = this.of.evaluate(row);
    if (value === undefined || isStructure(value)) return;
    const rank = this.rankOf(row, value);
    if (this.best !== undefined && !this.isBetter(orderOf(rank, this.rank))) return;
    this.best = value;
    this.rank = rank;
  }

  result(): Value {
    return this.best;
  }
}

/** Compares as numbers, otherwise as text. */
function orderOf(a: Value, b: Value): number {
  const order = compare(a, b);
  if (!Number.isNaN(order)) return order;
  const [first, second] = [scalarText(a) ?? '', scalarText(b) ?? ''];
  return first < second ? -1 : Number(first > second);
}

class Percentile implements Accumulator {
  private values = new Float64Array(16);
  private size = 0;

  constructor(
    private readonly of: Compiled,
    private readonly percent: number,
  ) {}

  add(row: Row): void {
    const value = numberOf(this.of.evaluate(row));
    if (Number.isNaN(value)) return;
    if (this.size === this.values.length) {
      const grown = new Float64Array(this.size * 2);
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.size++] = value;
  }

  result(): Value {
    if (!this.size) return undefined;
    const sorted = this.values.subarray(0, this.size).sort();
    const place = (Math.min(Math.max(this.percent, 0), 100) / 100) * (this.size - 1);
    const below = Math.floor(place);
    const next = sorted[Math.min(below + 1, this.size - 1)]!;
    return sorted[below]! + (next - sorted[below]!) * (place - below);
  }
}

class Distinct implements Accumulator {
  private readonly seen = new Set<string>();

  constructor(
    private readonly of: Compiled,
    private readonly list: boolean,
  ) {}

  add(row: Row): void {
    const text = scalarText(this.of.evaluate(row));
    if (text !== undefined) this.seen.add(text);
  }

  result(): Value {
    return this.list ? [...this.seen] : this.seen.size;
  }
}

/** Computes the change of a number per period, from first to last value. */
class Rate implements Accumulator {
  private first: { time: number; value: number } | undefined;
  private last: { time: number; value: number } | undefined;

  constructor(
    private readonly of: Compiled,
    private readonly period: number,
  ) {}

  add(row: Row): void {
    const value = numberOf(this.of.evaluate(row));
    const time = row.event?.timestamp;
    if (time === undefined || Number.isNaN(value)) return;
    if (!this.first || time < this.first.time) this.first = { time, value };
    if (!this.last || time >= this.last.time) this.last = { time, value };
  }

  result(): Value {
    if (!this.first || !this.last) return undefined;
    const span = this.last.time - this.first.time;
    return span ? ((this.last.value - this.first.value) / span) * this.period : 0;
  }
}

const moments = (what: 'sum' | 'avg' | 'stddev'): Aggregate => ({
  min: 1,
  max: 1,
  make: ([of]) => new Moments(of!, what),
});

const best = (rankOf: (row: Row, value: Value) => Value, isBetter: (order: number) => boolean): Aggregate => ({
  min: 1,
  max: 1,
  make: ([of]) => new Best(of!, rankOf, isBetter),
});

const byValue = (_row: Row, value: Value): Value => value;
const byTime = ({ event }: Row): Value => event?.timestamp;
const count: Aggregate = {
  min: 0,
  max: 1,
  all: true,
  make: ([of]) => new Count(of?.constant === true ? undefined : of),
};

/**
 * Aggregations of `stats` by lower-case name.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax-Stats.html
 */
export const AGGREGATES: ReadonlyMap<string, Aggregate> = new Map<string, Aggregate>([
  ['count', count],
  ['count_over_time', count],
  ['sum', moments('sum')],
  ['sum_over_time', moments('sum')],
  ['avg', moments('avg')],
  ['stddev', moments('stddev')],
  ['min', best(byValue, (order) => order < 0)],
  ['max', best(byValue, (order) => order > 0)],
  ['sortsfirst', best(byValue, (order) => order < 0)],
  ['sortslast', best(byValue, (order) => order > 0)],
  ['earliest', best(byTime, (order) => order < 0)],
  ['latest', best(byTime, (order) => order >= 0)],
  ['pct', { min: 2, max: 2, make: ([of, percent]) => new Percentile(of!, numberOf(percent!.constant)) }],
  ['percentile', { min: 2, max: 2, make: ([of, percent]) => new Percentile(of!, numberOf(percent!.constant)) }],
  ['count_distinct', { min: 1, max: 1, make: ([of]) => new Distinct(of!, false) }],
  ['values', { min: 1, max: 1, make: ([of]) => new Distinct(of!, true) }],
  [
    'rate',
    { min: 2, max: 2, make: ([of, period]) => new Rate(of!, period!.period ? lengthOf(period!.period) : Number.NaN) },
  ],
]);
