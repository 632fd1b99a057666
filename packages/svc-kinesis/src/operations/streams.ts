import type { InputOf, OutputOf, StreamModeDetails } from '@emu/service-types/kinesis';
import type { KinesisContext } from '../context.ts';
import { inUse, invalid, invalidArgument } from '../errors.ts';
import { checkActive, type Stream, streamOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import { checkShards, SHARDS } from '../quotas.ts';
import type { StreamRecord } from '../records.ts';
import type { KinesisState } from '../state.ts';
import { MIN_SHARDS } from '../streams/on-demand.ts';
import { openFirst } from '../streams/resharding.ts';
import { describeShard, openShards, shardIndex } from '../streams/shards.ts';
import { checkWarmThroughput, describeWarmThroughput } from '../streams/throughput.ts';
import { tagging } from '../tags.ts';

const DEFAULT_RETENTION = 24;
const DEFAULT_RECORD_KIB = 1024;
/** Shards per page of DescribeStream. */
const DEFAULT_SHARDS = 100;
const ID_LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Maximum on-demand streams per account: "Quotas and limits" of the developer guide. */
const ON_DEMAND_LIMIT = 50;

const modeOf = (details: StreamModeDetails | undefined) => details?.StreamMode ?? 'PROVISIONED';

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_CreateStream.html */
export function CreateStream(input: InputOf<'CreateStream'>, ctx: KinesisContext): OutputOf<'CreateStream'> {
  const { StreamName: name, ShardCount, WarmThroughputMiBps } = input;
  const { state } = ctx;
  const mode = modeOf(input.StreamModeDetails);
  if (state.stream(name)) throw inUse(`Stream ${name} under account ${ctx.accountId} already exists.`);
  if (mode === 'ON_DEMAND' && ShardCount !== undefined)
    throw invalid('ShardCount cannot be specified for a stream in ON_DEMAND mode.');
  if (mode === 'PROVISIONED' && WarmThroughputMiBps !== undefined)
    throw invalid('WarmThroughputMiBps can only be specified for a stream in ON_DEMAND mode.');
  checkWarmThroughput(WarmThroughputMiBps);
  const shards = ShardCount ?? (mode === 'ON_DEMAND' ? MIN_SHARDS : 1);
  if (mode === 'PROVISIONED') checkShards(ctx, shards);
  const now = Math.floor(ctx.clock.now());
  const record: Omit<StreamRecord, 'number'> = {
    name,
    id: `${idText(ctx, 20)}-${idText(ctx, 3)}`,
    status: 'CREATING',
    mode,
    createdAt: now,
    shards: [],
    nextShard: 0,
    retentionHours: DEFAULT_RETENTION,
    maxRecordKiB: input.MaxRecordSizeInKiB ?? DEFAULT_RECORD_KIB,
    metrics: [],
    tags: tagging.merge(undefined, input.Tags),
    ...(WarmThroughputMiBps !== undefined && { warmThroughputMiBps: WarmThroughputMiBps }),
    modeChanges: [],
    scalings: [],
  };
  openFirst(record as StreamRecord, shards, now);
  state.createStream(record);
  state.transitions.later(name);
  return {};
}

const idText = (ctx: KinesisContext, length: number): string => ctx.ids.chars(length, ID_LETTERS);

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_DeleteStream.html */
export function DeleteStream(input: InputOf<'DeleteStream'>, ctx: KinesisContext): OutputOf<'DeleteStream'> {
  const target = streamOf(input, ctx);
  const { state, stream } = target;
  if (stream.status === 'DELETING') return {};
  checkActive(target);
  if (!input.EnforceConsumerDeletion && state.consumers.of(stream.name).length > 0)
    throw inUse(
      `Stream ${stream.name} under account ${state.accountId} has registered consumers. Deregister them, or set EnforceConsumerDeletion.`,
    );
  state.transitions.begin(stream.name, 'DELETING');
  return {};
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_DescribeStream.html */
export function DescribeStream(input: InputOf<'DescribeStream'>, ctx: KinesisContext): OutputOf<'DescribeStream'> {
  const { state, stream } = streamOf(input, ctx);
  const { ExclusiveStartShardId: after, Limit = DEFAULT_SHARDS } = input;
  const start = after === undefined ? -1 : shardIndex(after);
  if (start === undefined) throw invalidArgument(`ExclusiveStartShardId ${after} is no id of a shard.`);
  const shards = stream.shards.filter(({ index }) => index > start);
  return {
    StreamDescription: {
      ...describe(state, stream),
      Shards: shards.slice(0, Limit).map(describeShard),
      HasMoreShards: shards.length > Limit,
    },
  };
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_DescribeStreamSummary.html */
export function DescribeStreamSummary(
  input: InputOf<'DescribeStreamSummary'>,
  ctx: KinesisContext,
): OutputOf<'DescribeStreamSummary'> {
  const { state, stream } = streamOf(input, ctx);
  return {
    StreamDescriptionSummary: {
      ...describe(state, stream),
      StreamId: stream.id,
      OpenShardCount: openShards(stream).length,
      ConsumerCount: state.consumers.of(stream.name).length,
      MaxRecordSizeInKiB: stream.maxRecordKiB,
      ...(stream.mode === 'ON_DEMAND' && { WarmThroughput: describeWarmThroughput(stream) }),
    },
  };
}

/** Returns the common members of both stream descriptions. */
function describe(state: KinesisState, stream: Stream) {
  const { name, status, mode, retentionHours, createdAt, metrics, encryption } = stream;
  return {
    StreamName: name,
    StreamARN: state.arnOf(name),
    StreamStatus: status,
    StreamModeDetails: { StreamMode: mode },
    RetentionPeriodHours: retentionHours,
    StreamCreationTimestamp: new Date(createdAt),
    EnhancedMonitoring: [{ ShardLevelMetrics: [...metrics] }],
    EncryptionType: encryption ? ('KMS' as const) : ('NONE' as const),
    ...(encryption && { KeyId: encryption.keyId }),
  };
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_ListStreams.html */
export function ListStreams(input: InputOf<'ListStreams'>, ctx: KinesisContext): OutputOf<'ListStreams'> {
  const { state } = ctx;
  const after = input.ExclusiveStartStreamName;
  const streams = state.listStreams().filter(({ name }) => after === undefined || name > after);
  const { items, next } = paging.page('ListStreams', input, streams, ({ name }) => name);
  return {
    StreamNames: items.map(({ name }) => name),
    StreamSummaries: items.map(({ name, status, mode, createdAt }) => ({
      StreamName: name,
      StreamARN: state.arnOf(name),
      StreamStatus: status,
      StreamModeDetails: { StreamMode: mode },
      StreamCreationTimestamp: new Date(createdAt),
    })),
    ...next,
  };
}

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_DescribeLimits.html */
export function DescribeLimits(_input: InputOf<'DescribeLimits'>, ctx: KinesisContext): OutputOf<'DescribeLimits'> {
  const { state, accountId, region } = ctx;
  const onDemand = state.listStreams().filter(({ mode }) => mode === 'ON_DEMAND');
  return {
    ShardLimit: ctx.handle.quotaValue(SHARDS, accountId, region),
    OpenShardCount: state.provisionedShards(),
    OnDemandStreamCount: onDemand.length,
    OnDemandStreamCountLimit: ON_DEMAND_LIMIT,
  };
}
