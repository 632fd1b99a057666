import { type Expression, MathError } from './parse.ts';
import { isSeries, mapped, type NamedSeries, typeOf, type Value, valuesByTime } from './values.ts';

/** Context of functions besides their arguments. */
export interface MathContext {
  /** Requested time range in epoch seconds. */
  readonly range: { start: number; end: number };
  /** Default seconds between datapoints. */
  readonly period: number;
  /**
   * Returns the times of generated datapoints up to the end of the range, in epoch seconds.
   * @throws MathError for more datapoints than one request may generate
   */
  times(from: number, period: number): number[];
  /**
   * Returns the series that a search matches.
   * @throws MathError for an invalid search
   */
  search(expression: string, statistic: string, period: number | undefined): NamedSeries[];
  /** Returns all metrics of the request, or those whose ids contain a text. */
  metrics(part: string | undefined): NamedSeries[];
  /**
   * Returns the quota of a usage metric at each of its times.
   * @throws MathError for any other metric
   */
  quota(series: NamedSeries): NamedSeries;
  /**
   * Returns a metric of a Contributor Insights rule.
   * @throws MathError for an unknown rule or metric
   */
  ruleMetric(rule: string, metric: string): NamedSeries;
  /**
   * Returns the data of a connected source for the arguments of `LAMBDA`.
   * @throws MathError if the source rejects them
   */
  dataSource(args: readonly Expression[]): NamedSeries[];
  /**
   * Returns database counters for the arguments of `DB_PERF_INSIGHTS`.
   * @throws MathError if they are invalid
   */
  counters(args: readonly Expression[]): NamedSeries | NamedSeries[];
  /** Returns the band of expected values of a metric: lower and upper edge. */
  band(series: NamedSeries, deviations: number): NamedSeries[];
}

type MathFunction = (values: Value[], context: MathContext) => Value;

/** Keywords that are values. */
export const WORDS = new Set([
  'REPEAT',
  'LINEAR',
  'ASC',
  'DESC',
  'AVG',
  'MIN',
  'MAX',
  'SUM',
  'LAST',
  'FIRST',
  'STDDEV',
]);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const average = (values: readonly number[]): number => sum(values) / values.length;
const deviation = (values: readonly number[]): number => {
  const mean = average(values);
  return Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / values.length);
};
const REDUCERS: Readonly<Record<string, (values: readonly number[]) => number>> = {
  AVG: average,
  SUM: sum,
  MIN: (values) => Math.min(...values),
  MAX: (values) => Math.max(...values),
  STDDEV: deviation,
  LAST: (values) => values.at(-1)!,
  FIRST: (values) => values[0]!,
};

const refused = (name: string, values: readonly Value[]) =>
  new MathError(`Unsupported operand type(s) for ${name}: '[${values.map(typeOf).join(', ')}]'`);

function seriesIn(name: string, values: readonly Value[], index = 0): NamedSeries {
  const value = values[index];
  if (value === undefined || !isSeries(value)) throw refused(name, values);
  return value;
}

function listIn(name: string, values: readonly Value[]): NamedSeries[] {
  const [value] = values;
  if (!Array.isArray(value)) throw refused(name, values);
  return value;
}

function numberIn(name: string, values: readonly Value[], index: number): number {
  const value = values[index];
  if (typeof value !== 'number') throw refused(name, values);
  return value;
}

/** Wraps a function of numbers, applied to each datapoint of series. */
const ofNumbers =
  (name: string, compute: (value: number) => number): MathFunction =>
  (values) => {
    const [value] = values;
    if (typeof value === 'number') return compute(value);
    return perSeries(name, (series) => mapped(series, compute))(values, undefined as never);
  };

/** Wraps a function of a series, applied to each series of an array. */
const perSeries =
  (name: string, compute: (series: NamedSeries, context: MathContext) => NamedSeries): MathFunction =>
  (values, context) => {
    const [value] = values;
    if (values.length !== 1 || value === undefined) throw refused(name, values);
    if (Array.isArray(value)) return value.map((series) => compute(series, context));
    return compute(seriesIn(name, values), context);
  };

/** Wraps a function that reduces a series to a number, or an array to a series. */
const reducing =
  (name: string): MathFunction =>
  (values) => {
    const [value] = values;
    const reduce = REDUCERS[name]!;
    if (!Array.isArray(value)) return reduce(seriesIn(name, values).values);
    const byTime = new Map<number, number[]>();
    for (const { times, values: numbers } of value)
      times.forEach((time, index) => {
        const list = byTime.get(time);
        if (list) list.push(numbers[index]!);
        else byTime.set(time, [numbers[index]!]);
      });
    const times = [...byTime.keys()].sort((a, b) => a - b);
    const period = Math.max(...value.map((series) => series.period), 1);
    return { label: name, period, times, values: times.map((time) => reduce(byTime.get(time)!)) };
  };

/** Wraps a function of consecutive datapoints. */
const between = (name: string, change: (value: number, before: number, seconds: number) => number): MathFunction =>
  perSeries(name, (series) => {
    const { times, values } = series;
    return {
      ...series,
      times: times.slice(1),
      values: values.slice(1).map((value, index) => change(value, values[index]!, times[index + 1]! - times[index]!)),
    };
  });

/** Wraps a function that extracts a part of each datapoint's time. */
const ofTime = (name: string, part: (date: Date) => number): MathFunction =>
  perSeries(name, (series) => ({ ...series, values: series.times.map((time) => part(new Date(time * 1000))) }));

/** Fills missing datapoints of a series. */
function fill(values: Value[], { range, period: fallback, times }: MathContext): Value {
  const [value, filler] = values;
  if (filler === undefined) throw refused('FILL', values);
  const one = (series: NamedSeries): NamedSeries => {
    const known = valuesByTime(series);
    const fillers = isSeries(filler) ? valuesByTime(filler) : undefined;
    const period = series.period || fallback;
    const result: NamedSeries = { ...series, times: [], values: [] };
    const first = series.times[0];
    const from = first === undefined ? range.start : first - Math.floor((first - range.start) / period) * period;
    let next = 0;
    for (const time of times(from, period)) {
      while (next < series.times.length && series.times[next]! <= time) next++;
      const filled = known.get(time) ?? fillers?.get(time) ?? missingValue(series, next, time, filler);
      if (filled === undefined) continue;
      result.times.push(time);
      result.values.push(filled);
    }
    return result;
  };
  if (Array.isArray(value)) return value.map(one);
  return one(seriesIn('FILL', values));
}

/**
 * Returns the value for a missing datapoint.
 * @param next index of the first datapoint after it
 */
function missingValue({ times, values }: NamedSeries, next: number, time: number, filler: Value): number | undefined {
  if (typeof filler === 'number') return filler;
  const before = next - 1;
  if (filler === 'REPEAT') return before < 0 ? undefined : values[before];
  if (filler !== 'LINEAR' || before < 0 || next === times.length) return undefined;
  const share = (time - times[before]!) / (times[next]! - times[before]!);
  return values[before]! + (values[next]! - values[before]!) * share;
}

/** Evaluates `IF(condition, then, else)`; without `else`, datapoints are missing. */
function choose(values: Value[]): Value {
  const [condition, yes, no] = values;
  if (condition === undefined || yes === undefined || typeof condition === 'string') throw refused('IF', values);
  if (typeof condition === 'number') {
    const chosen = condition !== 0 ? yes : no;
    if (chosen !== undefined) return chosen;
    return isSeries(yes) ? { ...yes, times: [], values: [] } : [];
  }
  const one = (tested: NamedSeries): NamedSeries => {
    const at = (value: Value | undefined): ((time: number) => number | undefined) => {
      if (typeof value === 'number') return () => value;
      if (value === undefined) return () => undefined;
      if (!isSeries(value)) throw refused('IF', values);
      const known = valuesByTime(value);
      return (time) => known.get(time);
    };
    const [whenTrue, whenFalse] = [at(yes), at(no)];
    const result: NamedSeries = { ...tested, times: [], values: [] };
    tested.times.forEach((time, index) => {
      const value = (tested.values[index] === 0 ? whenFalse : whenTrue)(time);
      if (value === undefined) return;
      result.times.push(time);
      result.values.push(value);
    });
    return result;
  };
  return Array.isArray(condition) ? condition.map(one) : one(condition);
}

function sorted(values: Value[]): Value {
  const list = listIn('SORT', values);
  const [, by, order, limit] = values;
  const reduce = typeof by === 'string' ? REDUCERS[by] : undefined;
  if (!reduce || (order !== 'ASC' && order !== 'DESC')) throw refused('SORT', values);
  const sign = order === 'ASC' ? 1 : -1;
  const ranked = list.map((series) => ({ series, rank: series.values.length ? reduce(series.values) : Number.NaN }));
  // Series without datapoints are last in either order.
  ranked.sort((a, b) =>
    Number.isNaN(a.rank) || Number.isNaN(b.rank)
      ? Number(Number.isNaN(a.rank)) - Number(Number.isNaN(b.rank))
      : sign * (a.rank - b.rank),
  );
  const all = ranked.map(({ series }) => series);
  return limit === undefined ? all : all.slice(0, numberIn('SORT', values, 3));
}

/**
 * Metric math functions by name.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html#metric-math-syntax-functions-list
 */
const FUNCTIONS: Readonly<Record<string, MathFunction>> = {
  ABS: ofNumbers('ABS', Math.abs),
  ANOMALY_DETECTION_BAND: (values, context) =>
    context.band(
      seriesIn('ANOMALY_DETECTION_BAND', values),
      values.length > 1 ? numberIn('ANOMALY_DETECTION_BAND', values, 1) : 2,
    ),
  AVG: reducing('AVG'),
  CEIL: ofNumbers('CEIL', Math.ceil),
  DATAPOINT_COUNT: (values) => seriesIn('DATAPOINT_COUNT', values).values.length,
  DATE: ofTime('DATE', (date) => date.getUTCDate()),
  // Monday is the first day of the week.
  DAY: ofTime('DAY', (date) => date.getUTCDay() || 7),
  DIFF: between('DIFF', (value, before) => value - before),
  DIFF_TIME: between('DIFF_TIME', (_value, _before, seconds) => seconds),
  EPOCH: ofTime('EPOCH', (date) => date.getTime() / 1000),
  FILL: fill,
  FIRST: (values) => elementOf('FIRST', values, 0),
  FLOOR: ofNumbers('FLOOR', Math.floor),
  HOUR: ofTime('HOUR', (date) => date.getUTCHours()),
  IF: choose,
  INSIGHT_RULE_METRIC: (values, context) => {
    const [rule, metric] = values;
    if (typeof rule !== 'string' || typeof metric !== 'string') throw refused('INSIGHT_RULE_METRIC', values);
    return context.ruleMetric(rule, metric);
  },
  LAST: (values) => elementOf('LAST', values, -1),
  LOG: ofNumbers('LOG', Math.log),
  LOG10: ofNumbers('LOG10', Math.log10),
  MAX: reducing('MAX'),
  METRICS: (values, context) => {
    const [part] = values;
    if (part !== undefined && typeof part !== 'string') throw refused('METRICS', values);
    return context.metrics(part);
  },
  METRIC_COUNT: (values) => listIn('METRIC_COUNT', values).length,
  MIN: reducing('MIN'),
  MINUTE: ofTime('MINUTE', (date) => date.getUTCMinutes()),
  MONTH: ofTime('MONTH', (date) => date.getUTCMonth() + 1),
  PERIOD: (values) => seriesIn('PERIOD', values).period,
  RATE: between('RATE', (value, before, seconds) => (value - before) / seconds),
  REMOVE_EMPTY: (values) => listIn('REMOVE_EMPTY', values).filter((series) => series.values.length),
  RUNNING_SUM: perSeries('RUNNING_SUM', (series) => {
    let total = 0;
    return mapped(series, (value) => {
      total += value;
      return total;
    });
  }),
  SEARCH: (values, context) => {
    const [text, statistic] = values;
    if (typeof text !== 'string' || typeof statistic !== 'string') throw refused('SEARCH', values);
    return context.search(text, statistic, values.length > 2 ? numberIn('SEARCH', values, 2) : undefined);
  },
  SERVICE_QUOTA: (values, context) => context.quota(seriesIn('SERVICE_QUOTA', values)),
  SLICE: (values) => {
    const list = listIn('SLICE', values);
    const from = numberIn('SLICE', values, 1);
    return values.length > 2 ? list.slice(from, numberIn('SLICE', values, 2)) : list.slice(from);
  },
  SORT: sorted,
  STDDEV: reducing('STDDEV'),
  SUM: reducing('SUM'),
  TIME_SERIES: (values, { range, period, times }) => {
    const value = numberIn('TIME_SERIES', values, 0);
    const all = times(range.start, period);
    return { label: 'TIME_SERIES', period, times: all, values: all.map(() => value) };
  },
  YEAR: ofTime('YEAR', (date) => date.getUTCFullYear()),
};

function elementOf(name: string, values: readonly Value[], index: number): Value {
  const [value] = values;
  if (!Array.isArray(value)) return REDUCERS[name]!(seriesIn(name, values).values);
  const found = value.at(index);
  if (!found) throw new MathError(`${name} needs an array that is not empty`);
  return found;
}

/**
 * Calls a function.
 * @throws MathError for an unknown function, or invalid arguments
 */
export function callFunction(name: string, values: Value[], context: MathContext): Value {
  const compute = FUNCTIONS[name];
  if (compute) return compute(values, context);
  throw new MathError(`Unsupported function: ${name}`);
}
