import type { MetricStat } from '@emu/service-types/cloudwatch';
import type { NamedSeries } from './math/values.ts';
import { statisticOf } from './metrics/statistics.ts';
import type { Series } from './metrics/store.ts';
import { periodsOf, startOfPeriod, timeSeriesOf } from './metrics/time-series.ts';
import type { CloudwatchState } from './state.ts';

const DAY = 86_400;
/** Seconds of past data for a model. */
export const TRAINING = 14 * DAY;

/**
 * Returns the band of expected values of a metric: a number of standard deviations around the mean of the previous two
 * weeks, without the times that its anomaly detector excludes. AWS's model also includes seasons and trends.
 * @returns the lower edge and the upper one
 */
export function bandOf(
  state: CloudwatchState,
  origin: Series | undefined,
  { Period, Stat, Unit }: MetricStat,
  shown: NamedSeries,
  deviations: number,
): NamedSeries[] {
  const detector = [...state.anomalyDetectors.values()].find(
    ({ single }) =>
      single?.Namespace === origin?.namespace && single?.MetricName === origin?.name && single?.Stat === Stat,
  );
  const excluded = detector?.excluded ?? [];
  const end = startOfPeriod((shown.times.at(-1) ?? state.clock.now() / 1000) + Period, Period);
  const [periods = []] = periodsOf(origin, { start: end - TRAINING, end }, Period, Unit).values();
  const kept = periods.filter(({ at }) => !excluded.some(({ from, to }) => at * 1000 >= from && at * 1000 < to));
  const { values } = timeSeriesOf(kept, statisticOf(Stat)!);
  const mean = values.reduce((total, value) => total + value, 0) / Math.max(values.length, 1);
  const variance = values.reduce((total, value) => total + (value - mean) ** 2, 0) / Math.max(values.length, 1);
  const width = deviations * Math.sqrt(variance);
  const edge = (label: string, value: number): NamedSeries => ({
    ...shown,
    label: `${shown.label} ${label}`,
    values: shown.values.map(() => value),
  });
  return [edge('Low', mean - width), edge('High', mean + width)];
}
