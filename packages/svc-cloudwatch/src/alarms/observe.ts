import type { DeepMutable } from '@emu/core/service';
import type { MetricDataQuery, MetricStat } from '@emu/service-types/cloudwatch';
import { statisticOf } from '../metrics/statistics.ts';
import { type Series, sortedDimensions } from '../metrics/store.ts';
import { type PeriodAggregate, periodsOf, startOfPeriod, type TimeRange } from '../metrics/time-series.ts';
import type { Prepared } from '../queries/prepare.ts';
import { QueryRunner } from '../queries/run.ts';
import type { CloudwatchState, MetricAlarm } from '../state.ts';
import type { Slot } from './decide.ts';

/** Datapoints of an alarm's metric, or of one group of its query. */
export interface Observation {
  /** Newest first; undefined if missing. */
  slots: (Slot | undefined)[];
  /** Attributes of a Metrics Insights group. */
  attributes?: Record<string, string>;
}

/** Returns the seconds between evaluations of an alarm. */
export function intervalOf({ settings }: MetricAlarm): number {
  return settings.EvaluationInterval ?? (periodOf(settings as MetricAlarm['settings']) < 60 ? 10 : 60);
}

/** Returns the period of an alarm, in seconds. */
export function periodOf({ Period, Metrics = [] }: MetricAlarm['settings']): number {
  if (Period !== undefined) return Period;
  return Math.max(60, ...Metrics.flatMap(({ Period: own, MetricStat }) => MetricStat?.Period ?? own ?? []));
}

/** Returns the number of additional older periods to read, since data may arrive late. */
function extraPeriods(period: number): number {
  if (period <= 300) return 2;
  return period <= 3600 ? 1 : 0;
}

/** Returns the metric of a single-metric alarm. */
export function metricStatOf(settings: MetricAlarm['settings']): MetricStat | undefined {
  const { Namespace, MetricName, Dimensions, Period, Statistic, ExtendedStatistic, Unit } = settings;
  if (MetricName === undefined || Period === undefined) return undefined;
  return {
    Metric: { Namespace, MetricName, Dimensions: sortedDimensions(Dimensions) },
    Period,
    Stat: Statistic ?? ExtendedStatistic ?? 'Average',
    ...(Unit && { Unit }),
  };
}

/** Time range of an evaluation. */
export interface EvaluationRange {
  /** Seconds. */
  readonly period: number;
  /** In epoch seconds. */
  readonly range: TimeRange;
  /** Data prepared for its expressions. */
  readonly prepared?: Prepared;
}

/**
 * Returns the time range that an alarm evaluates now.
 * @param ended whether a minute has just ended, so that the new one does not count yet
 */
export function evaluationRange(state: CloudwatchState, { settings }: MetricAlarm, ended: boolean): EvaluationRange {
  const period = periodOf(settings);
  const step = period < 60 ? 10 : 60;
  // Periods slide with time: the last one ends with the current minute.
  const now = state.clock.now() / 1000;
  const end = startOfPeriod(now, step) + (ended && now % step === 0 ? 0 : step);
  const count = (settings.EvaluationPeriods ?? 1) + extraPeriods(period);
  return { period, range: { start: end - count * period, end } };
}

/**
 * Reads the data of an alarm; returns several observations for a query with groups.
 * @throws MathError
 */
export function observe(state: CloudwatchState, { settings }: MetricAlarm, look: EvaluationRange): Observation[] {
  const { range, period } = look;
  const stat = metricStatOf(settings);
  if (stat) return [{ slots: slotsOf(metricSlots(state, stat, range), range, period) }];
  return expressionSlots(state, settings, look);
}

function metricSlots(state: CloudwatchState, stat: MetricStat, range: TimeRange): Slot[] {
  const { Namespace = '', MetricName = '', Dimensions = [] } = stat.Metric;
  const compute = statisticOf(stat.Stat)!;
  const [periods = []] = periodsOf(
    state.metrics.find(Namespace, MetricName, Dimensions),
    range,
    stat.Period,
    stat.Unit,
  ).values();
  return periods.flatMap((aggregate: PeriodAggregate) => {
    const value = compute(aggregate);
    return value === undefined ? [] : [{ at: aggregate.at, value, sampleCount: aggregate.count }];
  });
}

function expressionSlots(
  state: CloudwatchState,
  settings: MetricAlarm['settings'],
  { range, period, prepared }: EvaluationRange,
): Observation[] {
  const queries = (settings.Metrics ?? []) as DeepMutable<MetricDataQuery>[];
  const runner = new QueryRunner(state, { queries, rangeOf: () => range, ...(prepared && { prepared }) });
  const threshold = queries.find(({ Id }) => Id === settings.ThresholdMetricId);
  const watched = queries.find((query) => query.ReturnData !== false && query !== threshold);
  if (!watched) return [{ slots: slotsOf([], range, period) }];
  const [lower, upper] = threshold ? runner.results(threshold).map(({ series }) => byTime(series)) : [];
  const results = runner.results(watched);
  if (!results.length) return [{ slots: slotsOf([], range, period) }];
  return results.map(({ series, attributes }) => {
    const slots = series.times.map((at, index): Slot => {
      const [low, high] = [lower?.get(at), upper?.get(at)];
      return {
        at,
        value: series.values[index]!,
        ...(low !== undefined && { lower: low }),
        ...(high !== undefined && { upper: high }),
      };
    });
    return {
      slots: slotsOf(slots, range, period),
      ...(attributes && Object.keys(attributes).length && { attributes }),
    };
  });
}

const byTime = ({ times, values }: { times: number[]; values: number[] }): Map<number, number> =>
  new Map(times.map((time, index) => [time, values[index]!]));

/** Returns a slot for each period of the range, newest first. */
function slotsOf(found: readonly Slot[], { start, end }: TimeRange, period: number): (Slot | undefined)[] {
  const byPeriod = new Map(found.map((slot) => [startOfPeriod(slot.at - start, period), slot]));
  const slots: (Slot | undefined)[] = [];
  for (let offset = end - start - period; offset >= 0; offset -= period) slots.push(byPeriod.get(offset));
  return slots;
}

/** Returns the keys of the series in an alarm's metrics. */
export function watchedSeries({ settings }: MetricAlarm, keyOf: (stat: MetricStat) => Series['key']): string[] {
  const stat = metricStatOf(settings);
  if (stat) return [keyOf(stat)];
  return (settings.Metrics ?? []).flatMap(({ MetricStat }) => (MetricStat ? [keyOf(MetricStat as MetricStat)] : []));
}
