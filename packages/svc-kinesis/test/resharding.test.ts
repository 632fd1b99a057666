import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT, failureOf, HOUR, type KinesisTest, shard, startKinesis, textOf } from './support.ts';

let t: KinesisTest;
beforeAll(async () => {
  t = await startKinesis();
});
afterAll(() => t[Symbol.asyncDispose]());

const HALF = '170141183460469231731687303715884105728';
const QUARTER = '85070591730234615865843651857942052864';

const shardsOf = async (StreamName: string) => (await t.kinesis.listShards({ StreamName })).Shards!;

/** Ranges of open shards, which must cover all hash keys exactly once. */
async function cover(StreamName: string): Promise<number> {
  const { Shards } = await t.kinesis.listShards({ StreamName, ShardFilter: { Type: 'AT_LATEST' } });
  const ranges = Shards!
    .map(({ HashKeyRange }) => [BigInt(HashKeyRange!.StartingHashKey!), BigInt(HashKeyRange!.EndingHashKey!)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  let next = 0n;
  for (const [start, end] of ranges) {
    expect(start).toBe(next);
    next = end + 1n;
  }
  expect(next).toBe(1n << 128n);
  return ranges.length;
}

describe('splitting and merging', () => {
  test('a split shard is closed and followed by its children', async () => {
    const StreamName = 'split';
    await t.stream(StreamName);
    await t.put(StreamName, ['1', '2'], 'a');
    const early = await t.iterator(StreamName, 0, { ShardIteratorType: 'LATEST' });
    await t.kinesis.splitShard({ StreamName, ShardToSplit: shard(0), NewStartingHashKey: HALF });
    await t.put(StreamName, ['3'], 'a');
    const shards = await shardsOf(StreamName);
    expect(shards.map(({ ShardId, ParentShardId }) => [ShardId, ParentShardId])).toEqual([
      [shard(0), undefined],
      [shard(1), shard(0)],
      [shard(2), shard(0)],
    ]);
    expect(shards[0]!.SequenceNumberRange!.EndingSequenceNumber).toBeDefined();
    expect(BigInt(shards[1]!.SequenceNumberRange!.StartingSequenceNumber!)).toBeGreaterThan(
      BigInt(shards[0]!.SequenceNumberRange!.EndingSequenceNumber!),
    );
    expect(await t.open(StreamName)).toEqual([shard(1), shard(2)]);
    const end = await t.kinesis.getRecords({ ShardIterator: await t.iterator(StreamName, 0) });
    expect(end.Records!.map(({ Data }) => textOf(Data))).toEqual(['1', '2']);
    expect(end.NextShardIterator).toBeUndefined();
    expect(end.ChildShards).toEqual([
      {
        ShardId: shard(1),
        ParentShards: [shard(0)],
        HashKeyRange: { StartingHashKey: '0', EndingHashKey: String(BigInt(HALF) - 1n) },
      },
      expect.objectContaining({ ShardId: shard(2) }),
    ]);
    expect((await t.kinesis.getRecords({ ShardIterator: early })).NextShardIterator).toBeUndefined();
    expect(await t.texts(StreamName, 1)).toEqual(['3']);
    const after = {
      ShardIteratorType: 'AFTER_SEQUENCE_NUMBER',
      StartingSequenceNumber: shards[0]!.SequenceNumberRange!.EndingSequenceNumber,
    };
    const { Records } = await t.kinesis.getRecords({ ShardIterator: await t.iterator(StreamName, 0, after) });
    expect(Records).toEqual([]);
  });

  test('merged shards have one child', async () => {
    const StreamName = 'merged';
    await t.stream(StreamName, 3);
    const merge = (ShardToMerge: string, AdjacentShardToMerge: string) =>
      t.kinesis.mergeShards({ StreamName, ShardToMerge, AdjacentShardToMerge });
    expect(await failureOf(merge(shard(0), shard(2)))).toBe(
      `InvalidArgumentException: Shards ${shard(0)} and ${shard(2)} in stream merged under account ${ACCOUNT} are not an adjacent pair of shards eligible for merging`,
    );
    await merge(shard(0), shard(1));
    expect((await shardsOf(StreamName)).at(-1)).toMatchObject({
      ShardId: shard(3),
      ParentShardId: shard(0),
      AdjacentParentShardId: shard(1),
    });
    const { ChildShards } = await t.kinesis.getRecords({ ShardIterator: await t.iterator(StreamName, 1) });
    expect(ChildShards).toMatchObject([{ ShardId: shard(3), ParentShards: [shard(0), shard(1)] }]);
    expect(await cover(StreamName)).toBe(2);
    expect(await failureOf(merge(shard(1), shard(2)))).toBe(
      `InvalidArgumentException: Shard ${shard(1)} in stream merged under account ${ACCOUNT} has already been merged or split, and thus is not eligible for merging or splitting.`,
    );
    expect(await failureOf(merge(shard(9), shard(2)))).toBe(
      `ResourceNotFoundException: Could not find shard ${shard(9)} in stream merged under account ${ACCOUNT}.`,
    );
  });

  test('a split requires a hash key inside the shard', async () => {
    const StreamName = 'keys';
    await t.stream(StreamName, 2);
    for (const NewStartingHashKey of ['1', HALF])
      expect(await failureOf(t.kinesis.splitShard({ StreamName, ShardToSplit: '0', NewStartingHashKey }))).toBe(
        `InvalidArgumentException: NewStartingHashKey ${NewStartingHashKey} used in SplitShard() on shard ${shard(0)} in stream keys under account ${ACCOUNT} is not both greater than one plus the shard's StartingHashKey 0 and less than the shard's EndingHashKey ${BigInt(HALF) - 1n}.`,
      );
    await t.kinesis.splitShard({ StreamName, ShardToSplit: '0', NewStartingHashKey: QUARTER });
    expect(await cover(StreamName)).toBe(3);
  });
});

describe('UpdateShardCount', () => {
  test('scales up and down, and each record is read once', async () => {
    const StreamName = 'scaled';
    await t.stream(StreamName, 2);
    const scale = (TargetShardCount: number) =>
      t.kinesis.updateShardCount({ StreamName, TargetShardCount, ScalingType: 'UNIFORM_SCALING' });
    const texts = Array.from({ length: 60 }, (_, index) => `text ${index}`);
    await t.put(StreamName, texts.slice(0, 20));
    expect(await scale(4)).toMatchObject({ CurrentShardCount: 2, TargetShardCount: 4, StreamName });
    expect(await cover(StreamName)).toBe(4);
    expect((await shardsOf(StreamName)).length).toBe(6);
    await t.put(StreamName, texts.slice(20, 40));
    await scale(3);
    expect(await cover(StreamName)).toBe(3);
    await t.put(StreamName, texts.slice(40));
    const read = [];
    for (const { ShardId } of await shardsOf(StreamName))
      read.push(...(await t.texts(StreamName, Number(ShardId!.slice(8)))));
    expect(read.sort()).toEqual([...texts].sort());
    expect(await failureOf(scale(7))).toBe(
      'LimitExceededException: UpdateShardCount cannot scale up over double your current open shard count. Current open shard count: 3, Target shard count: 7',
    );
    expect(await failureOf(scale(1))).toBe(
      'LimitExceededException: UpdateShardCount cannot scale down below half your current open shard count. Current open shard count: 3, Target shard count: 1',
    );
    for (let count = 0; count < 8; count++) await scale(3);
    expect(await failureOf(scale(3))).toMatch(
      /^LimitExceededException: .* more than 10 times in a rolling 24-hour period/,
    );
    expect((await t.kinesis.describeStreamSummary({ StreamName })).StreamDescriptionSummary!.OpenShardCount).toBe(3);
  });

  test('closed shards are removed with their records', async () => {
    const StreamName = 'forgetting';
    await t.stream(StreamName);
    await t.kinesis.splitShard({ StreamName, ShardToSplit: '0', NewStartingHashKey: HALF });
    expect((await shardsOf(StreamName)).length).toBe(3);
    await t.advance(26 * HOUR);
    expect((await shardsOf(StreamName)).map(({ ShardId }) => ShardId)).toEqual([shard(1), shard(2)]);
  });
});

describe('ListShards', () => {
  test('filters by shards open at a time', async () => {
    const StreamName = 'filtered';
    await t.stream(StreamName);
    await t.advance(HOUR);
    const before = new Date(t.emulator.kernel.clock.now() - 1000);
    await t.kinesis.splitShard({ StreamName, ShardToSplit: '0', NewStartingHashKey: HALF });
    await t.advance(HOUR);
    const after = new Date(t.emulator.kernel.clock.now());
    const numbers = async (Type: string, more: object = {}) => {
      const { Shards } = await t.kinesis.listShards({ StreamName, ShardFilter: { Type: Type as never, ...more } });
      return Shards!.map(({ ShardId }) => Number(ShardId!.slice(8)));
    };
    expect(await numbers('AT_LATEST')).toEqual([1, 2]);
    expect(await numbers('AT_TRIM_HORIZON')).toEqual([0]);
    expect(await numbers('FROM_TRIM_HORIZON')).toEqual([0, 1, 2]);
    expect(await numbers('AT_TIMESTAMP', { Timestamp: before })).toEqual([0]);
    expect(await numbers('AT_TIMESTAMP', { Timestamp: after })).toEqual([1, 2]);
    expect(await numbers('FROM_TIMESTAMP', { Timestamp: after })).toEqual([1, 2]);
    expect(await numbers('AFTER_SHARD_ID', { ShardId: shard(1) })).toEqual([2]);
    expect(await failureOf(numbers('AFTER_SHARD_ID'))).toMatch(/^InvalidArgumentException: ShardId must be specified/);
    expect(await failureOf(numbers('AT_TIMESTAMP'))).toMatch(/^InvalidArgumentException: Timestamp must be specified/);
    expect((await t.kinesis.listShards({ StreamName, ExclusiveStartShardId: shard(0) })).Shards).toHaveLength(2);
  });

  test('pages by a token that contains the stream', async () => {
    const StreamName = 'tokens';
    await t.stream(StreamName, 3);
    const first = await t.kinesis.listShards({ StreamName, MaxResults: 2 });
    expect(first.Shards).toHaveLength(2);
    const { NextToken } = first;
    expect((await t.kinesis.listShards({ NextToken })).Shards!.map(({ ShardId }) => ShardId)).toEqual([shard(2)]);
    expect(await failureOf(t.kinesis.listShards({ NextToken, StreamName }))).toBe(
      'InvalidArgumentException: NextToken and StreamName cannot be provided together.',
    );
    expect(await failureOf(t.kinesis.listShards({}))).toBe(
      'InvalidArgumentException: Either NextToken or StreamName should be provided.',
    );
    expect(await failureOf(t.kinesis.listShards({ StreamName, StreamCreationTimestamp: new Date(0) }))).toMatch(
      /^ResourceNotFoundException/,
    );
    await t.advance(301_000);
    expect(await failureOf(t.kinesis.listShards({ NextToken }))).toMatch(/^ExpiredNextTokenException/);
  });
});

describe('an on-demand stream', () => {
  const MEBIBYTE = 1024 * 1024;
  test('scales to twice its busiest minute, and shrinks after thirty days', {
    timeout: 60_000,
  }, async () => {
    await using own = await startKinesis();
    const StreamName = 'busy';
    await own.kinesis.createStream({ StreamName, StreamModeDetails: { StreamMode: 'ON_DEMAND' } });
    expect(await own.open(StreamName)).toHaveLength(4);
    const Data = Buffer.alloc(MEBIBYTE - 10, 'x');
    const burst = () =>
      own.kinesis.putRecords({
        StreamName,
        Records: Array.from({ length: 9 }, (_, index) => ({ PartitionKey: `k${index}`, Data })),
      });
    // 117 MiB in a minute are less than two per second.
    for (let call = 0; call < 13; call++) await burst();
    expect(await own.open(StreamName)).toHaveLength(4);
    await burst();
    expect(await own.open(StreamName)).toHaveLength(5);
    expect((await own.kinesis.describeStreamSummary({ StreamName })).StreamDescriptionSummary).toMatchObject({
      OpenShardCount: 5,
      StreamStatus: 'ACTIVE',
    });
    await own.advance(29 * 24 * HOUR);
    expect(await own.open(StreamName)).toHaveLength(5);
    await own.advance(26 * HOUR);
    expect(await own.open(StreamName)).toHaveLength(4);
  });
});
