import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { defaultSettings } from '@emu/core';
import { copyDataDirectory } from '@emu/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT, keys, makeTable, REGION, startDynamo } from './support.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'emu-import-'));
});
afterEach(() => rm(root, { recursive: true }));

const items = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => ({ id: { S: `item-${from + n}` }, n: { N: String(n) }, b: { B: 'AAE=' } }));

/** Writes an export as DynamoDB does, with one data file per list of items. */
async function writeExport(folder: string, files: object[][], format = 'DYNAMODB_JSON'): Promise<string> {
  const directory = join(root, folder);
  await mkdir(join(directory, 'data'), { recursive: true });
  const names = files.map((_, index) => `AWSDynamoDB/01-abc/data/file${index}.json.gz`);
  for (const [index, list] of files.entries())
    await writeFile(
      join(directory, 'data', `file${index}.json.gz`),
      gzipSync(list.map((Item) => `${JSON.stringify({ Item })}\n`).join('')),
    );
  await writeFile(
    join(directory, 'manifest-files.json'),
    names.map((dataFileS3Key, index) => JSON.stringify({ itemCount: files[index]!.length, dataFileS3Key })).join('\n'),
  );
  await writeFile(
    join(directory, 'manifest-summary.json'),
    JSON.stringify({ version: '2020-06-30', itemCount: files.flat().length, outputFormat: format }),
  );
  return directory;
}

const description = (TableName: string) => ({
  Table: {
    TableName,
    ...keys('id:S'),
    BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
    ProvisionedThroughput: { NumberOfDecreasesToday: 0, ReadCapacityUnits: 0, WriteCapacityUnits: 0 },
    TableStatus: 'ACTIVE',
    AttributeDefinitions: [...keys('id:S').AttributeDefinitions, ...keys('n:N').AttributeDefinitions],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by-n',
        IndexStatus: 'ACTIVE',
        KeySchema: keys('n:N').KeySchema,
        Projection: { ProjectionType: 'ALL' },
        ProvisionedThroughput: { ReadCapacityUnits: 0, WriteCapacityUnits: 0 },
      },
    ],
  },
});

const start = (values: Record<string, string>, dataPath?: string) => {
  const base = { accountId: ACCOUNT, region: REGION };
  return startDynamo({
    settings: { ...base, values: { ...defaultSettings(base).values, ...values } },
    ...(dataPath && { dataPath }),
  });
};

describe('import at start', () => {
  it('loads one export as a table with its indexes', async () => {
    const EMULATOR_DYNAMODB_IMPORT_PATH = await writeExport('one', [items(3), items(2, 3)]);
    const EMULATOR_DYNAMODB_DESCRIBE_TABLE = join(root, 'shape.json');
    await writeFile(EMULATOR_DYNAMODB_DESCRIBE_TABLE, JSON.stringify(description('orders')));
    await using t = await start({ EMULATOR_DYNAMODB_IMPORT_PATH, EMULATOR_DYNAMODB_DESCRIBE_TABLE });
    const { Table } = await t.db.describeTable({ TableName: 'orders' });
    expect(Table).toMatchObject({ ItemCount: 5, BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' } });
    const { Count } = await t.db.query({
      TableName: 'orders',
      IndexName: 'by-n',
      KeyConditionExpression: 'n = :n',
      ExpressionAttributeValues: { ':n': { N: '1' } },
    });
    expect(Count).toBe(2);
    const { Item } = await t.db.getItem({ TableName: 'orders', Key: { id: { S: 'item-4' } } });
    expect(Buffer.from(Item!.b!.B!)).toEqual(Buffer.of(0, 1));
  });

  it('loads every export of a folder and persists them in a data directory', async () => {
    const exports = join(root, 'all');
    for (const name of ['left', 'right']) {
      const directory = await writeExport(join('all', name), [items(2)]);
      await writeFile(join(directory, 'describe-table.json'), JSON.stringify(description(name)));
    }
    const data = join(root, 'data');
    {
      await using t = await start({ EMULATOR_DYNAMODB_IMPORT_DIR: exports }, data);
      expect((await t.db.listTables({})).TableNames).toEqual(['left', 'right']);
    }
    await using again = await start({}, data);
    expect((await again.db.scan({ TableName: 'right' })).Count).toBe(2);
    await again.emulator.close();
    await expect(start({ EMULATOR_DYNAMODB_IMPORT_DIR: exports }, data)).rejects.toThrow(
      'cannot be imported: a table named left exists already.',
    );
  });

  it('fails the start on invalid exports', async () => {
    const exports = join(root, 'all');
    const directory = await writeExport('all/left', [[{ id: { S: 'a' } }, { other: { S: 'b' } }]]);
    const settings = { EMULATOR_DYNAMODB_IMPORT_DIR: exports };
    await expect(start(settings)).rejects.toThrow(`${directory} has no describe-table.json`);
    await writeFile(join(directory, 'describe-table.json'), JSON.stringify(description('left')));
    await expect(start(settings)).rejects.toThrow(
      'file0.json.gz, line 2: One or more parameter values were invalid: Missing the key id in the item',
    );
    await writeExport('all/left', [[]], 'ION');
    await expect(start(settings)).rejects.toThrow('only DYNAMODB_JSON can be imported');
    await writeFile(join(directory, 'manifest-summary.json'), 'nonsense');
    await expect(start(settings)).rejects.toThrow('manifest-summary.json is not JSON');
  });
});

describe('POST /_emulator/dynamodb/snapshot/save', () => {
  it('writes a snapshot that an emulator can start from', async () => {
    await using t = await start({});
    await makeTable(t, 'saved');
    await t.db.putItem({ TableName: 'saved', Item: { id: { S: 'a' } } });
    const path = '/_emulator/dynamodb/snapshot/save';
    expect((await t.emulator.control('POST', path)).status).toBe(400);
    const dataPath = join(root, 'elsewhere');
    expect(await t.emulator.control('POST', path, { dataPath })).toEqual({ status: 200, json: { saved: true } });
    await using other = await start({}, dataPath);
    expect((await other.db.scan({ TableName: 'saved' })).Items).toEqual([{ id: { S: 'a' } }]);
    expect(await other.emulator.control('POST', path)).toEqual({ status: 200, json: { saved: true } });
    await writeFile(join(root, 'file'), '');
    const { status } = await t.emulator.control('POST', path, { dataPath: join(root, 'file') });
    expect(status).toBe(500);
  });

  it('rejects the data directory of an emulator', async () => {
    const path = '/_emulator/dynamodb/snapshot/save';
    const [mine, theirs] = [join(root, 'mine'), join(root, 'theirs')];
    await using t = await start({}, mine);
    const saveTo = (dataPath: string) => t.emulator.control('POST', path, { dataPath });
    const refusal = (reason: string) => ({
      status: 400,
      json: { error: { code: 'InvalidDataPath', message: expect.stringContaining(reason) } },
    });
    await makeTable(t, 'saved');
    await symlink(mine, join(root, 'link'));
    for (const own of [mine, `${mine}/../mine/`, join(root, 'link')])
      expect(await saveTo(own)).toEqual({ status: 200, json: { saved: true } });
    expect(await saveTo(join(mine, 'dynamodb'))).toEqual(refusal('is inside of the data directory'));

    const other = await start({}, theirs);
    await makeTable(other, 'theirs');
    expect(await saveTo(theirs)).toEqual(refusal('is in use by process'));
    const killed = join(root, 'killed');
    await copyDataDirectory(theirs, killed);
    expect(await saveTo(killed)).toEqual(refusal('holds journals'));
    await other[Symbol.asyncDispose]();
    expect(await saveTo(theirs)).toEqual(refusal('the state of an emulator that used the directory'));
    for (const directory of [theirs, killed]) {
      await using again = await start({}, directory);
      expect((await again.db.listTables({})).TableNames).toEqual(['theirs']);
    }
    await mkdir(join(root, 'journals'));
    await writeFile(join(root, 'journals', 'journal-3.jsonl'), '');
    expect(await saveTo(join(root, 'journals'))).toEqual(refusal('holds journals'));

    const saved = join(root, 'saved');
    await saveTo(saved);
    await makeTable(t, 'later');
    expect(await saveTo(saved)).toEqual({ status: 200, json: { saved: true } });
    await using again = await start({}, saved);
    expect((await again.db.listTables({})).TableNames).toEqual(['later', 'saved']);
  });
});
