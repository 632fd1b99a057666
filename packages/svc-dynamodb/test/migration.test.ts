import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rewriteSnapshot } from '@emu/core/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeTable, startDynamo } from './support.ts';

let dataPath: string;
beforeEach(async () => {
  dataPath = await mkdtemp(join(tmpdir(), 'emu-older-'));
});
afterEach(() => rm(dataPath, { recursive: true }));

test('migrates tables from one set per account to the regions of their ARNs, with items and backups', async () => {
  const items = (name: string) => [{ id: { S: `arn:aws:sqs:us-west-1:000000000000:${name}` } }];
  {
    await using older = await startDynamo({ dataPath });
    for (const region of ['eu-west-1', 'us-west-2']) {
      const db = older.client({ region });
      await makeTable({ ...older, db }, region);
      await db.putItem({ TableName: region, Item: items(region)[0]! });
      await db.createBackup({ TableName: region, BackupName: 'before' });
    }
  }
  await rewriteSnapshot(dataPath, 'dynamodb', (record) => ({ ...record, region: '' }));
  for (let starts = 0; starts < 2; starts++) {
    await using newer = await startDynamo({ dataPath });
    expect((await newer.db.listTables({})).TableNames).toEqual([]);
    for (const region of ['eu-west-1', 'us-west-2']) {
      const db = newer.client({ region });
      expect((await db.listTables({})).TableNames).toContain(region);
      expect((await db.scan({ TableName: region })).Items).toEqual(items(region));
      const [backup] = (await db.listBackups({ TableName: region })).BackupSummaries!;
      const TargetTableName = `restored-${starts}`;
      await db.restoreTableFromBackup({ BackupArn: backup!.BackupArn, TargetTableName });
      await newer.advance(60);
      expect((await db.scan({ TableName: TargetTableName })).Items).toEqual(items(region));
    }
  }
});
