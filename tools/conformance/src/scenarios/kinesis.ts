import * as sdk from '@aws-sdk/client-kinesis';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-kinesis/model/kinesis.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';

const StreamName = 'known';
const StreamARN = `arn:aws:kinesis:us-east-1:123456789012:stream/${StreamName}`;
const HALF = '170141183460469231731687303715884105728';
const of = () => ({ StreamName });
const named = () => ({ ResourceARN: StreamARN });
const policy = (account: string): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { AWS: `arn:aws:iam::${account}:root` },
        Action: 'kinesis:GetRecords',
        Resource: StreamARN,
      },
    ],
  });

const put = (send: Send, text: string, PartitionKey: string) =>
  send('PutRecord', { ...of(), PartitionKey, Data: Buffer.from(text) });

/** Creates a stream of two shards with records, a tag, a policy and two consumers; and one on demand. */
async function setUp(send: Send): Promise<Facts> {
  await send('CreateStream', { ...of(), ShardCount: 2, Tags: { team: 'a', zone: 'b' } });
  await send('CreateStream', { StreamName: 'other', StreamModeDetails: { StreamMode: 'ON_DEMAND' } });
  await put(send, 'first', 'a');
  const { SequenceNumber } = await put(send, 'second', 'a');
  await put(send, 'third', 'b');
  await send('PutResourcePolicy', { ...named(), Policy: policy('000000000002') });
  await send('UpdateAccountSettings', { MinimumThroughputBillingCommitment: { Status: 'ENABLED' } });
  await send('RegisterStreamConsumer', { StreamARN, ConsumerName: 'second' });
  const { Consumer } = await send('RegisterStreamConsumer', { StreamARN, ConsumerName: 'first', Tags: { a: 'b' } });
  const { ShardIterator } = await send('GetShardIterator', {
    ...of(),
    ShardId: '0',
    ShardIteratorType: 'TRIM_HORIZON',
  });
  return {
    consumer: (Consumer as { ConsumerARN: string }).ConsumerARN,
    iterator: ShardIterator as string,
    sequence: SequenceNumber as string,
  };
}

/** Returns every stream with its shards, records, tags, policy and consumers. */
async function observe(send: Send): Promise<unknown> {
  const answer = async (operation: string, input: object) => {
    const { $metadata: _, ...rest } = await send(operation, input as Record<string, unknown>);
    return rest;
  };
  const { StreamNames } = await send('ListStreams', {});
  const streams = (StreamNames as string[]).map(async (name) => {
    const ResourceARN = StreamARN.replace(StreamName, name);
    const described = await answer('DescribeStream', { StreamName: name });
    const { Shards } = described.StreamDescription as { Shards: { ShardId: string }[] };
    const records = Shards.map(async ({ ShardId }) => {
      const { ShardIterator } = await send('GetShardIterator', {
        StreamName: name,
        ShardId,
        ShardIteratorType: 'TRIM_HORIZON',
      });
      return (await send('GetRecords', { ShardIterator })).Records;
    });
    const { Consumers } = await send('ListStreamConsumers', { StreamARN: ResourceARN });
    const consumerTags = (Consumers as { ConsumerARN: string }[]).map(({ ConsumerARN }) =>
      answer('ListTagsForResource', { ResourceARN: ConsumerARN }),
    );
    return [
      described,
      await answer('DescribeStreamSummary', { StreamName: name }),
      await answer('ListTagsForStream', { StreamName: name }),
      await answer('GetResourcePolicy', { ResourceARN }),
      Consumers,
      await Promise.all(consumerTags),
      await Promise.all(records),
    ];
  });
  return [await Promise.all(streams), await answer('DescribeAccountSettings', {})];
}

const tagged = (send: Send) => send('AddTagsToStream', { ...of(), Tags: { new: 'x' } });
const written = (send: Send) => put(send, 'fourth', 'a');
const split = (send: Send) => send('SplitShard', { ...of(), ShardToSplit: '0', NewStartingHashKey: '9' });

/** Operations that also accept a stream ARN. */
const BY_ARN = [
  'AddTagsToStream',
  'DecreaseStreamRetentionPeriod',
  'DeleteStream',
  'DescribeStream',
  'DescribeStreamSummary',
  'DisableEnhancedMonitoring',
  'EnableEnhancedMonitoring',
  'GetShardIterator',
  'IncreaseStreamRetentionPeriod',
  'ListShards',
  'ListTagsForStream',
  'MergeShards',
  'PutRecord',
  'PutRecords',
  'RemoveTagsFromStream',
  'SplitShard',
  'StartStreamEncryption',
  'StopStreamEncryption',
  'UpdateShardCount',
] as const;

const inputs: Scenario['inputs'] = {
  AddTagsToStream: () => ({ ...of(), Tags: { new: 'x' } }),
  CreateStream: () => ({ StreamName: 'new' }),
  DecreaseStreamRetentionPeriod: () => ({ ...of(), RetentionPeriodHours: 48 }),
  DeleteResourcePolicy: named,
  DeleteStream: of,
  DeregisterStreamConsumer: () => ({ StreamARN, ConsumerName: 'first' }),
  DescribeStream: of,
  DescribeStreamConsumer: () => ({ StreamARN, ConsumerName: 'first' }),
  DescribeStreamSummary: of,
  DisableEnhancedMonitoring: () => ({ ...of(), ShardLevelMetrics: ['IncomingBytes'] }),
  EnableEnhancedMonitoring: () => ({ ...of(), ShardLevelMetrics: ['IncomingBytes'] }),
  GetRecords: ({ iterator }) => ({ ShardIterator: iterator }),
  GetResourcePolicy: named,
  GetShardIterator: () => ({ ...of(), ShardId: '0', ShardIteratorType: 'LATEST' }),
  IncreaseStreamRetentionPeriod: () => ({ ...of(), RetentionPeriodHours: 48 }),
  ListShards: of,
  ListStreamConsumers: () => ({ StreamARN }),
  ListTagsForResource: named,
  ListTagsForStream: of,
  MergeShards: () => ({ ...of(), ShardToMerge: '0', AdjacentShardToMerge: '1' }),
  PutRecord: () => ({ ...of(), PartitionKey: 'a', Data: Buffer.from('x') }),
  PutRecords: () => ({ ...of(), Records: [{ PartitionKey: 'a', Data: Buffer.from('x') }] }),
  PutResourcePolicy: () => ({ ...named(), Policy: policy('000000000003') }),
  RegisterStreamConsumer: () => ({ StreamARN, ConsumerName: 'new' }),
  RemoveTagsFromStream: () => ({ ...of(), TagKeys: ['team'] }),
  SplitShard: () => ({ ...of(), ShardToSplit: '1', NewStartingHashKey: String((BigInt(HALF) * 3n) / 2n) }),
  StartStreamEncryption: () => ({ ...of(), EncryptionType: 'KMS', KeyId: 'alias/aws/kinesis' }),
  StopStreamEncryption: () => ({ ...of(), EncryptionType: 'KMS', KeyId: 'alias/aws/kinesis' }),
  SubscribeToShard: ({ consumer }) => ({
    ConsumerARN: consumer,
    ShardId: '0',
    StartingPosition: { Type: 'TRIM_HORIZON' },
  }),
  TagResource: () => ({ ...named(), Tags: { new: 'x' } }),
  UntagResource: () => ({ ...named(), TagKeys: ['team'] }),
  UpdateAccountSettings: () => ({ MinimumThroughputBillingCommitment: { Status: 'DISABLED' } }),
  UpdateMaxRecordSize: () => ({ StreamARN, MaxRecordSizeInKiB: 2048 }),
  UpdateShardCount: () => ({ ...of(), TargetShardCount: 3, ScalingType: 'UNIFORM_SCALING' }),
  UpdateStreamMode: () => ({ StreamARN, StreamModeDetails: { StreamMode: 'ON_DEMAND' } }),
  UpdateStreamWarmThroughput: () => ({ StreamName: 'other', WarmThroughputMiBps: 7 }),
};

const byArn = Object.fromEntries(
  BY_ARN.map((operation) => [
    operation,
    (facts: Facts) => {
      const { StreamName: _, ...input } = inputs[operation]!(facts);
      return { ...input, StreamARN };
    },
  ]),
);

/** Amazon Kinesis Data Streams. */
export const kinesis: Scenario = {
  service: 'kinesis',
  others: ['kms'],
  model: model as unknown as ServiceModel,
  client: (emulator) => {
    const client = new sdk.KinesisClient({ ...emulator.clientConfig(), maxAttempts: 1 });
    const send = sender(client as never, sdk);
    return async (operation, input) => {
      const answer = await send(operation, input);
      if (operation !== 'SubscribeToShard') return answer;
      // The first event; later ones require more records.
      const events = (answer.EventStream as AsyncIterable<unknown>)[Symbol.asyncIterator]();
      const { value } = await events.next();
      await events.return?.();
      return { $metadata: answer.$metadata, EventStream: value };
    };
  },
  deviations: [
    { path: /^failedRecordCount$/, reason: 'AWS answers 0 where no record failed' },
    {
      path: /enhancedMonitoring.*shardLevelMetrics|ShardLevelMetrics$/,
      reason: 'AWS shows an empty list where there are none',
    },
  ],
  live: ['SubscribeToShard'],
  setUp,
  observe,
  before: {
    DecreaseStreamRetentionPeriod: async (send) => {
      await send('IncreaseStreamRetentionPeriod', { ...of(), RetentionPeriodHours: 72 });
      return {};
    },
    DeleteStream: async (send) => {
      for (const ConsumerName of ['first', 'second'])
        await send('DeregisterStreamConsumer', { StreamARN, ConsumerName });
      return {};
    },
    DisableEnhancedMonitoring: async (send) => {
      await send('EnableEnhancedMonitoring', { ...of(), ShardLevelMetrics: ['ALL'] });
      return {};
    },
    StopStreamEncryption: async (send) => {
      await send('StartStreamEncryption', { ...of(), EncryptionType: 'KMS', KeyId: 'alias/aws/kinesis' });
      return {};
    },
  },
  inputs,
  also: {
    ...Object.fromEntries(Object.entries(byArn).map(([operation, input]) => [operation, [input]])),
    DeleteStream: [byArn.DeleteStream!, () => ({ ...of(), EnforceConsumerDeletion: true })],
    DeregisterStreamConsumer: [({ consumer }) => ({ ConsumerARN: consumer })],
    DescribeStreamConsumer: [({ consumer }) => ({ ConsumerARN: consumer })],
    GetRecords: [({ iterator }) => ({ ShardIterator: iterator, StreamARN })],
    GetShardIterator: [
      byArn.GetShardIterator!,
      ({ sequence }) => ({
        ...of(),
        ShardId: '0',
        ShardIteratorType: 'AFTER_SEQUENCE_NUMBER',
        StartingSequenceNumber: sequence,
      }),
      () => ({ ...of(), ShardId: '0', ShardIteratorType: 'AT_TIMESTAMP', Timestamp: new Date(0) }),
    ],
    ListShards: [
      byArn.ListShards!,
      () => ({ ...of(), ShardFilter: { Type: 'AFTER_SHARD_ID', ShardId: 'shardId-000000000000' } }),
      () => ({ ...of(), ShardFilter: { Type: 'FROM_TIMESTAMP', Timestamp: new Date(0) } }),
    ],
    SubscribeToShard: [
      ({ consumer, sequence }) => ({
        ConsumerARN: consumer,
        ShardId: '0',
        StartingPosition: { Type: 'AT_SEQUENCE_NUMBER', SequenceNumber: sequence },
      }),
      ({ consumer }) => ({
        ConsumerARN: consumer,
        ShardId: '0',
        StartingPosition: { Type: 'AT_TIMESTAMP', Timestamp: new Date(0) },
      }),
    ],
    UpdateStreamWarmThroughput: [() => ({ StreamARN: StreamARN.replace(StreamName, 'other'), WarmThroughputMiBps: 7 })],
  },
  values: {
    'ListTagsForStream.ExclusiveStartTagKey': ['team', 'a'],
    'EnableEnhancedMonitoring.ShardLevelMetrics': [['OutgoingBytes'], ['ALL']],
    'PutRecord.Data': [Buffer.from('y'), Buffer.from('zz')],
    'PutRecord.ExplicitHashKey': ['0', HALF],
    'PutRecords.Records[].Data': [Buffer.from('y'), Buffer.from('zz')],
    'PutRecords.Records[].ExplicitHashKey': ['0', HALF],
    'UpdateMaxRecordSize.StreamId': ['abcdefghij0123456789-abc'],
    'GetShardIterator.Timestamp': [new Date(0)],
    'DisableEnhancedMonitoring.ShardLevelMetrics': [['IncomingBytes'], ['OutgoingBytes']],
  },
  reads: {
    DescribeAccountSettings: (send) =>
      send('UpdateAccountSettings', { MinimumThroughputBillingCommitment: { Status: 'DISABLED' } }),
    DescribeLimits: split,
    DescribeStream: split,
    // A consumer never changes.
    DescribeStreamConsumer: undefined,
    DescribeStreamSummary: split,
    GetRecords: written,
    GetResourcePolicy: (send) => send('DeleteResourcePolicy', named()),
    GetShardIterator: written,
    ListShards: split,
    ListStreamConsumers: (send) => send('DeregisterStreamConsumer', { StreamARN, ConsumerName: 'first' }),
    ListStreams: (send) => send('CreateStream', { StreamName: 'more' }),
    ListTagsForResource: tagged,
    ListTagsForStream: tagged,
    // A second call requires five seconds of the clock, which stands still.
    SubscribeToShard: undefined,
  },
};
