import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACCOUNT, type DynamoTest, keys, REGION, startDynamo } from './support.ts';

let t: DynamoTest;
beforeAll(async () => {
  t = await startDynamo({
    settings: { accountId: ACCOUNT, region: REGION, values: { EMULATOR_DYNAMODB_TABLE_DELAY: 2000 } },
  });
});
afterAll(() => t[Symbol.asyncDispose]());

const TableName = 'slow';
const statusOf = async () => (await t.db.describeTable({ TableName })).Table!.TableStatus;
const inUse = (what: string) =>
  `ResourceInUseException: Attempt to change a resource which is still in use: Table is being ${what}: slow`;
const put = { TableName, Item: { id: { S: 'a' } } };
const missing = 'ResourceNotFoundException: Requested resource not found';

// Source: https://github.com/architect/dynalite/blob/master/test/deleteTable.js
test('tables are CREATING, UPDATING and DELETING for the configured time', async () => {
  await t.db.createTable({ TableName, BillingMode: 'PAY_PER_REQUEST', ...keys('id:S') });
  expect(await statusOf()).toBe('CREATING');
  expect(await t.refusal('PutItem', put)).toBe(missing);
  expect(await t.refusal('DeleteTable', { TableName })).toBe(inUse('created'));
  await t.advance(2);
  expect(await statusOf()).toBe('ACTIVE');
  await t.db.putItem(put);
  await t.db.updateTable({
    TableName,
    AttributeDefinitions: [{ AttributeName: 'x', AttributeType: 'S' }],
    GlobalSecondaryIndexUpdates: [
      {
        Create: {
          IndexName: 'by-x',
          KeySchema: [{ AttributeName: 'x', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      },
    ],
  });
  const { Table } = await t.db.describeTable({ TableName });
  expect(Table).toMatchObject({ TableStatus: 'UPDATING', GlobalSecondaryIndexes: [{ IndexStatus: 'CREATING' }] });
  expect(await t.refusal('UpdateTable', { TableName, DeletionProtectionEnabled: true })).toBe(inUse('updated'));
  await t.db.putItem(put);
  await t.advance(2);
  expect(await statusOf()).toBe('ACTIVE');
  await t.db.deleteTable({ TableName });
  expect(await statusOf()).toBe('DELETING');
  expect(await t.refusal('PutItem', put)).toBe(missing);
  expect(await t.refusal('UpdateTable', { TableName, DeletionProtectionEnabled: true })).toBe(inUse('deleted'));
  await t.advance(2);
  expect((await t.db.listTables({})).TableNames).toEqual([]);
});
