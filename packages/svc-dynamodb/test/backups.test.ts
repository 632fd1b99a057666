import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyOf } from '@emu/core/service';
import { describe, expect, it } from 'vitest';
import type { TableRecord } from '../src/records.ts';
import type { DynamoState } from '../src/state.ts';
import { backupItems } from '../src/tables/backups.ts';
import { ACCOUNT, type DynamoTest, makeIndexed, makeTable, REGION, startDynamo } from './support.ts';

const put = (t: DynamoTest, TableName: string, id: string, v: string) =>
  t.db.putItem({ TableName, Item: { id: { S: id }, v: { S: v } } });

const contents = async (t: DynamoTest, TableName: string) => {
  const { Items } = await t.db.scan({ TableName });
  return Object.fromEntries((Items ?? []).map((item) => [item.id!.S, item.v!.S]));
};

describe('backups', () => {
  it("stores a table's state and restores it under another name", async () => {
    await using t = await startDynamo();
    await makeIndexed(t);
    await t.db.putItem({ TableName: 'idx', Item: { a: { S: 'p' }, b: { N: '1' }, c: { S: 'g' }, d: { N: '2' } } });
    const { BackupDetails: made } = await t.db.createBackup({ TableName: 'idx', BackupName: 'before' });
    expect(made).toMatchObject({ BackupName: 'before', BackupStatus: 'CREATING', BackupType: 'USER' });
    await t.db.deleteItem({ TableName: 'idx', Key: { a: { S: 'p' }, b: { N: '1' } } });
    await t.db.deleteTable({ TableName: 'idx' });
    const BackupArn = made!.BackupArn!;
    const { BackupDescription } = await t.db.describeBackup({ BackupArn });
    expect(BackupDescription).toMatchObject({
      BackupDetails: { BackupStatus: 'AVAILABLE' },
      SourceTableDetails: { TableName: 'idx', ItemCount: 1 },
      SourceTableFeatureDetails: {
        LocalSecondaryIndexes: [{ IndexName: 'lsi' }],
        GlobalSecondaryIndexes: [{ IndexName: 'gsi' }],
      },
    });
    const restored = await t.db.restoreTableFromBackup({ BackupArn, TargetTableName: 'again' });
    expect(restored.TableDescription).toMatchObject({
      TableStatus: 'CREATING',
      RestoreSummary: { SourceBackupArn: BackupArn, RestoreInProgress: true },
    });
    const { Items } = await t.db.query({
      TableName: 'again',
      IndexName: 'gsi',
      KeyConditionExpression: 'c = :c',
      ExpressionAttributeValues: { ':c': { S: 'g' } },
    });
    expect(Items).toEqual([{ a: { S: 'p' }, b: { N: '1' }, c: { S: 'g' }, d: { N: '2' } }]);
  });

  it('discards an incomplete backup after a restart', async () => {
    const dataPath = mkdtempSync(join(tmpdir(), 'emu-test-'));
    const stateOf = async ({ emulator }: DynamoTest) =>
      (await emulator.kernel.service('dynamodb')).state(ACCOUNT, REGION) as DynamoState;
    try {
      {
        await using t = await startDynamo({ dataPath });
        await makeTable(t, 'source');
        const { backups } = await stateOf(t);
        const record = { arn: 'arn:half', id: 'half', name: 'half', type: 'USER' as const, createdAt: 1, bytes: 1 };
        const table = copyOf((await stateOf(t)).table('source')!.record) as TableRecord;
        // The emulator stops between two items.
        const items = (function* () {
          yield { id: { S: 'a' } };
          throw new Error('the end');
        })();
        await expect(backups.add({ ...record, itemCount: 2, table }, items)).rejects.toThrow('the end');
        expect(backups.list()).toHaveLength(1);
      }
      await using t = await startDynamo({ dataPath });
      const { backups, scope } = await stateOf(t);
      expect(backups.list()).toEqual([]);
      expect(scope.collection(backupItems).size).toBe(0);
    } finally {
      rmSync(dataPath, { recursive: true, force: true });
    }
  });

  it('lists and deletes backups, and rejects unknown ones', async () => {
    await using t = await startDynamo();
    await makeTable(t, 'one');
    await makeTable(t, 'two');
    const arns: string[] = [];
    for (const TableName of ['one', 'two', 'one']) {
      const { BackupDetails } = await t.db.createBackup({ TableName, BackupName: `of-${TableName}` });
      arns.push(BackupDetails!.BackupArn!);
      await t.advance(10);
    }
    const first = await t.db.listBackups({ Limit: 2 });
    expect(first.BackupSummaries?.map(({ BackupArn }) => BackupArn)).toEqual(arns.slice(0, 2));
    const rest = await t.db.listBackups({ ExclusiveStartBackupArn: first.LastEvaluatedBackupArn });
    expect(rest.BackupSummaries?.map(({ BackupArn }) => BackupArn)).toEqual(arns.slice(2));
    expect((await t.db.listBackups({ TableName: 'two' })).BackupSummaries).toHaveLength(1);
    const deleted = await t.db.deleteBackup({ BackupArn: arns[0]! });
    expect(deleted.BackupDescription?.BackupDetails?.BackupStatus).toBe('DELETED');
    expect(await t.refusal('DescribeBackup', { BackupArn: arns[0] })).toBe(
      `BackupNotFoundException: Backup not found: ${arns[0]}`,
    );
    expect(await t.refusal('CreateBackup', { TableName: 'nope', BackupName: 'abc' })).toBe(
      'TableNotFoundException: Table not found: nope',
    );
    expect(await t.refusal('RestoreTableFromBackup', { BackupArn: arns[1], TargetTableName: 'one' })).toBe(
      'TableAlreadyExistsException: Table already exists: one',
    );
  });
});

describe('point-in-time recovery', () => {
  it('restores a table to any second of the window', async () => {
    await using t = await startDynamo();
    await makeTable(t, 'live');
    await put(t, 'live', 'a', '0');
    await t.db.updateContinuousBackups({
      TableName: 'live',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
    const moments: number[] = [];
    const states: object[] = [];
    const steps = [
      () => put(t, 'live', 'a', '1'),
      () => put(t, 'live', 'b', '1'),
      () => t.db.deleteItem({ TableName: 'live', Key: { id: { S: 'a' } } }),
      () => put(t, 'live', 'b', '2'),
    ];
    for (const step of steps) {
      await t.advance(5);
      await step();
      moments.push(t.emulator.kernel.clock.now());
      states.push(await contents(t, 'live'));
      await t.advance(5);
    }
    for (const [index, moment] of moments.entries()) {
      const { TableDescription } = await t.db.restoreTableToPointInTime({
        SourceTableName: 'live',
        TargetTableName: `at-${index}`,
        RestoreDateTime: new Date(Math.ceil(moment / 1000) * 1000),
      });
      expect(TableDescription?.TableStatus).toBe('CREATING');
      expect(await contents(t, `at-${index}`)).toEqual(states[index]);
    }
    await t.db.restoreTableToPointInTime({
      SourceTableName: 'live',
      TargetTableName: 'latest',
      UseLatestRestorableTime: true,
    });
    expect(await contents(t, 'latest')).toEqual({ b: '2' });
  });

  it('evicts changes older than the period', async () => {
    await using t = await startDynamo();
    await makeTable(t, 'live');
    const { ContinuousBackupsDescription: described } = await t.db.updateContinuousBackups({
      TableName: 'live',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 2 },
    });
    expect(described).toMatchObject({
      ContinuousBackupsStatus: 'ENABLED',
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'ENABLED', RecoveryPeriodInDays: 2 },
    });
    await put(t, 'live', 'a', '1');
    const early = Math.ceil(t.emulator.kernel.clock.now() / 1000);
    await t.advance(3 * 86_400);
    await put(t, 'live', 'a', '2');
    expect(
      await t.refusal('RestoreTableToPointInTime', {
        SourceTableName: 'live',
        TargetTableName: 'old',
        RestoreDateTime: early,
      }),
    ).toContain('InvalidRestoreTimeException: ');
  });

  it('is required for a restore, and keeps a backup of a deleted table for 35 days', async () => {
    await using t = await startDynamo();
    await makeTable(t, 'live');
    expect(
      await t.refusal('RestoreTableToPointInTime', {
        SourceTableName: 'live',
        TargetTableName: 'old',
        UseLatestRestorableTime: true,
      }),
    ).toBe("PointInTimeRecoveryUnavailableException: Point in time recovery is not enabled for table 'live'");
    await put(t, 'live', 'a', '1');
    await t.db.updateContinuousBackups({
      TableName: 'live',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
    await t.db.deleteTable({ TableName: 'live' });
    const { BackupSummaries } = await t.db.listBackups({ BackupType: 'SYSTEM' });
    expect(BackupSummaries).toMatchObject([{ BackupName: 'live$DeletedTableBackup', BackupType: 'SYSTEM' }]);
    await t.db.restoreTableFromBackup({ BackupArn: BackupSummaries![0]!.BackupArn!, TargetTableName: 'back' });
    expect(await contents(t, 'back')).toEqual({ a: '1' });
    await t.advance(36 * 86_400);
    expect((await t.db.listBackups({ BackupType: 'ALL' })).BackupSummaries).toEqual([]);
  });
});
