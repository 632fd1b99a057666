import { DynamoDBStreams } from '@aws-sdk/client-dynamodb-streams';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DynamoTest, keys, makeIndexed, startDynamo } from './support.ts';

/** Answers that are easily got wrong; behaviours.json names their sources. */
let t: DynamoTest;
beforeAll(async () => {
  t = await startDynamo();
  await makeIndexed(t);
});
afterAll(() => t[Symbol.asyncDispose]());

test.each([
  ['REMOVE', { UpdateExpression: 'REMOVE x' }],
  ['REMOVE of a part', { UpdateExpression: 'REMOVE x.y' }],
  ['DELETE', { UpdateExpression: 'DELETE x :s', ExpressionAttributeValues: { ':s': { SS: ['a'] } } }],
  ['a DELETE of the old kind', { AttributeUpdates: { x: { Action: 'DELETE' as const } } }],
])('%s on a missing item makes none', async (_name, update) => {
  const Key = { a: { S: 'missing' } };
  const { Attributes } = await t.db.updateItem({ TableName: 'tab', Key, ReturnValues: 'ALL_NEW', ...update });
  expect(Attributes).toBeUndefined();
  expect((await t.db.getItem({ TableName: 'tab', Key })).Item).toBeUndefined();
});

test('an update without an expression makes an item of its key', async () => {
  const Key = { a: { S: 'bare' } };
  await t.db.updateItem({ TableName: 'tab', Key });
  expect((await t.db.getItem({ TableName: 'tab', Key })).Item).toEqual(Key);
  await t.db.deleteItem({ TableName: 'tab', Key });
});

test('tables, streams and iterators of another region are refused', async () => {
  const far = t.client({ region: 'eu-west-1' });
  const { TableDescription } = await far.createTable({
    TableName: 'far',
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
    ...keys('id:S'),
  });
  const { TableArn: table, LatestStreamArn: stream } = TableDescription!;
  const wrong = (arn?: string) => ({
    name: 'ValidationException',
    message: `1 validation error detected: Invalid AWS region in '${arn}'`,
  });
  await expect(t.db.describeTable({ TableName: table })).rejects.toMatchObject(wrong(table));
  await expect(t.db.getItem({ TableName: table, Key: { id: { S: 'a' } } })).rejects.toMatchObject(wrong(table));
  await expect(t.streams.describeStream({ StreamArn: stream })).rejects.toMatchObject(wrong(stream));
  const there = new DynamoDBStreams(t.emulator.clientConfig({ region: 'eu-west-1' }));
  const { StreamDescription } = await there.describeStream({ StreamArn: stream });
  const { ShardIterator } = await there.getShardIterator({
    StreamArn: stream,
    ShardId: StreamDescription!.Shards![0]!.ShardId,
    ShardIteratorType: 'LATEST',
  });
  await expect(t.streams.getRecords({ ShardIterator })).rejects.toMatchObject(wrong(stream));
});
