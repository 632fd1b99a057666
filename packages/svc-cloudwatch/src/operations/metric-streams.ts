import type { DeepMutable, DeepReadonly } from '@emu/core/service';
import { parseArn } from '@emu/core/service';
import type {
  InputOf,
  MetricStreamFilter,
  MetricStreamStatisticsConfiguration,
  OutputOf,
} from '@emu/service-types/cloudwatch';
import { awaitTick } from '../alarms/schedule.ts';
import type { CloudwatchContext } from '../context.ts';
import { invalidCombination, invalidParameterValue, noSuchResource } from '../errors.ts';
import { statisticOf } from '../metrics/statistics.ts';
import { paging } from '../paging.ts';
import type { MetricStreamRecord } from '../records.ts';
import { metricStreamType } from '../resources.ts';
import { tagging } from '../tags.ts';

const NAME = /^[A-Za-z0-9_-]+$/;

/**
 * Creates or replaces a metric stream; a new one is running, a replaced one keeps its state.
 * @throws AwsError `InvalidParameterValue`, `InvalidParameterCombination`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricStream.html
 */
export function PutMetricStream(
  input: InputOf<'PutMetricStream'>,
  ctx: CloudwatchContext,
): OutputOf<'PutMetricStream'> {
  const { Name: name, FirehoseArn, RoleArn, IncludeFilters, ExcludeFilters, StatisticsConfigurations, Tags } = input;
  if (!NAME.test(name)) throw invalidParameterValue(`The value ${name} for parameter Name is not valid.`);
  if (IncludeFilters?.length && ExcludeFilters?.length)
    throw invalidCombination('IncludeFilters and ExcludeFilters are mutually exclusive and you have specified both.');
  if (parseArn(FirehoseArn)?.service !== 'firehose')
    throw invalidParameterValue(`The value ${FirehoseArn} for parameter FirehoseArn is not valid.`);
  if (parseArn(RoleArn)?.service !== 'iam')
    throw invalidParameterValue(`The value ${RoleArn} for parameter RoleArn is not valid.`);
  for (const { AdditionalStatistics } of StatisticsConfigurations ?? [])
    for (const statistic of AdditionalStatistics)
      if (!statisticOf(statistic))
        throw invalidParameterValue(`The value ${statistic} for parameter AdditionalStatistics is not valid.`);
  const { streams } = ctx.state;
  const before = streams.get(name);
  const now = ctx.clock.now();
  const tags = before?.tags ?? (Tags?.length ? tagging.merge(undefined, Tags) : undefined);
  streams.put(name, {
    name,
    firehoseArn: FirehoseArn,
    roleArn: RoleArn,
    format: input.OutputFormat,
    ...(IncludeFilters?.length && { include: IncludeFilters }),
    ...(ExcludeFilters?.length && { exclude: ExcludeFilters }),
    ...(StatisticsConfigurations?.length && { statistics: StatisticsConfigurations }),
    linkedAccounts: input.IncludeLinkedAccountsMetrics ?? false,
    running: before?.running ?? true,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
    sentUntil: before?.sentUntil ?? Math.floor(now / 60_000) * 60,
    ...(tags && { tags: tags.map((tag) => ({ ...tag })) }),
  });
  awaitTick(ctx.state);
  return { Arn: metricStreamType.arn({ name }, ctx) };
}

const notFound = (name: string) => noSuchResource(`The metric stream ${name} does not exist.`, 'MetricStream', name);

const stateOf = ({ running }: DeepReadonly<MetricStreamRecord>): string => (running ? 'running' : 'stopped');

/**
 * Returns a metric stream as put.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricStream.html
 */
export function GetMetricStream(
  { Name: name }: InputOf<'GetMetricStream'>,
  ctx: CloudwatchContext,
): OutputOf<'GetMetricStream'> {
  const stream = ctx.state.streams.get(name);
  if (!stream) throw notFound(name);
  return {
    Arn: metricStreamType.arn({ name }, ctx),
    Name: name,
    ...(stream.include && { IncludeFilters: stream.include as DeepMutable<MetricStreamFilter[]> }),
    ...(stream.exclude && { ExcludeFilters: stream.exclude as DeepMutable<MetricStreamFilter[]> }),
    FirehoseArn: stream.firehoseArn,
    RoleArn: stream.roleArn,
    State: stateOf(stream),
    CreationDate: new Date(stream.createdAt),
    LastUpdateDate: new Date(stream.updatedAt),
    OutputFormat: stream.format,
    ...(stream.statistics && {
      StatisticsConfigurations: stream.statistics as DeepMutable<MetricStreamStatisticsConfiguration[]>,
    }),
    IncludeLinkedAccountsMetrics: stream.linkedAccounts,
  };
}

/**
 * Lists metric streams, ordered by name.
 * @throws AwsError `InvalidNextToken`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_ListMetricStreams.html
 */
export function ListMetricStreams(
  input: InputOf<'ListMetricStreams'>,
  ctx: CloudwatchContext,
): OutputOf<'ListMetricStreams'> {
  return paging
    .page('ListMetricStreams', input, ctx.state.streams.values(), ({ name }) => name)
    .list((stream) => ({
      Arn: metricStreamType.arn({ name: stream.name }, ctx),
      CreationDate: new Date(stream.createdAt),
      LastUpdateDate: new Date(stream.updatedAt),
      Name: stream.name,
      FirehoseArn: stream.firehoseArn,
      State: stateOf(stream),
      OutputFormat: stream.format,
    }));
}

/** Deletes a metric stream; succeeds for an unknown one. */
export function DeleteMetricStream(
  { Name }: InputOf<'DeleteMetricStream'>,
  ctx: CloudwatchContext,
): OutputOf<'DeleteMetricStream'> {
  ctx.state.streams.delete(Name);
  return {};
}

/** Starts metric streams; ignores unknown names. */
export function StartMetricStreams(
  { Names }: InputOf<'StartMetricStreams'>,
  ctx: CloudwatchContext,
): OutputOf<'StartMetricStreams'> {
  return setRunning(Names, true, ctx);
}

/** Stops metric streams: they never send data received while stopped. Ignores unknown names. */
export function StopMetricStreams(
  { Names }: InputOf<'StopMetricStreams'>,
  ctx: CloudwatchContext,
): OutputOf<'StopMetricStreams'> {
  return setRunning(Names, false, ctx);
}

function setRunning(names: readonly string[], running: boolean, ctx: CloudwatchContext): Record<string, never> {
  const { streams } = ctx.state;
  for (const name of names) {
    if (streams.get(name)?.running !== !running) continue;
    streams.update(name, (draft) => {
      draft.running = running;
      draft.sentUntil = Math.floor(ctx.clock.now() / 60_000) * 60;
      draft.updatedAt = ctx.clock.now();
    });
  }
  awaitTick(ctx.state);
  return {};
}
