import { type DeepReadonly, parseArn, roleSessionPrincipal } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { statisticOf } from '../metrics/statistics.ts';
import { aggregate, pointsBetween, type Series } from '../metrics/store.ts';
import type { MetricStreamRecord } from '../records.ts';
import { metricStreamType } from '../resources.ts';
import type { CloudwatchState } from '../state.ts';
import { openTelemetry, type StreamedMetric } from './opentelemetry.ts';

type Stream = DeepReadonly<MetricStreamRecord>;

const MINUTE = 60;
/** Maximum number of past minutes that are sent later. */
const MAX_MINUTES = 60;
/** Maximum number of metrics in an OpenTelemetry message, and of records in a Firehose request. */
const MAX_METRICS = 100;
const MAX_RECORDS = 500;

/** Sends the minutes ended since the last time to all streams. */
export async function sendStreams(state: CloudwatchState, cause: string): Promise<void> {
  await Promise.all(
    [...state.streams.values()].map((stream) => (stream.running ? send(state, stream, cause) : undefined)),
  );
}

async function send(state: CloudwatchState, stream: Stream, cause: string): Promise<void> {
  const until = Math.floor(state.clock.now() / 1000 / MINUTE) * MINUTE;
  const from = Math.max(stream.sentUntil, until - MAX_MINUTES * MINUTE);
  if (from >= until) return;
  state.streams.update(stream.name, (draft) => {
    draft.sentUntil = until;
  });
  const metrics: StreamedMetric[] = [];
  for (const series of state.metrics.list())
    if (includes(stream, series)) metrics.push(...minutesOf(stream, series, from, until));
  if (!metrics.length) return;
  const records = recordsOf(state, stream, metrics).map((data) => ({ Data: data }));
  const { resource = '', accountId, region } = parseArn(stream.firehoseArn) ?? {};
  for (let first = 0; first < records.length; first += MAX_RECORDS)
    try {
      await state.call(
        'firehose',
        'PutRecordBatch',
        {
          DeliveryStreamName: resource.slice(resource.indexOf('/') + 1),
          Records: records.slice(first, first + MAX_RECORDS),
        },
        {
          accountId: accountId || state.accountId,
          region: region || state.region,
          principal: roleSessionPrincipal(stream.roleArn, 'metric-stream'),
          authorize: {},
          cause,
        },
      );
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      state.log.warn(`the metric stream ${stream.name} could not send to ${stream.firehoseArn}`, { error });
      return;
    }
}

/** Whether a stream includes a metric, by its include or exclude filters. */
function includes({ include, exclude }: Stream, { namespace, name }: Series): boolean {
  const among = (filters: NonNullable<Stream['include']>) =>
    filters.some(
      ({ Namespace, MetricNames }) => Namespace === namespace && (!MetricNames?.length || MetricNames.includes(name)),
    );
  if (include) return among(include);
  return !exclude || !among(exclude);
}

function* minutesOf(stream: Stream, series: Series, from: number, until: number): Iterable<StreamedMetric> {
  const wanted = (stream.statistics ?? []).filter(({ IncludeMetrics }) =>
    IncludeMetrics.some(({ Namespace, MetricName }) => Namespace === series.namespace && MetricName === series.name),
  );
  const names = new Set(wanted.flatMap(({ AdditionalStatistics }) => AdditionalStatistics));
  for (let at = from; at < until; at += MINUTE) {
    const points = [...pointsBetween(series, at, at + MINUTE)];
    for (const unit of new Set(points.map((point) => point.unit))) {
      const total = aggregate(points.filter((point) => point.unit === unit));
      const statistics: Record<string, number> = {};
      for (const name of names) {
        const value = statisticOf(name)?.(total);
        if (value !== undefined) statistics[name] = value;
      }
      yield {
        namespace: series.namespace,
        name: series.name,
        dimensions: Object.fromEntries(series.dimensions.map(({ Name, Value }) => [Name, Value])),
        timestamp: at * 1000,
        unit,
        count: total.count,
        sum: total.sum,
        min: total.min,
        max: total.max,
        statistics,
      };
    }
  }
}

/** Returns the Firehose records: a JSON line per metric, or messages with many metrics. */
function recordsOf(state: CloudwatchState, stream: Stream, metrics: readonly StreamedMetric[]): Uint8Array[] {
  const { accountId, region } = state;
  if (stream.format === 'json')
    return metrics.map((metric) =>
      Buffer.from(
        `${JSON.stringify({
          metric_stream_name: stream.name,
          account_id: accountId,
          region,
          namespace: metric.namespace,
          metric_name: metric.name,
          dimensions: metric.dimensions,
          timestamp: metric.timestamp,
          value: { max: metric.max, min: metric.min, sum: metric.sum, count: metric.count, ...metric.statistics },
          unit: metric.unit,
        })}\n`,
      ),
    );
  const source = { accountId, region, arn: metricStreamType.arn({ name: stream.name }, state) };
  const version = stream.format === 'opentelemetry0.7' ? '0.7' : '1.0';
  const records: Uint8Array[] = [];
  for (let first = 0; first < metrics.length; first += MAX_METRICS)
    records.push(openTelemetry(version, source, metrics.slice(first, first + MAX_METRICS)));
  return records;
}
