import type { DeepReadonly } from '@emu/core/service';
import type { PointRecord } from '../records.ts';
import type { Aggregate, Statistic } from './statistics.ts';
import { aggregate, pointsBetween, type Series, startOf } from './store.ts';

/** Values by time in epoch seconds, oldest first. */
export interface TimeSeries {
  times: number[];
  values: number[];
}

/** Requested time range in epoch seconds; the end is exclusive. */
export interface TimeRange {
  start: number;
  end: number;
}

/** Aggregated values of a period with its start. */
export interface PeriodAggregate extends Aggregate {
  /** Start in epoch seconds. */
  at: number;
}

const DAY = 86_400;

/**
 * Returns the range of a request, with its start rounded down as in AWS: to the minute, to five minutes if it is more
 * than 15 days ago, to the hour if it is more than 63 days ago, and to high-resolution periods.
 * @param now epoch milliseconds
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricData.html
 */
export function rangeOf(start: Date, end: Date, period: number, now: number): TimeRange {
  const from = start.getTime() / 1000;
  const age = now / 1000 - from;
  const step = age > 63 * DAY ? 3600 : age > 15 * DAY ? 300 : Math.min(period, 60);
  return { start: startOf(from, step), end: end.getTime() / 1000 };
}

/** Returns the aggregates of a range's periods, oldest first, by unit in order of name. */
export function periodsOf(
  series: Series | undefined,
  { start, end }: TimeRange,
  period: number,
  unit?: string,
): Map<string, PeriodAggregate[]> {
  const byUnit = new Map<string, Map<number, DeepReadonly<PointRecord>[]>>();
  if (series)
    for (const point of pointsBetween(series, start, end)) {
      if (unit !== undefined && point.unit !== unit) continue;
      // Merged datapoints are only available for periods that are multiples of their step.
      if (point.step >= 300 && period % point.step) continue;
      let periods = byUnit.get(point.unit);
      if (!periods) {
        periods = new Map();
        byUnit.set(point.unit, periods);
      }
      const at = start + startOf(point.at - start, period);
      const points = periods.get(at);
      if (points) points.push(point);
      else periods.set(at, [point]);
    }
  const units = [...byUnit].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(
    units.map(([name, periods]) => [name, [...periods].map(([at, points]) => ({ at, ...aggregate(points) }))]),
  );
}

/** Returns a statistic of periods, without those in which it is unknown. */
export function timeSeriesOf(periods: readonly PeriodAggregate[], statistic: Statistic): TimeSeries {
  const result: TimeSeries = { times: [], values: [] };
  for (const period of periods) {
    const value = statistic(period);
    if (value === undefined) continue;
    result.times.push(period.at);
    result.values.push(value);
  }
  return result;
}

/** Returns the start of the period that contains a time in epoch seconds, aligned to the epoch. */
export const startOfPeriod = startOf;
