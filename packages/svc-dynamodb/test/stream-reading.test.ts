import { describe, expect, it } from 'vitest';
import { type DynamoTest, keys, startDynamo } from './support.ts';

type ViewType = 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES' | 'KEYS_ONLY';

/** Creates a table with a stream and returns the data for reading its only shard. */
async function streamed(t: DynamoTest, StreamViewType: ViewType = 'NEW_AND_OLD_IMAGES') {
  const { TableDescription } = await t.db.createTable({
    TableName: 'things',
    BillingMode: 'PAY_PER_REQUEST',
    ...keys('id:S'),
    StreamSpecification: { StreamEnabled: true, StreamViewType },
  });
  const StreamArn = TableDescription!.LatestStreamArn!;
  const { StreamDescription } = await t.streams.describeStream({ StreamArn });
  const shard = StreamDescription!.Shards![0]!;
  const read = async (ShardIteratorType: string, SequenceNumber?: string) => {
    const { ShardIterator } = await t.streams.getShardIterator({
      StreamArn,
      ShardId: shard.ShardId!,
      ShardIteratorType: ShardIteratorType as never,
      SequenceNumber,
    });
    return ShardIterator!;
  };
  const records = async (ShardIterator: string, Limit?: number) => t.streams.getRecords({ ShardIterator, Limit });
  const put = (id: string, v: string) => t.db.putItem({ TableName: 'things', Item: { id: { S: id }, v: { S: v } } });
  return { StreamArn, shard, read, records, put };
}

describe('shard iterators', () => {
  it('start at their position and continue from page to page', async () => {
    await using t = await startDynamo();
    const { read, records, put } = await streamed(t);
    const latest = await read('LATEST');
    for (const id of ['a', 'b', 'c']) await put(id, '1');
    const first = await records(await read('TRIM_HORIZON'), 2);
    expect(first.Records?.map(({ dynamodb }) => dynamodb?.Keys?.id?.S)).toEqual(['a', 'b']);
    const second = await records(first.NextShardIterator!);
    expect(second.Records?.map(({ dynamodb }) => dynamodb?.Keys?.id?.S)).toEqual(['c']);
    expect((await records(second.NextShardIterator!)).Records).toEqual([]);
    const sequence = first.Records![1]!.dynamodb!.SequenceNumber!;
    const ids = async (iterator: string) =>
      (await records(iterator)).Records!.map(({ dynamodb }) => dynamodb!.Keys!.id!.S);
    expect(await ids(await read('AT_SEQUENCE_NUMBER', sequence))).toEqual(['b', 'c']);
    expect(await ids(await read('AFTER_SEQUENCE_NUMBER', sequence))).toEqual(['c']);
    expect(await ids(latest)).toEqual(['a', 'b', 'c']);
    expect(await ids(await read('LATEST'))).toEqual([]);
  });

  it('expire after 15 minutes, and records after a day', async () => {
    await using t = await startDynamo();
    const { read, records, put } = await streamed(t);
    await put('a', '1');
    const iterator = await read('TRIM_HORIZON');
    await t.advance(901);
    await expect(records(iterator)).rejects.toMatchObject({ name: 'ExpiredIteratorException' });
    await t.advance(86_400);
    await put('b', '1');
    const { Records } = await records(await read('TRIM_HORIZON'));
    expect(Records?.map(({ dynamodb }) => dynamodb?.Keys?.id?.S)).toEqual(['b']);
  });

  it('end with the stream, which stays readable for a day', async () => {
    await using t = await startDynamo();
    const { StreamArn, read, records, put } = await streamed(t);
    await put('a', '1');
    await t.db.updateTable({ TableName: 'things', StreamSpecification: { StreamEnabled: false } });
    await put('b', '1');
    const { StreamDescription } = await t.streams.describeStream({ StreamArn });
    expect(StreamDescription?.StreamStatus).toBe('DISABLED');
    expect(StreamDescription?.Shards?.[0]?.SequenceNumberRange?.EndingSequenceNumber).toBeDefined();
    const page = await records(await read('TRIM_HORIZON'));
    expect(page.Records).toHaveLength(1);
    expect(page.NextShardIterator).toBeUndefined();
    await t.advance(2 * 86_400);
    await expect(t.streams.describeStream({ StreamArn })).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: `Requested resource not found: Stream: ${StreamArn} not found`,
    });
  });

  it('reject invalid parameters', async () => {
    await using t = await startDynamo();
    const { StreamArn } = await streamed(t);
    const make = (ShardId: string, more: object = {}) =>
      t.streams.getShardIterator({ StreamArn, ShardId, ShardIteratorType: 'LATEST', ...more });
    await expect(make('shardId-00000000000000000000-deadbeef')).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
    await expect(t.streams.getRecords({ ShardIterator: 'nonsense' })).rejects.toMatchObject({
      name: 'ValidationException',
      message: 'Invalid ShardIterator',
    });
  });
});

describe('view types', () => {
  it.each([
    ['KEYS_ONLY', []],
    ['NEW_IMAGE', ['NewImage']],
    ['OLD_IMAGE', ['OldImage']],
    ['NEW_AND_OLD_IMAGES', ['NewImage', 'OldImage']],
  ] as const)('%s shows %j of a change', async (view, images) => {
    await using t = await startDynamo();
    const { read, records, put } = await streamed(t, view);
    await put('a', '1');
    await put('a', '2');
    // A write without effect is not a change.
    await put('a', '2');
    const { Records } = await records(await read('TRIM_HORIZON'));
    expect(Records?.map(({ eventName }) => eventName)).toEqual(['INSERT', 'MODIFY']);
    const change = Records![1]!.dynamodb!;
    expect(
      Object.keys(change)
        .filter((name) => name.endsWith('Image'))
        .sort(),
    ).toEqual([...images]);
    if (change.NewImage) expect(change.NewImage.v).toEqual({ S: '2' });
    if (change.OldImage) expect(change.OldImage.v).toEqual({ S: '1' });
  });
});

describe('settings of a stream and of time to live', () => {
  it('reject requests that change nothing', async () => {
    await using t = await startDynamo();
    await streamed(t);
    const stream = (StreamSpecification: object) =>
      t.refusal('UpdateTable', { TableName: 'things', StreamSpecification });
    expect(await stream({ StreamEnabled: true, StreamViewType: 'KEYS_ONLY' })).toBe(
      'Table already has an enabled stream: TableName: things',
    );
    await t.db.updateTable({ TableName: 'things', StreamSpecification: { StreamEnabled: false } });
    expect(await stream({ StreamEnabled: false })).toBe('Table has no stream to disable: TableName: things');
    const ttl = (AttributeName: string, Enabled: boolean) => ({
      TableName: 'things',
      TimeToLiveSpecification: { AttributeName, Enabled },
    });
    expect(await t.refusal('UpdateTimeToLive', ttl('ttl', false))).toBe('TimeToLive is already disabled');
    await t.db.updateTimeToLive(ttl('ttl', true));
    expect(await t.refusal('UpdateTimeToLive', ttl('ttl', true))).toBe('TimeToLive is already enabled');
    expect(await t.refusal('UpdateTimeToLive', ttl('other', true))).toBe(
      'TimeToLive is active on a different AttributeName: current AttributeName is ttl',
    );
  });
});
