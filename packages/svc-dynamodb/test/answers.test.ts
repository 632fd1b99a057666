import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DynamoTest, makeIndexed, startDynamo } from './support.ts';

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
