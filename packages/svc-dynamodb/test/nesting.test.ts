import { expect, it } from 'vitest';
import { makeIndexed, startDynamo } from './support.ts';

const nested = (depth: number, text: string): string => `${'('.repeat(depth)}${text}${')'.repeat(depth)}`;

it.each([
  ['Scan', { TableName: 'tab', FilterExpression: nested(30, 'b = n') }],
  ['Scan', { TableName: 'tab', FilterExpression: nested(1500, 'b = n') }],
  ['Scan', { TableName: 'tab', FilterExpression: `${'('.repeat(1500)}b` }],
  ['Scan', { TableName: 'tab', FilterExpression: `${'NOT '.repeat(900)}b = n` }],
  ['UpdateItem', { TableName: 'tab', Key: {}, UpdateExpression: `SET a = ${nested(1500, 'b')}` }],
  ['ExecuteStatement', { Statement: `SELECT * FROM tab WHERE ${nested(3000, "s = 'x'")}` }],
  ['ExecuteStatement', { Statement: `INSERT INTO tab VALUE ${"{'a':".repeat(1500)}1${'}'.repeat(1500)}` }],
  ['ExecuteStatement', { Statement: `SELECT * FROM tab WHERE a = ${'['.repeat(3000)}${']'.repeat(3000)}` }],
] as const)('%s responds quickly to any nesting depth of an expression', async (operation, input) => {
  await using t = await startDynamo();
  await makeIndexed(t);
  const { status } = await t.send(operation, input);
  expect([200, 400]).toContain(status);
});

it('separates names of tables and attributes from inherited object members', async () => {
  await using t = await startDynamo();
  const TableName = '__proto__';
  await t.send('CreateTable', {
    TableName,
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  });
  const item = JSON.parse('{"id":{"S":"a"},"__proto__":{"S":"x"}}') as Record<string, unknown>;
  expect((await t.send('PutItem', { TableName, Item: item })).status).toBe(200);
  const requests = JSON.parse('{"__proto__":{"Keys":[{"id":{"S":"a"}}]}}') as Record<string, unknown>;
  const { status, json } = await t.send('BatchGetItem', { RequestItems: requests });
  expect(status).toBe(200);
  expect(json.Responses).toEqual(JSON.parse('{"__proto__":[{"id":{"S":"a"},"__proto__":{"S":"x"}}]}'));
});
