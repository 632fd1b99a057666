import type { MessageData } from '@emu/service-types/cloudwatch';
import type { TimeSeries } from '../metrics/time-series.ts';
import { MathError, type Operator } from './parse.ts';

/** Completeness of a connected source's data. */
export type SourceStatus = 'Complete' | 'InternalError' | 'PartialData' | 'Forbidden';

/** A time series with its display attributes. */
export interface NamedSeries extends TimeSeries {
  label: string;
  /** Seconds between its datapoints. */
  period: number;
  /** Status reported by a connected source. */
  status?: SourceStatus;
  messages?: MessageData[];
}

/** Result of an expression. */
export type Value = number | string | NamedSeries | NamedSeries[];

export const isSeries = (value: Value): value is NamedSeries => typeof value === 'object' && !Array.isArray(value);

/** Returns the type name of a value in messages. */
export function typeOf(value: Value): string {
  if (typeof value === 'number') return 'Scalar';
  if (typeof value === 'string') return 'String';
  return Array.isArray(value) ? 'Array[TimeSeries]' : 'TimeSeries';
}

const OPERATIONS: Readonly<Record<Operator, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '^': (a, b) => a ** b,
  '==': (a, b) => Number(a === b),
  '!=': (a, b) => Number(a !== b),
  '<': (a, b) => Number(a < b),
  '<=': (a, b) => Number(a <= b),
  '>': (a, b) => Number(a > b),
  '>=': (a, b) => Number(a >= b),
  '&&': (a, b) => Number(a !== 0 && b !== 0),
  '||': (a, b) => Number(a !== 0 || b !== 0),
};

/** Returns a series with changed values; results that are not numbers, as after a division by zero, are omitted. */
export function mapped(series: NamedSeries, change: (value: number, index: number) => number): NamedSeries {
  return filtered(series, series.values.map(change));
}

function filtered(series: NamedSeries, values: readonly number[], times = series.times): NamedSeries {
  const result: NamedSeries = { label: series.label, period: series.period, times: [], values: [] };
  for (const [index, value] of values.entries()) {
    if (!Number.isFinite(value)) continue;
    result.times.push(times[index]!);
    result.values.push(value);
  }
  return result;
}

/** Combines two series at their common times. */
function combined(a: NamedSeries, b: NamedSeries, combine: (a: number, b: number) => number): NamedSeries {
  const other = valuesByTime(b);
  const times = a.times.filter((time) => other.has(time));
  const own = valuesByTime(a);
  const values = times.map((time) => combine(own.get(time)!, other.get(time)!));
  return filtered({ ...a, period: Math.max(a.period, b.period) }, values, times);
}

/** Returns values by time. */
export const valuesByTime = ({ times, values }: TimeSeries): Map<number, number> =>
  new Map(times.map((time, index) => [time, values[index]!]));

/**
 * Applies an operator.
 * @throws MathError for unsupported operand types
 */
export function operate(operator: Operator, left: Value, right: Value): Value {
  const combine = OPERATIONS[operator];
  const refused = () =>
    new MathError(`Unsupported operand type(s) for ${operator}: '[${typeOf(left)}, ${typeOf(right)}]'`);
  if (typeof left === 'string' || typeof right === 'string') throw refused();
  if (Array.isArray(left)) {
    if (!Array.isArray(right)) return left.map((series) => operate(operator, series, right) as NamedSeries);
    if (left.length !== right.length) throw refused();
    return left.map((series, index) => operate(operator, series, right[index]!) as NamedSeries);
  }
  if (Array.isArray(right)) return right.map((series) => operate(operator, left, series) as NamedSeries);
  if (typeof left === 'number') {
    if (typeof right === 'number') return combine(left, right);
    return mapped(right, (value) => combine(left, value));
  }
  if (typeof right === 'number') return mapped(left, (value) => combine(value, right));
  return combined(left, right, combine);
}
