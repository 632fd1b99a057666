import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manifest } from '../src/manifest.ts';
import type { DynamoState } from '../src/state.ts';

/** Number of items that take many work slices. */
const ITEMS = 20_000;
const SECOND = 1000;

let emulator: TestEmulator;
let client: DynamoDB;
let state: DynamoState;

beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: [manifest] });
  client = new DynamoDB(emulator.clientConfig());
  await client.createTable({
    TableName: 'many',
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  });
  await client.updateTimeToLive({
    TableName: 'many',
    TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' },
  });
  state = (await emulator.kernel.service('dynamodb')).state('123456789012', 'us-east-1') as DynamoState;
  const expires = { N: String(Math.floor(emulator.kernel.clock.now() / SECOND) + 60) };
  for (let index = 0; index < ITEMS; index++)
    state.table('many')!.put({ id: { S: `i${index}` }, group: { S: `g${index % 10}` }, expires });
});
afterAll(() => emulator.close());

/**
 * Runs work and a callback at each event loop turn until it ends.
 * @returns the number of turns
 */
async function beside(work: Promise<unknown>, each: () => Promise<void> = async () => undefined): Promise<number> {
  let ended = false;
  const end = work.finally(() => {
    ended = true;
  });
  let turns = 0;
  for (; !ended; turns++) {
    await each();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await end;
  return turns;
}

describe('requests are served while', () => {
  it('an index is backfilled, which includes concurrent writes and is not readable before', async () => {
    const refused = new Set<string>();
    const put: string[] = [];
    const create = client.updateTable({
      TableName: 'many',
      AttributeDefinitions: [
        { AttributeName: 'id', AttributeType: 'S' },
        { AttributeName: 'group', AttributeType: 'S' },
      ],
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: 'groups',
            KeySchema: [{ AttributeName: 'group', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
          },
        },
      ],
    });
    const read = () => client.scan({ TableName: 'many', IndexName: 'groups', Limit: 1 });
    await beside(create, async () => {
      if (!state.table('many')!.index('groups')) return;
      await read().catch(({ message }: Error) => refused.add(message));
      if (refused.size === 0 || put.length > 2) return;
      const { Table } = await client.describeTable({ TableName: 'many' });
      expect(Table!.GlobalSecondaryIndexes![0]).toMatchObject({ IndexStatus: 'CREATING', Backfilling: true });
      // Some are already in the index, others not yet.
      const id = `i${ITEMS - 1 - put.length}`;
      put.push(id);
      await client.putItem({ TableName: 'many', Item: { id: { S: id }, group: { S: 'changed' } } });
    });
    expect([...refused]).toEqual(['Cannot read from backfilling global secondary index: groups']);
    expect(put).toHaveLength(3);
    const index = state.table('many')!.index('groups')!;
    expect(index.items.size).toBe(ITEMS);
    expect(index.bytes).toBe(state.table('many')!.bytes);
    const { Items } = await client.query({
      TableName: 'many',
      IndexName: 'groups',
      KeyConditionExpression: '#g = :g',
      ExpressionAttributeNames: { '#g': 'group' },
      ExpressionAttributeValues: { ':g': { S: 'changed' } },
    });
    expect(Items!.map(({ id }) => id!.S).sort()).toEqual(put.sort());
  });

  it('a table is backed up at its current state, and the backup is removed', async () => {
    const { itemCount } = state.table('many')!;
    const made = client.createBackup({ TableName: 'many', BackupName: 'made' });
    const refused = new Set<string>();
    let added = 0;
    const turns = await beside(made, async () => {
      const { BackupSummaries = [] } = await client.listBackups({});
      if (BackupSummaries[0]?.BackupStatus !== 'CREATING') return;
      const { BackupArn } = BackupSummaries[0];
      await client.deleteBackup({ BackupArn }).catch(({ name }: Error) => refused.add(name));
      if (!added++) await client.putItem({ TableName: 'many', Item: { id: { S: 'new' } } });
    });
    expect(turns).toBeGreaterThan(3);
    expect([...refused]).toEqual(['BackupInUseException']);
    const { BackupArn } = (await made).BackupDetails!;
    const backup = state.backups.get(BackupArn!)!;
    expect(state.backups.itemsOf(backup)).toHaveLength(itemCount);
    expect(state.backups.itemsOf(backup).some(({ id }) => id!.S === 'new')).toBe(false);
    await client.deleteItem({ TableName: 'many', Key: { id: { S: 'new' } } });
    expect(await beside(client.deleteBackup({ BackupArn }))).toBeGreaterThan(3);
    expect(state.backups.list()).toEqual([]);
  });

  it('a table is restored, with status CREATING', async () => {
    const { BackupDetails } = await client.createBackup({ TableName: 'many', BackupName: 'all' });
    const seen = new Set<string>();
    const restore = client.restoreTableFromBackup({
      TargetTableName: 'restored',
      BackupArn: BackupDetails!.BackupArn,
    });
    const turns = await beside(restore, async () => {
      if (!state.table('restored')) return;
      const { Table } = await client.describeTable({ TableName: 'restored' });
      seen.add(Table!.TableStatus!);
    });
    expect(turns).toBeGreaterThan(3);
    expect(seen).toContain('CREATING');
    const { Table } = await client.describeTable({ TableName: 'restored' });
    expect(Table).toMatchObject({ TableStatus: 'ACTIVE', ItemCount: ITEMS });
  });

  it('a table is deleted, which disappears immediately', async () => {
    const gone = client.deleteTable({ TableName: 'restored' });
    const turns = await beside(gone);
    expect(turns).toBeGreaterThan(1);
    expect(state.table('restored')).toBeUndefined();
    expect(state.items.size).toBe(ITEMS);
  });

  it('items expire, except those changed meanwhile', async () => {
    const lasting = 3;
    let kept = 0;
    const turns = await beside(emulator.kernel.clock.advance(120 * SECOND), async () => {
      if (kept || state.table('many')!.itemCount === ITEMS) return;
      const last = [...state.items.entries()].filter(([, item]) => item.expires).at(-1)![1];
      await client.putItem({ TableName: 'many', Item: { id: last.id as { S: string } } });
      kept++;
    });
    expect(turns).toBeGreaterThan(3);
    expect(state.table('many')!.itemCount).toBe(lasting + kept);
  });
});
