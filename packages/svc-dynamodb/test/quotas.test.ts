import { enforceQuota } from '@emu/gateway/testing';
import { describe, expect, test } from 'vitest';
import { type DynamoTest, keys, makeTable, startDynamo } from './support.ts';

const units = (read: number, write = read) => ({ ReadCapacityUnits: read, WriteCapacityUnits: write });
const index = (name: string, read?: number) => ({
  IndexName: name,
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  Projection: { ProjectionType: 'ALL' },
  ...(read !== undefined && { ProvisionedThroughput: units(read, 1) }),
});
const table = (TableName: string, read: number, ...indexes: object[]) => ({
  TableName,
  ProvisionedThroughput: units(read, 1),
  ...keys('id:S'),
  ...(indexes.length && { GlobalSecondaryIndexes: indexes }),
});

/** Returns the status or error of a request. */
async function answer(t: DynamoTest, operation: string, input: unknown): Promise<string | number> {
  const { status, json } = await t.send(operation, input);
  return status === 200 ? status : String(json.__type).split('#').at(-1)!;
}

test('limit the tables of a region', async () => {
  await using t = await startDynamo();
  await makeTable(t, 'one');
  await enforceQuota(t.emulator, 'dynamodb/L-F98FE922', 1);
  expect(await t.refusal('CreateTable', table('two', 1))).toBe(
    'LimitExceededException: Subscriber limit exceeded: There is a limit of 1 tables per subscriber',
  );
  expect(await t.refusal('CreateTable', table('one', 1))).toContain('ResourceInUseException');
  await t.db.deleteTable({ TableName: 'one' });
  await makeTable(t, 'two');
});

test('limit global secondary indexes of new and existing tables', async () => {
  await using t = await startDynamo();
  await enforceQuota(t.emulator, 'dynamodb/L-F7858A77', 1);
  expect(await t.refusal('CreateTable', table('tab', 1, index('by-a', 1), index('by-b', 1)))).toBe(
    'One or more parameter values were invalid: GlobalSecondaryIndex count exceeds the per-table limit of 1',
  );
  expect(await answer(t, 'CreateTable', table('tab', 1, index('by-a', 1)))).toBe(200);
  const GlobalSecondaryIndexUpdates = [{ Create: index('by-b', 1) }];
  expect(await t.refusal('UpdateTable', { TableName: 'tab', GlobalSecondaryIndexUpdates })).toBe(
    'LimitExceededException: GlobalSecondaryIndex count exceeds the per-table limit of 1',
  );
});

describe('provisioned throughput', () => {
  test('of a table includes its indexes and excludes on-demand capacity', async () => {
    await using t = await startDynamo();
    await enforceQuota(t.emulator, 'dynamodb/L-CF0CBE56', 10);
    expect(await answer(t, 'CreateTable', table('big', 6, index('by-a', 5)))).toBe('LimitExceededException');
    expect(await answer(t, 'CreateTable', table('fits', 6, index('by-a', 4)))).toBe(200);
    await makeTable(t, 'on-demand');
    const raise = { TableName: 'fits', ProvisionedThroughput: units(7, 1) };
    expect(await answer(t, 'UpdateTable', raise)).toBe('LimitExceededException');
    expect(await answer(t, 'UpdateTable', { ...raise, ProvisionedThroughput: units(5, 1) })).toBe(200);
  });

  test('of an account sums all tables through their changes', async () => {
    await using t = await startDynamo();
    await enforceQuota(t.emulator, 'dynamodb/L-34F6A552', 10);
    const usage = async () => {
      const { quotas, settings } = t.emulator.kernel;
      const quota = (await quotas.find('dynamodb', 'L-34F6A552'))!;
      return quotas.state(quota, settings.accountId, settings.region).usage;
    };
    expect(await answer(t, 'CreateTable', table('one', 6))).toBe(200);
    expect(await answer(t, 'CreateTable', table('two', 5))).toBe('LimitExceededException');
    expect(await answer(t, 'CreateTable', table('two', 4))).toBe(200);
    expect(await usage()).toBe(10);
    const update = (TableName: string, read: number) =>
      answer(t, 'UpdateTable', { TableName, ProvisionedThroughput: units(read, 1) });
    expect(await update('one', 7)).toBe('LimitExceededException');
    expect(await update('one', 2)).toBe(200);
    expect(await update('two', 8)).toBe(200);
    await t.db.deleteTable({ TableName: 'two' });
    expect(await usage()).toBe(2);
  });

  test('is reported by DescribeLimits with the applied values', async () => {
    await using t = await startDynamo();
    await enforceQuota(t.emulator, 'dynamodb/L-AB614373', 7);
    expect(await t.db.describeLimits({})).toMatchObject({
      AccountMaxReadCapacityUnits: 80_000,
      TableMaxWriteCapacityUnits: 7,
    });
  });
});

test('throttles by provisioned throughput and the unused capacity of five minutes', async () => {
  await using t = await startDynamo();
  await enforceQuota(t.emulator, 'dynamodb/L-AB614373', 40_000);
  const TableName = 'slow';
  await t.db.createTable(table(TableName, 5, index('by-a', 5)) as never);
  const put = (id: string) => t.send('PutItem', { TableName, Item: { id: { S: id }, v: { S: 'x'.repeat(3000) } } });
  expect((await put('a')).status).toBe(200);
  expect((await put('b')).json).toMatchObject({
    __type: expect.stringContaining('ProvisionedThroughputExceededException'),
    message: expect.stringMatching(/^The level of configured provisioned throughput for the table was exceeded/),
  });
  // Reads have a separate quota, which is not enforced.
  expect(await answer(t, 'GetItem', { TableName, Key: { id: { S: 'a' } } })).toBe(200);
  await t.advance(3);
  expect((await put('b')).status).toBe(200);
  await t.advance(600);
  let written = 0;
  while ((await put(`c${written}`)).status === 200) written++;
  // 300 accrued units, and three for each item in the table and its index.
  expect(written).toBe(100);
  const Statement = `INSERT INTO "${TableName}" VALUE {'id': 'p'}`;
  expect(await answer(t, 'ExecuteStatement', { Statement })).toBe('ProvisionedThroughputExceededException');
  expect(
    await answer(t, 'BatchWriteItem', {
      RequestItems: { [TableName]: [{ DeleteRequest: { Key: { id: { S: 'a' } } } }] },
    }),
  ).toBe('ProvisionedThroughputExceededException');
});
