import { enforceQuota } from '@emu/gateway/testing';
import { expect, test } from 'vitest';
import { failureOf, startKinesis } from './support.ts';

const SHARDS = 'kinesis/L-0918CF54';
const MIB = 1024 * 1024;

test('rejects shards of provisioned streams beyond the quota, which DescribeLimits returns', async () => {
  await using t = await startKinesis();
  await t.stream('one', 2);
  await enforceQuota(t.emulator, SHARDS, 3);
  const refused = 'LimitExceededException: This request would exceed the shard limit for the account. Limit: 3.';
  expect(await failureOf(t.kinesis.createStream({ StreamName: 'two', ShardCount: 2 }))).toBe(refused);
  await t.stream('two', 1);
  expect(await t.kinesis.describeLimits({})).toMatchObject({ ShardLimit: 3, OpenShardCount: 3 });
  const split = { StreamName: 'two', ShardToSplit: '0', NewStartingHashKey: '1000' };
  expect(await failureOf(t.kinesis.splitShard(split))).toBe(refused);
  const scaling = { StreamName: 'one', TargetShardCount: 3, ScalingType: 'UNIFORM_SCALING' as const };
  expect(await failureOf(t.kinesis.updateShardCount(scaling))).toBe(refused);
  await t.kinesis.updateShardCount({ ...scaling, TargetShardCount: 1 });
  await t.kinesis.splitShard(split);
  await t.kinesis.createStream({ StreamName: 'three', StreamModeDetails: { StreamMode: 'ON_DEMAND' } });
});

test('applies the quota of shards without enforcement, before any shard is created', async () => {
  await using t = await startKinesis();
  const refused = 'LimitExceededException: This request would exceed the shard limit for the account. Limit: 20000.';
  for (const ShardCount of [20_001, 2 ** 31 - 1])
    expect(await failureOf(t.kinesis.createStream({ StreamName: 'many', ShardCount }))).toBe(refused);
  await t.stream('half', 10_001);
  const doubled = { StreamName: 'half', TargetShardCount: 20_002, ScalingType: 'UNIFORM_SCALING' as const };
  expect(await failureOf(t.kinesis.updateShardCount(doubled))).toBe(refused);
  expect(await t.kinesis.describeLimits({})).toMatchObject({ OpenShardCount: 10_001 });
});

test("enforces AWS's throughput of a shard per second", async () => {
  await using t = await startKinesis();
  await t.stream('s');
  const record = (size: number) => ({ Data: Buffer.alloc(size), PartitionKey: 'k' });
  await enforceQuota(t.emulator, SHARDS);
  const Records = [record(MIB / 2), record(MIB / 4), record(MIB / 2)];
  const put = await t.kinesis.putRecords({ StreamName: 's', Records });
  const ErrorCode = 'ProvisionedThroughputExceededException';
  const ErrorMessage = 'Rate exceeded for shard shardId-000000000000 in stream s under account 000000000000.';
  expect(put).toMatchObject({ FailedRecordCount: 1, Records: [{}, {}, { ErrorCode, ErrorMessage }] });
  expect(await failureOf(t.kinesis.putRecord({ StreamName: 's', ...record(MIB / 2) }))).toBe(
    `${ErrorCode}: ${ErrorMessage}`,
  );
  await t.advance(1000);
  await t.kinesis.putRecord({ StreamName: 's', ...record(MIB / 2) });

  const ShardIterator = await t.iterator('s', 0);
  for (let call = 0; call < 5; call++) await t.kinesis.getRecords({ ShardIterator, Limit: 1 });
  expect(await failureOf(t.kinesis.getRecords({ ShardIterator }))).toMatch(ErrorCode);
  await t.advance(1000);
  expect((await t.kinesis.getRecords({ ShardIterator })).Records).toHaveLength(3);
});

test('a shard accepts a thousand records per second, and a large read delays the next call', async () => {
  await using t = await startKinesis();
  await t.stream('s');
  for (let batch = 0; batch < 3; batch++) {
    const Records = Array.from({ length: 3 }, () => ({ Data: Buffer.alloc(MIB - 1), PartitionKey: 'k' }));
    await t.kinesis.putRecords({ StreamName: 's', Records });
  }
  await enforceQuota(t.emulator, SHARDS);
  const small = Array.from({ length: 500 }, () => ({ Data: Buffer.from('x'), PartitionKey: 'k' }));
  const failed: number[] = [];
  for (let batch = 0; batch < 3; batch++)
    failed.push((await t.kinesis.putRecords({ StreamName: 's', Records: small })).FailedRecordCount!);
  expect(failed).toEqual([0, 0, 500]);
  const ShardIterator = await t.iterator('s', 0);
  expect((await t.kinesis.getRecords({ ShardIterator })).Records!.length).toBeGreaterThan(8);
  await t.advance(4000);
  const again = await t.iterator('s', 0);
  expect(await failureOf(t.kinesis.getRecords({ ShardIterator: again }))).toMatch(
    'ProvisionedThroughputExceededException',
  );
  await t.advance(1000);
  await t.kinesis.getRecords({ ShardIterator: again, Limit: 1 });
});
