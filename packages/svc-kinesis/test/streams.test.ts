import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT, arnOf, failureOf, HOUR, type KinesisTest, startKinesis } from './support.ts';

let t: KinesisTest;
beforeAll(async () => {
  t = await startKinesis();
});
afterAll(() => t[Symbol.asyncDispose]());

const missing = `ResourceNotFoundException: Stream missing under account ${ACCOUNT} not found.`;

describe('streams', () => {
  test('are created with shards of equal size and described', async () => {
    await t.kinesis.createStream({ StreamName: 'four', ShardCount: 4, Tags: { team: 'orders' } });
    const { StreamDescription } = await t.kinesis.describeStream({ StreamName: 'four' });
    expect(StreamDescription).toMatchObject({
      StreamName: 'four',
      StreamARN: arnOf('four'),
      StreamStatus: 'ACTIVE',
      StreamModeDetails: { StreamMode: 'PROVISIONED' },
      RetentionPeriodHours: 24,
      EnhancedMonitoring: [{ ShardLevelMetrics: [] }],
      EncryptionType: 'NONE',
      HasMoreShards: false,
    });
    expect(StreamDescription!.Shards!.map(({ HashKeyRange }) => HashKeyRange)).toEqual([
      { StartingHashKey: '0', EndingHashKey: '85070591730234615865843651857942052863' },
      {
        StartingHashKey: '85070591730234615865843651857942052864',
        EndingHashKey: '170141183460469231731687303715884105727',
      },
      {
        StartingHashKey: '170141183460469231731687303715884105728',
        EndingHashKey: '255211775190703847597530955573826158591',
      },
      {
        StartingHashKey: '255211775190703847597530955573826158592',
        EndingHashKey: '340282366920938463463374607431768211455',
      },
    ]);
    expect(StreamDescription!.Shards![0]!.SequenceNumberRange!.StartingSequenceNumber).toMatch(/^49\d{54}$/);
    const { StreamDescriptionSummary } = await t.kinesis.describeStreamSummary({ StreamARN: arnOf('four') });
    expect(StreamDescriptionSummary).toMatchObject({
      StreamName: 'four',
      StreamId: expect.stringMatching(/^[a-z0-9]{20}-[a-z0-9]{3}$/),
      OpenShardCount: 4,
      ConsumerCount: 0,
      MaxRecordSizeInKiB: 1024,
    });
    expect((await t.kinesis.listTagsForStream({ StreamName: 'four' })).Tags).toEqual([
      { Key: 'team', Value: 'orders' },
    ]);
  });

  test('list their shards in pages', async () => {
    await t.stream('paged', 5);
    const ids = async (more: object) => {
      const { StreamDescription } = await t.kinesis.describeStream({ StreamName: 'paged', ...more });
      return [StreamDescription!.Shards!.map(({ ShardId }) => ShardId!.slice(-1)), StreamDescription!.HasMoreShards];
    };
    expect(await ids({ Limit: 2 })).toEqual([['0', '1'], true]);
    expect(await ids({ Limit: 3, ExclusiveStartShardId: 'shardId-000000000001' })).toEqual([['2', '3', '4'], false]);
    expect(await failureOf(ids({ ExclusiveStartShardId: 'x' }))).toBe(
      'InvalidArgumentException: ExclusiveStartShardId x is no id of a shard.',
    );
  });

  test('in on-demand mode start with four shards and a warm throughput', async () => {
    const StreamModeDetails = { StreamMode: 'ON_DEMAND' as const };
    await t.kinesis.createStream({ StreamName: 'demand', StreamModeDetails, WarmThroughputMiBps: 10 });
    const { StreamDescriptionSummary } = await t.kinesis.describeStreamSummary({ StreamName: 'demand' });
    expect(StreamDescriptionSummary).toMatchObject({
      OpenShardCount: 4,
      StreamModeDetails,
      WarmThroughput: { TargetMiBps: 10, CurrentMiBps: 10 },
    });
    expect(await failureOf(t.kinesis.createStream({ StreamName: 'x', StreamModeDetails, ShardCount: 2 }))).toBe(
      'ValidationException: ShardCount cannot be specified for a stream in ON_DEMAND mode.',
    );
    const warm = { StreamName: 'warm', StreamModeDetails, WarmThroughputMiBps: 10_241 };
    expect(await failureOf(t.kinesis.createStream(warm))).toBe(
      'LimitExceededException: WarmThroughputMiBps 10241 exceeds the limit of 10240 MiBps for a stream.',
    );
    expect(await failureOf(t.kinesis.createStream({ StreamName: 'x', WarmThroughputMiBps: 2 }))).toBe(
      'ValidationException: WarmThroughputMiBps can only be specified for a stream in ON_DEMAND mode.',
    );
    expect(
      await failureOf(t.kinesis.splitShard({ StreamName: 'demand', ShardToSplit: '0', NewStartingHashKey: '9' })),
    ).toBe(`ValidationException: Request is invalid. Stream demand under account ${ACCOUNT} is in On-Demand mode.`);
  });

  test('have unique and valid names', async () => {
    await t.stream('once');
    expect(await failureOf(t.stream('once'))).toBe(
      `ResourceInUseException: Stream once under account ${ACCOUNT} already exists.`,
    );
    expect(await failureOf(t.stream('a b'))).toBe(
      "ValidationException: 1 validation error detected: Value 'a b' at 'streamName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
    );
  });

  test('are listed in order, in pages', async () => {
    await using own = await startKinesis();
    for (const name of ['c', 'a', 'b']) await own.stream(name);
    const first = await own.kinesis.listStreams({ Limit: 2 });
    expect([first.StreamNames, first.HasMoreStreams]).toEqual([['a', 'b'], true]);
    expect(first.StreamSummaries![0]).toMatchObject({ StreamARN: arnOf('a'), StreamStatus: 'ACTIVE' });
    const second = await own.kinesis.listStreams({ Limit: 2, NextToken: first.NextToken });
    expect([second.StreamNames, second.HasMoreStreams, second.NextToken]).toEqual([['c'], false, undefined]);
    expect((await own.kinesis.listStreams({ ExclusiveStartStreamName: 'a' })).StreamNames).toEqual(['b', 'c']);
    expect(await failureOf(own.kinesis.listStreams({ NextToken: 'x' }))).toBe(
      'InvalidArgumentException: NextToken is invalid.',
    );
    expect(await own.kinesis.describeLimits({})).toMatchObject({
      ShardLimit: 20_000,
      OpenShardCount: 3,
      OnDemandStreamCount: 0,
      OnDemandStreamCountLimit: 50,
    });
  });

  test('are reported as missing in every form of identification', async () => {
    expect(await failureOf(t.kinesis.describeStream({ StreamName: 'missing' }))).toBe(missing);
    expect(await failureOf(t.kinesis.describeStreamSummary({ StreamARN: arnOf('missing') }))).toBe(missing);
    expect(await failureOf(t.kinesis.deleteStream({ StreamName: 'missing' }))).toBe(missing);
    expect(await failureOf(t.kinesis.putRecord({ StreamName: 'missing', Data: Buffer.of(1), PartitionKey: 'k' }))).toBe(
      missing,
    );
    expect(await failureOf(t.kinesis.describeStream({}))).toBe(
      'InvalidArgumentException: Either StreamName or StreamARN must be specified.',
    );
    expect(await failureOf(t.kinesis.describeStream({ StreamName: 'four', StreamARN: arnOf('paged') }))).toBe(
      `InvalidArgumentException: StreamName four and StreamARN ${arnOf('paged')} are not of the same stream.`,
    );
  });

  test('are CREATING, UPDATING and DELETING by the clock', async () => {
    await using slow = await startKinesis({ latency: 500 });
    const { kinesis } = slow;
    const StreamName = 's';
    const status = async () =>
      (await kinesis.describeStreamSummary({ StreamName })).StreamDescriptionSummary!.StreamStatus;
    await slow.stream(StreamName);
    expect(await status()).toBe('CREATING');
    expect(await failureOf(slow.put(StreamName, ['x']))).toBe(
      `ResourceNotFoundException: Stream s under account ${ACCOUNT} not found.`,
    );
    const change = () => kinesis.increaseStreamRetentionPeriod({ StreamName, RetentionPeriodHours: 48 });
    expect(await failureOf(change())).toBe(
      `ResourceInUseException: Stream s under account ${ACCOUNT} not ACTIVE, instead in state CREATING`,
    );
    await slow.advance(500);
    expect(await status()).toBe('ACTIVE');
    await change();
    expect(await status()).toBe('UPDATING');
    await slow.put(StreamName, ['written while it is updated']);
    await slow.advance(500);
    await kinesis.deleteStream({ StreamName });
    expect(await status()).toBe('DELETING');
    await slow.advance(500);
    expect(await failureOf(status())).toMatch(/^ResourceNotFoundException/);
  });

  test('are deleted with consumers only on request, and completely', async () => {
    const StreamARN = await t.stream('gone');
    await t.put('gone', ['old']);
    await t.kinesis.registerStreamConsumer({ StreamARN, ConsumerName: 'c' });
    expect(await failureOf(t.kinesis.deleteStream({ StreamName: 'gone' }))).toBe(
      `ResourceInUseException: Stream gone under account ${ACCOUNT} has registered consumers. Deregister them, or set EnforceConsumerDeletion.`,
    );
    await t.kinesis.deleteStream({ StreamName: 'gone', EnforceConsumerDeletion: true });
    await t.stream('gone');
    expect(await t.texts('gone', 0)).toEqual([]);
    expect((await t.kinesis.listStreamConsumers({ StreamARN })).Consumers).toEqual([]);
  });
});

describe('settings', () => {
  const retention = async (StreamName: string) =>
    (await t.kinesis.describeStream({ StreamName })).StreamDescription!.RetentionPeriodHours;

  test('retention can be changed between a day and a year', async () => {
    const StreamName = 'kept';
    await t.stream(StreamName);
    const increase = (RetentionPeriodHours: number) =>
      t.kinesis.increaseStreamRetentionPeriod({ StreamName, RetentionPeriodHours });
    const decrease = (RetentionPeriodHours: number) =>
      t.kinesis.decreaseStreamRetentionPeriod({ StreamName, RetentionPeriodHours });
    await increase(8760);
    await decrease(48);
    expect(await retention(StreamName)).toBe(48);
    expect(await failureOf(decrease(12))).toBe(
      'InvalidArgumentException: Minimum allowed retention period is 24 hours. Requested retention period (12 hours) is too short.',
    );
    expect(await failureOf(increase(9000))).toBe(
      'InvalidArgumentException: Maximum allowed retention period is 8760 hours. Requested retention period (9000 hours) is too long.',
    );
    expect(await failureOf(increase(24))).toBe(
      'InvalidArgumentException: Requested retention period (24 hours) for stream kept can not be shorter than existing retention period (48 hours). Use DecreaseRetentionPeriod API.',
    );
    expect(await failureOf(decrease(72))).toBe(
      'InvalidArgumentException: Requested retention period (72 hours) for stream kept can not be longer than existing retention period (48 hours). Use IncreaseRetentionPeriod API.',
    );
  });

  test('records expire after their retention', async () => {
    await t.stream('short');
    await t.put('short', ['first']);
    await t.advance(23 * HOUR);
    await t.put('short', ['second']);
    expect(await t.texts('short', 0)).toEqual(['first', 'second']);
    await t.advance(2 * HOUR);
    expect(await t.texts('short', 0)).toEqual(['second']);
  });

  test('enables and disables enhanced monitoring by metric', async () => {
    const StreamName = 'watched';
    await t.stream(StreamName);
    expect(
      await t.kinesis.enableEnhancedMonitoring({ StreamName, ShardLevelMetrics: ['OutgoingBytes', 'IncomingBytes'] }),
    ).toMatchObject({
      StreamARN: arnOf(StreamName),
      CurrentShardLevelMetrics: [],
      DesiredShardLevelMetrics: ['IncomingBytes', 'OutgoingBytes'],
    });
    expect(
      await t.kinesis.disableEnhancedMonitoring({ StreamName, ShardLevelMetrics: ['OutgoingBytes'] }),
    ).toMatchObject({ DesiredShardLevelMetrics: ['IncomingBytes'] });
    const { DesiredShardLevelMetrics } = await t.kinesis.enableEnhancedMonitoring({
      StreamName,
      ShardLevelMetrics: ['ALL'],
    });
    expect(DesiredShardLevelMetrics).toHaveLength(7);
    const { StreamDescription } = await t.kinesis.describeStream({ StreamName });
    expect(StreamDescription!.EnhancedMonitoring![0]!.ShardLevelMetrics).toEqual(DesiredShardLevelMetrics);
  });

  test('limits mode changes to two per day', async () => {
    const StreamARN = await t.stream('moded', 2);
    const change = (StreamMode: 'ON_DEMAND' | 'PROVISIONED', more: object = {}) =>
      t.kinesis.updateStreamMode({ StreamARN, StreamModeDetails: { StreamMode }, ...more });
    expect(await failureOf(change('PROVISIONED', { WarmThroughputMiBps: 3 }))).toMatch(/^ValidationException/);
    await change('ON_DEMAND', { WarmThroughputMiBps: 3 });
    expect((await t.kinesis.describeStreamSummary({ StreamARN })).StreamDescriptionSummary).toMatchObject({
      StreamModeDetails: { StreamMode: 'ON_DEMAND' },
      OpenShardCount: 2,
      WarmThroughput: { TargetMiBps: 3 },
    });
    await change('PROVISIONED');
    expect(await failureOf(change('ON_DEMAND'))).toBe(
      `LimitExceededException: Stream moded under account ${ACCOUNT} cannot change its mode more than 2 times in a rolling 24-hour period.`,
    );
    await t.advance(24 * HOUR);
    await change('ON_DEMAND');
  });

  test("warm throughput requires the account's commitment", async () => {
    await using own = await startKinesis();
    await own.kinesis.createStream({ StreamName: 's', StreamModeDetails: { StreamMode: 'ON_DEMAND' } });
    const warm = () => own.kinesis.updateStreamWarmThroughput({ StreamName: 's', WarmThroughputMiBps: 20 });
    expect(await failureOf(warm())).toBe(
      'ValidationException: Warm throughput needs the minimum throughput billing commitment of the account.',
    );
    const commit = (Status: 'ENABLED' | 'DISABLED') =>
      own.kinesis.updateAccountSettings({ MinimumThroughputBillingCommitment: { Status } });
    await commit('ENABLED');
    expect((await warm()).WarmThroughput).toEqual({ TargetMiBps: 20, CurrentMiBps: 4 });
    expect(
      (await own.kinesis.describeStreamSummary({ StreamName: 's' })).StreamDescriptionSummary!.WarmThroughput,
    ).toEqual({ TargetMiBps: 20, CurrentMiBps: 20 });
    await commit('DISABLED');
    const status = async () =>
      (await own.kinesis.describeAccountSettings({})).MinimumThroughputBillingCommitment!.Status;
    expect(await status()).toBe('ENABLED_UNTIL_EARLIEST_ALLOWED_END');
    await own.advance(24 * HOUR);
    expect(await status()).toBe('DISABLED');
  });
});

test('adds, replaces, removes and lists tags', async () => {
  const ResourceARN = await t.stream('tagged');
  const StreamName = 'tagged';
  await t.kinesis.addTagsToStream({ StreamName, Tags: { b: '2', a: '1', c: '3' } });
  await t.kinesis.tagResource({ ResourceARN, Tags: { a: 'one' } });
  await t.kinesis.removeTagsFromStream({ StreamName, TagKeys: ['b'] });
  const all = [
    { Key: 'a', Value: 'one' },
    { Key: 'c', Value: '3' },
  ];
  expect(await t.kinesis.listTagsForStream({ StreamName })).toMatchObject({ Tags: all, HasMoreTags: false });
  expect(await t.kinesis.listTagsForStream({ StreamName, Limit: 1 })).toMatchObject({ HasMoreTags: true });
  expect((await t.kinesis.listTagsForStream({ StreamName, ExclusiveStartTagKey: 'a' })).Tags).toEqual(all.slice(1));
  await t.kinesis.untagResource({ ResourceARN, TagKeys: ['a', 'absent'] });
  expect((await t.kinesis.listTagsForResource({ ResourceARN })).Tags).toEqual(all.slice(1));
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, 'v']));
  expect(await failureOf(t.kinesis.addTagsToStream({ StreamName, Tags: many }))).toBe(
    'LimitExceededException: A resource cannot have more than 50 tags associated with it.',
  );
  expect(await failureOf(t.kinesis.tagResource({ ResourceARN, Tags: { 'a;b': 'x' } }))).toMatch(
    /^InvalidArgumentException: Some tags contain invalid characters/,
  );
});

test('stores, validates and deletes resource policies', async () => {
  const ResourceARN = await t.stream('shared');
  const policyOf = async () => (await t.kinesis.getResourcePolicy({ ResourceARN })).Policy;
  expect(await policyOf()).toBe('{}');
  const statement = {
    Sid: 'write',
    Effect: 'Allow',
    Principal: { AWS: 'arn:aws:iam::000000000002:root' },
    Action: 'kinesis:PutRecord',
    Resource: ResourceARN,
  };
  const put = (change: object) => {
    const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [{ ...statement, ...change }] });
    return t.kinesis.putResourcePolicy({ ResourceARN, Policy });
  };
  await put({});
  expect(JSON.parse((await policyOf())!).Statement).toEqual([statement]);
  expect(await failureOf(put({ Action: 'kinesis:DeleteStream' }))).toBe(
    'InvalidArgumentException: The policy has the invalid action kinesis:DeleteStream.',
  );
  expect(await failureOf(put({ Resource: arnOf('other') }))).toMatch(/the resource .*other, which is not the one/);
  expect(await failureOf(t.kinesis.putResourcePolicy({ ResourceARN, Policy: '{' }))).toBe(
    'InvalidArgumentException: The policy is not valid JSON.',
  );
  await t.kinesis.deleteResourcePolicy({ ResourceARN });
  expect(await policyOf()).toBe('{}');
  // https://github.com/getmoto/moto/blob/master/tests/test_kinesis/test_kinesis_resource_policy.py
  expect(await failureOf(t.kinesis.deleteResourcePolicy({ ResourceARN }))).toBe(
    `ResourceNotFoundException: No resource policy found for resource ARN ${ResourceARN}.`,
  );
});
