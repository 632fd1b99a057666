import {
  defined,
  defineProvider,
  listChanges,
  pick,
  run,
  sameValue,
  type TaggedProperties,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, type ProviderContext, tagMap } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };

const GONE = 'ResourceNotFoundException';
const RETENTION_HOURS = 24;
const RECORD_KIB = 1024;
const POLL = { interval: 50 };

interface StreamProperties extends TaggedProperties {
  DesiredShardLevelMetrics?: readonly string[];
  MaxRecordSizeInKiB?: number;
  Name?: string;
  RetentionPeriodHours?: number;
  ShardCount?: number;
  StreamEncryption?: { EncryptionType: string; KeyId: string };
  StreamModeDetails?: { StreamMode: string };
  WarmThroughputMiBps?: number;
}

const summaryOf = async (StreamName: string, ctx: ProviderContext) =>
  (await unless(ctx.call('kinesis', 'DescribeStreamSummary', { StreamName }), GONE))?.StreamDescriptionSummary;

/** Waits until a stream is active, because it accepts one change at a time. */
const active = (name: string, ctx: ProviderContext) =>
  ctx.until(async () => (await summaryOf(name, ctx))?.StreamStatus === 'ACTIVE', POLL);

const isOnDemand = ({ StreamModeDetails: mode }: StreamProperties) => mode?.StreamMode === 'ON_DEMAND';

/** Changes the number of shards or the capacity mode. */
async function changeCapacity(
  StreamName: string,
  previous: StreamProperties,
  desired: StreamProperties,
  ctx: ProviderContext,
): Promise<void> {
  if (isOnDemand(previous) !== isOnDemand(desired)) {
    const StreamMode = isOnDemand(desired) ? 'ON_DEMAND' : 'PROVISIONED';
    const { StreamARN } = (await summaryOf(StreamName, ctx))!;
    await run(ctx, 'kinesis', 'UpdateStreamMode', { StreamARN, StreamModeDetails: { StreamMode } });
    await active(StreamName, ctx);
  }
  const { ShardCount: TargetShardCount } = desired;
  if (TargetShardCount === undefined || isOnDemand(desired)) return;
  if ((await summaryOf(StreamName, ctx))?.OpenShardCount === TargetShardCount) return;
  await run(ctx, 'kinesis', 'UpdateShardCount', { StreamName, TargetShardCount, ScalingType: 'UNIFORM_SCALING' });
  await active(StreamName, ctx);
}

async function changeRetention(
  StreamName: string,
  { RetentionPeriodHours: before = RETENTION_HOURS }: StreamProperties,
  { RetentionPeriodHours = RETENTION_HOURS }: StreamProperties,
  ctx: ProviderContext,
): Promise<void> {
  if (before === RetentionPeriodHours) return;
  const operation = RetentionPeriodHours > before ? 'IncreaseStreamRetentionPeriod' : 'DecreaseStreamRetentionPeriod';
  await ctx.call('kinesis', operation, { StreamName, RetentionPeriodHours });
  await active(StreamName, ctx);
}

async function changeEncryption(
  StreamName: string,
  { StreamEncryption: before }: StreamProperties,
  { StreamEncryption: after }: StreamProperties,
  ctx: ProviderContext,
): Promise<void> {
  if (sameValue(before, after)) return;
  if (after) await run(ctx, 'kinesis', 'StartStreamEncryption', { StreamName, ...after });
  else await run(ctx, 'kinesis', 'StopStreamEncryption', { StreamName, ...before });
  await active(StreamName, ctx);
}

async function changeMetrics(
  StreamName: string,
  { DesiredShardLevelMetrics: before }: StreamProperties,
  { DesiredShardLevelMetrics: after }: StreamProperties,
  ctx: ProviderContext,
): Promise<void> {
  const { added, removed } = listChanges(before, after);
  if (removed.length) {
    await run(ctx, 'kinesis', 'DisableEnhancedMonitoring', { StreamName, ShardLevelMetrics: removed });
    await active(StreamName, ctx);
  }
  if (!added.length) return;
  await run(ctx, 'kinesis', 'EnableEnhancedMonitoring', { StreamName, ShardLevelMetrics: added });
  await active(StreamName, ctx);
}

/** Applies settings with their own operations, compared to a stream without them. */
async function changeSettings(
  name: string,
  previous: StreamProperties,
  desired: StreamProperties,
  ctx: ProviderContext,
): Promise<void> {
  await changeRetention(name, previous, desired, ctx);
  await changeEncryption(name, previous, desired, ctx);
  await changeMetrics(name, previous, desired, ctx);
}

/**
 * Data streams.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-kinesis-stream.html
 */
export const stream: AnyResourceProvider = defineProvider<
  StreamProperties,
  NonNullable<Awaited<ReturnType<typeof summaryOf>>>
>({
  typeName: 'AWS::Kinesis::Stream',
  model,
  service: 'kinesis',
  handles: [
    'DesiredShardLevelMetrics',
    'MaxRecordSizeInKiB',
    'Name',
    'RetentionPeriodHours',
    'ShardCount',
    'StreamEncryption',
    'StreamModeDetails',
    'Tags',
    'WarmThroughputMiBps',
  ],
  key: ['StreamName'],
  gone: [GONE],

  async create(properties, ctx) {
    const { Name = ctx.name(), Tags, ...rest } = properties;
    const settings = pick(rest, ['MaxRecordSizeInKiB', 'ShardCount', 'StreamModeDetails', 'WarmThroughputMiBps']);
    await run(ctx, 'kinesis', 'CreateStream', { ...settings, StreamName: Name, Tags: tagMap(Tags) });
    ctx.created(Name);
    await active(Name, ctx);
    await changeSettings(Name, {}, properties, ctx);
    return Name;
  },

  async find({ StreamName }, ctx) {
    const found = await summaryOf(StreamName!, ctx);
    return found?.StreamStatus === 'DELETING' ? undefined : found;
  },

  async describe(found, { StreamName }, ctx) {
    const { Tags } = await ctx.call('kinesis', 'ListTagsForResource', { ResourceARN: found.StreamARN! });
    const { EncryptionType, KeyId, StreamModeDetails, WarmThroughput } = found;
    const metrics = found.EnhancedMonitoring?.flatMap(({ ShardLevelMetrics = [] }) => ShardLevelMetrics);
    return {
      properties: defined({
        DesiredShardLevelMetrics: unlessEmpty(metrics),
        MaxRecordSizeInKiB: found.MaxRecordSizeInKiB,
        Name: StreamName,
        RetentionPeriodHours: found.RetentionPeriodHours,
        ShardCount: isOnDemand({ StreamModeDetails: StreamModeDetails! }) ? undefined : found.OpenShardCount,
        StreamEncryption: EncryptionType === 'KMS' ? { EncryptionType, KeyId } : undefined,
        StreamModeDetails,
        Tags: unlessEmpty(Tags),
        WarmThroughputMiBps: WarmThroughput?.TargetMiBps,
      }),
      attributes: defined({ Arn: found.StreamARN, WarmThroughputObject: WarmThroughput }),
    };
  },

  async update({ StreamName }, previous, desired, ctx) {
    const name = StreamName!;
    const ResourceARN = (await summaryOf(name, ctx))!.StreamARN!;
    await changeCapacity(name, previous, desired, ctx);
    await changeSettings(name, previous, desired, ctx);
    const { MaxRecordSizeInKiB = RECORD_KIB, WarmThroughputMiBps = 0 } = desired;
    if ((previous.MaxRecordSizeInKiB ?? RECORD_KIB) !== MaxRecordSizeInKiB) {
      await ctx.call('kinesis', 'UpdateMaxRecordSize', { StreamARN: ResourceARN, MaxRecordSizeInKiB });
      await active(name, ctx);
    }
    if ((previous.WarmThroughputMiBps ?? 0) !== WarmThroughputMiBps) {
      await ctx.call('kinesis', 'UpdateStreamWarmThroughput', { StreamARN: ResourceARN, WarmThroughputMiBps });
      await active(name, ctx);
    }
    await changeTagsOf(ResourceARN, previous, desired, ctx);
  },

  async remove({ StreamName }, _properties, ctx) {
    await ctx.call('kinesis', 'DeleteStream', { StreamName: StreamName!, EnforceConsumerDeletion: true });
    await ctx.until(async () => (await summaryOf(StreamName!, ctx)) === undefined, POLL);
  },

  list: {
    operation: 'ListStreams',
    token: ['NextToken', 'NextToken'],
    identifiers: ({ StreamNames }: { StreamNames?: string[] }) => StreamNames,
  },
});
