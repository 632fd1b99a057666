import { notImplemented } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { type Expression, MathError } from '../math/parse.ts';
import type { NamedSeries } from '../math/values.ts';
import type { TimeRange } from '../metrics/time-series.ts';
import type { CloudwatchState } from '../state.ts';

/** Database types with Performance Insights counters. */
const TYPES = ['RDS', 'DOCDB'] as const;
const USAGE = 'DB_PERF_INSIGHTS takes the type and the identifier of a database, and one or more metrics';

/** A call of `DB_PERF_INSIGHTS`: the counters of a database. */
export interface CountersCall {
  readonly type: (typeof TYPES)[number];
  readonly database: string;
  readonly metrics: readonly string[];
}

/**
 * Parses the arguments of `DB_PERF_INSIGHTS`.
 * @throws MathError
 */
export function countersCallOf([type, database, metrics, ...rest]: readonly Expression[]): CountersCall {
  const known = TYPES.find((name) => type?.kind === 'string' && type.value === name);
  const items = metrics?.kind === 'list' ? metrics.items : [metrics];
  const names = items.flatMap((item) => (item?.kind === 'string' ? [item.value] : []));
  if (!known || database?.kind !== 'string' || !names.length || names.length < items.length || rest.length)
    throw new MathError(USAGE);
  return { type: known, database: database.value, metrics: names };
}

/** Returns the key of a Performance Insights response. */
export const countersKey = (call: CountersCall, period: number): string => JSON.stringify([period, call]);

/**
 * Requests counters of a database from Performance Insights.
 * @param range in epoch seconds
 * @returns a series for each metric
 * @throws AwsError `NotImplemented` if Performance Insights is not available
 * @see https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/USER_PerfInsights.Cloudwatch.html
 */
export async function askCounters(
  state: CloudwatchState,
  { type, database, metrics }: CountersCall,
  period: number,
  range: TimeRange,
): Promise<NamedSeries[]> {
  const found = new Map(metrics.map((name) => [name, new Map<number, number>()]));
  try {
    let NextToken: string | undefined;
    do {
      const page = await state.call('pi', 'GetResourceMetrics', {
        ServiceType: type,
        Identifier: database,
        MetricQueries: metrics.map((Metric) => ({ Metric })),
        StartTime: new Date(range.start * 1000),
        EndTime: new Date(range.end * 1000),
        PeriodInSeconds: period,
        ...(NextToken !== undefined && { NextToken }),
      });
      for (const { Key, DataPoints = [] } of page.MetricList ?? [])
        for (const { Timestamp, Value } of DataPoints)
          if (Value !== undefined) found.get(Key?.Metric ?? '')?.set(Timestamp.getTime() / 1000, Value);
      ({ NextToken } = page);
    } while (NextToken !== undefined);
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    if (error.code === 'NotImplemented')
      throw notImplemented('cloudwatch', 'DB_PERF_INSIGHTS without Performance Insights');
    const status = /NotAuthorized|AccessDenied/.test(error.code) ? 'Forbidden' : 'InternalError';
    const messages = [{ Code: error.code, Value: error.message }];
    return metrics.map((label) => ({ label, period, times: [], values: [], status, messages }));
  }
  return [...found].map(([label, points]) => {
    const sorted = [...points].sort(([a], [b]) => a - b);
    return { label, period, times: sorted.map(([time]) => time), values: sorted.map(([, value]) => value) };
  });
}
