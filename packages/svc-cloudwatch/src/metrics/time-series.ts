import type { DeepReadonly } from '@emu/core/service';
import type { PointRecord } from '../records.ts';
import type { Aggregate, Statistic } from './statistics.ts';
import { aggregate, pointsBetween, type Series, startOf } from './store.ts';

/** Values by their times in epoch seconds, oldest first. */
export interface TimeSeries {
  times: number[];
  values: number[];
}

/** Time that is asked for, in epoch seconds: its beginning belongs to it, its end does not. */
export interface TimeRange {
  start: number;
  end: number;
}

/** A period with what came in it. */
export interface PeriodAggregate extends Aggregate {
  /** Its beginning in epoch seconds. */
  at: number;
}

const DAY = 86_400;

/**
 * The range of a request, whose beginning AWS rounds down: to the minute, to five minutes where it is more than 15 days
 * ago, to the hour where it is more than 63 days ago, and to high-resolution periods.
 * @param now epoch milliseconds
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricData.html
 */
export function rangeOf(start: Date, end: Date, period: number, now: number): TimeRange {
  const from = start.getTime() / 1000;
  const age = now / 1000 - from;
  const step = age > 63 * DAY ? 3600 : age > 15 * DAY ? 300 : Math.min(period, 60);
  return { start: startOf(from, step), end: end.getTime() / 1000 };
}

/** What came in each period of a range, oldest first, by units in order of their names. */
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
      // What retention has merged is there for periods that are made up of it only.
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

/** A statistic of periods; those of which it is not known are left out. */
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

/** The beginning of the period that a time in epoch seconds is in, as the epoch counts periods. */
export const startOfPeriod = startOf;
