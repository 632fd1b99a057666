import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT, arnOf, failureOf, type KinesisTest, shard, startKinesis, textOf } from './support.ts';

let t: KinesisTest;
beforeAll(async () => {
  t = await startKinesis();
});
afterAll(() => t[Symbol.asyncDispose]());

const HALF = '170141183460469231731687303715884105728';

describe('putting', () => {
  test('sequence numbers increase, and records keep data and order', async () => {
    await t.stream('ordered');
    const bodies = [Buffer.alloc(0), Buffer.from([0, 255, 10, 32]), Buffer.from('ünicödé 统一码 💣')];
    const numbers: bigint[] = [];
    for (const Data of bodies) {
      const answer = await t.kinesis.putRecord({ StreamName: 'ordered', Data, PartitionKey: 'schlüssel 键' });
      expect(answer.ShardId).toBe(shard(0));
      numbers.push(BigInt(answer.SequenceNumber!));
    }
    expect(numbers).toEqual([...numbers].sort((a, b) => (a < b ? -1 : 1)));
    const { Records, MillisBehindLatest } = await t.kinesis.getRecords({
      ShardIterator: await t.iterator('ordered', 0),
    });
    expect(Records!.map(({ Data }) => Buffer.from(Data!))).toEqual(bodies);
    expect(Records!.map(({ SequenceNumber }) => BigInt(SequenceNumber!))).toEqual(numbers);
    expect(Records!.every(({ PartitionKey }) => PartitionKey === 'schlüssel 键')).toBe(true);
    expect(Records![0]!.ApproximateArrivalTimestamp!.getTime()).toBe(Math.floor(t.emulator.kernel.clock.now()));
    expect(MillisBehindLatest).toBe(0);
  });

  test('the hash key selects the shard', async () => {
    await t.stream('halves', 2);
    const put = (PartitionKey: string, ExplicitHashKey?: string) =>
      t.kinesis.putRecord({ StreamName: 'halves', Data: Buffer.of(1), PartitionKey, ExplicitHashKey });
    // MD5 of a is 0cc1…, of b 92eb….
    expect((await put('a')).ShardId).toBe(shard(0));
    expect((await put('b')).ShardId).toBe(shard(1));
    expect((await put('a', HALF)).ShardId).toBe(shard(1));
    expect((await put('a', String(BigInt(HALF) - 1n))).ShardId).toBe(shard(0));
    expect(await failureOf(put('a', '340282366920938463463374607431768211456'))).toBe(
      'InvalidArgumentException: Invalid ExplicitHashKey. ExplicitHashKey must be in the range: [0, 2^128-1]. Specified value was 340282366920938463463374607431768211456',
    );
  });

  test('puts several records at once, or none if one is invalid', async () => {
    await t.stream('batch', 2);
    const answer = await t.kinesis.putRecords({
      StreamARN: arnOf('batch'),
      Records: ['a', 'b', 'c'].map((PartitionKey) => ({ PartitionKey, Data: Buffer.from(PartitionKey) })),
    });
    expect(answer).toMatchObject({ FailedRecordCount: 0, Records: [{ ShardId: shard(0) }, { ShardId: shard(1) }, {}] });
    expect([...(await t.texts('batch', 0)), ...(await t.texts('batch', 1))].sort()).toEqual(['a', 'b', 'c']);
    const Records = [
      { PartitionKey: 'a', Data: Buffer.from('never') },
      { PartitionKey: 'a', Data: Buffer.alloc(1024 * 1024) },
    ];
    expect(await failureOf(t.kinesis.putRecords({ StreamName: 'batch', Records }))).toBe(
      // https://github.com/getmoto/moto/blob/master/tests/test_kinesis/test_kinesis_boto3.py
      "ValidationException: 1 validation error detected: Value at 'records.2.member.data' failed to satisfy constraint: Member must have length less than or equal to 1048576",
    );
    const many = Array.from({ length: 501 }, () => ({ PartitionKey: 'a', Data: Buffer.of(1) }));
    expect(await failureOf(t.kinesis.putRecords({ StreamName: 'batch', Records: many }))).toBe(
      "ValidationException: 1 validation error detected: Value at 'records' failed to satisfy constraint: Member must have length less than or equal to 500",
    );
    expect(
      await failureOf(
        t.kinesis.putRecord({ StreamName: 'batch', PartitionKey: 'a', Data: Buffer.alloc(10 * 1024 * 1024 + 1) }),
      ),
    ).toBe(
      "ValidationException: 1 validation error detected: Value at 'data' failed to satisfy constraint: Member must have length less than or equal to 10485760",
    );
    expect(await t.texts('batch', 0)).not.toContain('never');
  });

  test("enforces the stream's maximum record size", async () => {
    const StreamARN = await t.stream('large');
    const put = () => t.kinesis.putRecord({ StreamARN, PartitionKey: 'k', Data: Buffer.alloc(1_500_000) });
    expect(await failureOf(put())).toMatch(/Value at 'data' failed .* less than or equal to 1048576$/);
    await t.kinesis.updateMaxRecordSize({ StreamARN, MaxRecordSizeInKiB: 2048 });
    expect((await t.kinesis.describeStreamSummary({ StreamARN })).StreamDescriptionSummary!.MaxRecordSizeInKiB).toBe(
      2048,
    );
    await put();
    const eleven = Array.from({ length: 8 }, () => ({ PartitionKey: 'k', Data: Buffer.alloc(1_400_000) }));
    expect(await failureOf(t.kinesis.putRecords({ StreamARN, Records: eleven }))).toBe(
      'InvalidArgumentException: Records size exceeds 10 MB limit',
    );
  });

  test('a record follows a given sequence number', async () => {
    await t.stream('follows');
    const put = (SequenceNumberForOrdering?: string) =>
      t.kinesis.putRecord({ StreamName: 'follows', PartitionKey: 'k', Data: Buffer.of(1), SequenceNumberForOrdering });
    const { SequenceNumber } = await put();
    expect(BigInt((await put(SequenceNumber)).SequenceNumber!)).toBeGreaterThan(BigInt(SequenceNumber!));
    expect(await failureOf(put('7'))).toBe(
      `InvalidArgumentException: ExclusiveMinimumSequenceNumber 7 used in PutRecord on stream follows under account ${ACCOUNT} is invalid.`,
    );
  });
});

describe('reading', () => {
  const read = async (ShardIterator: string, Limit?: number) => {
    const { Records, NextShardIterator, MillisBehindLatest } = await t.kinesis.getRecords({ ShardIterator, Limit });
    return { texts: Records!.map(({ Data }) => textOf(Data)), next: NextShardIterator!, behind: MillisBehindLatest };
  };

  test('reads page by page, and the same iterator returns the same page', async () => {
    await t.stream('pages');
    await t.put('pages', ['1', '2'], 'k');
    await t.advance(1000);
    await t.put('pages', ['3'], 'k');
    const start = await t.iterator('pages', 0);
    const first = await read(start, 2);
    expect(first).toMatchObject({ texts: ['1', '2'], behind: 1000 });
    expect((await read(start, 2)).texts).toEqual(['1', '2']);
    const second = await read(first.next, 2);
    expect(second).toMatchObject({ texts: ['3'], behind: 0 });
    expect((await read(second.next)).texts).toEqual([]);
    await t.put('pages', ['4'], 'k');
    expect((await read(second.next)).texts).toEqual(['4']);
  });

  test("starts at the iterator's position", async () => {
    const StreamName = 'places';
    await t.stream(StreamName);
    await t.put(StreamName, ['1', '2'], 'k');
    await t.advance(5000);
    const middle = new Date(Math.floor(t.emulator.kernel.clock.now()));
    await t.put(StreamName, ['3'], 'k');
    const { Records } = await t.kinesis.getRecords({ ShardIterator: await t.iterator(StreamName, 0) });
    const StartingSequenceNumber = Records![1]!.SequenceNumber;
    const from = async (more: object) => (await read(await t.iterator(StreamName, 0, more))).texts;
    expect(await from({ ShardIteratorType: 'AT_SEQUENCE_NUMBER', StartingSequenceNumber })).toEqual(['2', '3']);
    expect(await from({ ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', StartingSequenceNumber })).toEqual(['3']);
    expect(await from({ ShardIteratorType: 'AT_TIMESTAMP', Timestamp: middle })).toEqual(['3']);
    expect(await from({ ShardIteratorType: 'AT_TIMESTAMP', Timestamp: new Date(0) })).toEqual(['1', '2', '3']);
    const latest = await t.iterator(StreamName, 0, { ShardIteratorType: 'LATEST' });
    await t.put(StreamName, ['4'], 'k');
    expect((await read(latest)).texts).toEqual(['4']);
  });

  test('pages end at ten MiB', async () => {
    const StreamARN = await t.stream('heavy');
    await t.kinesis.updateMaxRecordSize({ StreamARN, MaxRecordSizeInKiB: 6 * 1024 });
    for (let count = 0; count < 3; count++)
      await t.kinesis.putRecord({ StreamARN, PartitionKey: 'k', Data: Buffer.alloc(4 * 1024 * 1024, count) });
    const { Records, NextShardIterator } = await t.kinesis.getRecords({ ShardIterator: await t.iterator('heavy', 0) });
    expect(Records!.map(({ Data }) => Data![0])).toEqual([0, 1]);
    const rest = await t.kinesis.getRecords({ ShardIterator: NextShardIterator });
    expect(rest.Records!.map(({ Data }) => Data![0])).toEqual([2]);
  });

  test('rejects invalid iterators', async () => {
    const StreamName = 'refusing';
    await t.stream(StreamName);
    await t.stream('elsewhere', 2);
    const failure = (more: object, name = StreamName) => failureOf(t.iterator(name, 0, more));
    const rule =
      'InvalidArgumentException: Must either specify (1) AT_SEQUENCE_NUMBER or AFTER_SEQUENCE_NUMBER and StartingSequenceNumber or (2) TRIM_HORIZON or LATEST and no StartingSequenceNumber. Request specified';
    expect(await failure({ StartingSequenceNumber: '1' })).toBe(
      `${rule} TRIM_HORIZON and also a StartingSequenceNumber.`,
    );
    expect(await failure({ ShardIteratorType: 'AT_SEQUENCE_NUMBER' })).toBe(
      `${rule} AT_SEQUENCE_NUMBER and no StartingSequenceNumber.`,
    );
    const at = (StartingSequenceNumber: string) =>
      failure({ ShardIteratorType: 'AT_SEQUENCE_NUMBER', StartingSequenceNumber });
    expect(await at('5')).toBe(
      `InvalidArgumentException: StartingSequenceNumber 5 used in GetShardIterator on shard ${shard(0)} in stream refusing under account ${ACCOUNT} is invalid.`,
    );
    const { StreamDescription } = await t.kinesis.describeStream({ StreamName: 'elsewhere' });
    expect(await at(StreamDescription!.Shards![1]!.SequenceNumberRange!.StartingSequenceNumber!)).toBe(
      `InvalidArgumentException: Invalid StartingSequenceNumber. It encodes ${shard(1)}, while it was used in a call to a shard with ${shard(0)}`,
    );
    expect(await failure({ ShardIteratorType: 'AT_TIMESTAMP' })).toBe(
      'InvalidArgumentException: Must specify timestampInMillis parameter for iterator of type AT_TIMESTAMP. Current value is null.',
    );
    const future = new Date(t.emulator.kernel.clock.now() + 60_000);
    expect(await failure({ ShardIteratorType: 'AT_TIMESTAMP', Timestamp: future })).toMatch(
      /^InvalidArgumentException: The timestampInMillis parameter cannot be greater than the currentTimestampInMillis\./,
    );
    const ofShard = (ShardId: string) =>
      failureOf(t.kinesis.getShardIterator({ StreamName, ShardId, ShardIteratorType: 'LATEST' }));
    expect(await ofShard(shard(3))).toBe(
      `ResourceNotFoundException: Shard ${shard(3)} in stream refusing under account ${ACCOUNT} does not exist`,
    );
    expect(await ofShard('nonsense')).toBe(
      `ResourceNotFoundException: Could not find shard nonsense in stream refusing under account ${ACCOUNT}.`,
    );
    for (const ShardIterator of ['nonsense', 'AAAAAAAAAAE=', 'AAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAA'])
      expect(await failureOf(t.kinesis.getRecords({ ShardIterator }))).toBe(
        'InvalidArgumentException: Invalid ShardIterator.',
      );
  });

  test('iterators expire after five minutes', async () => {
    await t.stream('expiring');
    const ShardIterator = await t.iterator('expiring', 0);
    await t.advance(300_000);
    await t.kinesis.getRecords({ ShardIterator });
    await t.advance(1);
    expect(await failureOf(t.kinesis.getRecords({ ShardIterator }))).toMatch(
      /^ExpiredIteratorException: Iterator expired\. The iterator was created at time \w{3} \w{3} \d\d [\d:]{8} UTC \d{4} while right now it is .* which is further in the future than the tolerated delay of 300000 milliseconds\.$/,
    );
  });

  test('an iterator of a recreated stream returns nothing', async () => {
    await t.stream('anew');
    const ShardIterator = await t.iterator('anew', 0);
    await t.kinesis.deleteStream({ StreamName: 'anew' });
    await t.stream('anew');
    expect(await failureOf(t.kinesis.getRecords({ ShardIterator }))).toBe(
      `ResourceNotFoundException: Stream anew under account ${ACCOUNT} not found.`,
    );
    expect(await failureOf(t.kinesis.getRecords({ ShardIterator, StreamARN: arnOf('halves') }))).toMatch(
      /^InvalidArgumentException/,
    );
  });
});
