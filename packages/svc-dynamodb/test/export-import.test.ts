import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { copyDataDirectory } from '@emu/core/testing';
import { fakeService } from '@emu/gateway/testing';
import { awsError } from '@emu/wire';
import { describe, expect, it, vi } from 'vitest';
import { type DynamoTest, keys, makeTable, startDynamo } from './support.ts';

/** Creates a fake S3 with one bucket, `bucket`. */
function fakeS3(objects: Map<string, Buffer>) {
  const checked = ({ Bucket }: Record<string, unknown>) => {
    if (Bucket !== 'bucket') throw awsError('NoSuchBucket', 'The specified bucket does not exist');
  };
  return fakeService('s3', {
    PutObject: (input) => {
      checked(input);
      objects.set(String(input.Key), Buffer.from(input.Body as Uint8Array));
      return {};
    },
    // Pages of one object, which S3 may return.
    ListObjectsV2: (input) => {
      checked(input);
      const all = [...objects.keys()].filter((key) => key.startsWith(String(input.Prefix ?? '')));
      const at = Number(input.ContinuationToken ?? 0);
      return {
        Contents: all.slice(at, at + 1).map((Key) => ({ Key })),
        ...(at + 1 < all.length && { NextContinuationToken: String(at + 1) }),
      };
    },
    GetObject: (input) => ({ Body: objects.get(String(input.Key)) }),
  });
}

async function exportable(t: DynamoTest): Promise<string> {
  await makeTable(t, 'live');
  const enabled = { PointInTimeRecoveryEnabled: true };
  await t.db.updateContinuousBackups({ TableName: 'live', PointInTimeRecoverySpecification: enabled });
  for (const id of ['a', 'b'])
    await t.db.putItem({
      TableName: 'live',
      Item: { id: { S: id }, n: { N: '1.5' }, b: { B: Buffer.of(1, 2) }, s: { NS: ['1'] }, 'a b': { NULL: true } },
    });
  return (await t.db.describeTable({ TableName: 'live' })).Table!.TableArn!;
}

const exported = async (t: DynamoTest, ExportArn: string) =>
  vi.waitFor(async () => {
    const { ExportDescription } = await t.db.describeExport({ ExportArn });
    expect(ExportDescription!.ExportStatus).not.toBe('IN_PROGRESS');
    return ExportDescription!;
  });
const imported = async (t: DynamoTest, ImportArn: string) =>
  vi.waitFor(async () => {
    const { ImportTableDescription } = await t.db.describeImport({ ImportArn });
    expect(ImportTableDescription!.ImportStatus).not.toBe('IN_PROGRESS');
    return ImportTableDescription!;
  });

const params = { TableName: 'copy', BillingMode: 'PAY_PER_REQUEST' as const, ...keys('id:S') };

describe('export and import', () => {
  it('writes files and manifests that an import can read', async () => {
    const objects = new Map<string, Buffer>();
    await using t = await startDynamo({ manifests: [fakeS3(objects)] });
    const TableArn = await exportable(t);
    const { ExportDescription: started } = await t.db.exportTableToPointInTime({
      TableArn,
      S3Bucket: 'bucket',
      S3Prefix: 'out',
    });
    expect(started).toMatchObject({ ExportStatus: 'IN_PROGRESS', ExportType: 'FULL_EXPORT', S3SseAlgorithm: 'AES256' });
    // Later changes are not in the export.
    await t.db.deleteItem({ TableName: 'live', Key: { id: { S: 'a' } } });
    const done = await exported(t, started!.ExportArn!);
    expect(done).toMatchObject({ ExportStatus: 'COMPLETED', ItemCount: 2 });
    const folder = `out/AWSDynamoDB/${started!.ExportArn!.split('/').at(-1)}`;
    expect(done.ExportManifest).toBe(`${folder}/manifest-summary.json`);
    const data = [...objects.keys()].find((key) => key.startsWith(`${folder}/data/`))!;
    expect([...objects.keys()].filter((key) => key !== data).sort()).toEqual(
      ['_started', 'manifest-files.json', 'manifest-files.md5', 'manifest-summary.json', 'manifest-summary.md5'].map(
        (name) => `${folder}/${name}`,
      ),
    );
    const summary = objects.get(`${folder}/manifest-summary.json`)!;
    expect(JSON.parse(summary.toString())).toMatchObject({
      version: '2020-06-30',
      itemCount: 2,
      outputFormat: 'DYNAMODB_JSON',
      manifestFilesS3Key: `${folder}/manifest-files.json`,
    });
    expect(objects.get(`${folder}/manifest-summary.md5`)!.toString()).toBe(
      createHash('md5').update(summary).digest('base64'),
    );
    const file = JSON.parse(objects.get(`${folder}/manifest-files.json`)!.toString());
    expect(file).toMatchObject({ itemCount: 2, dataFileS3Key: data });
    expect((await t.db.listExports({})).ExportSummaries).toMatchObject([{ ExportStatus: 'COMPLETED' }]);

    const { ImportTableDescription } = await t.db.importTable({
      S3BucketSource: { S3Bucket: 'bucket', S3KeyPrefix: `${folder}/data/` },
      InputFormat: 'DYNAMODB_JSON',
      InputCompressionType: 'GZIP',
      TableCreationParameters: params,
    });
    expect(await imported(t, ImportTableDescription!.ImportArn!)).toMatchObject({
      ImportStatus: 'COMPLETED',
      ImportedItemCount: 2,
      ErrorCount: 0,
    });
    const { Item } = await t.db.getItem({ TableName: 'copy', Key: { id: { S: 'a' } } });
    expect(Item).toMatchObject({ n: { N: '1.5' }, s: { NS: ['1'] }, 'a b': { NULL: true } });
  });

  it('fails with invalid items and keeps the table with the valid ones', async () => {
    const objects = new Map([
      ['one', Buffer.from('{"Item":{"id":{"S":"a"}}}\nnonsense\n{"Item":{"id":{"N":"1"}}}\n')],
      ['two', Buffer.from('{"Item":{"id":{"S":"b"}}} {"Item":{"id":{"S":"c}{"}}}')],
    ]);
    await using t = await startDynamo({ manifests: [fakeS3(objects)] });
    const { ImportTableDescription } = await t.db.importTable({
      S3BucketSource: { S3Bucket: 'bucket' },
      InputFormat: 'DYNAMODB_JSON',
      TableCreationParameters: params,
    });
    expect(await imported(t, ImportTableDescription!.ImportArn!)).toMatchObject({
      ImportStatus: 'FAILED',
      FailureCode: 'ItemValidationError',
      ProcessedItemCount: 5,
      ImportedItemCount: 3,
      ErrorCount: 2,
    });
    expect((await t.db.scan({ TableName: params.TableName })).Count).toBe(3);
    expect((await t.db.listImports({})).ImportSummaryList).toHaveLength(1);
  });

  it('paginates lists with their own tokens', async () => {
    await using t = await startDynamo({ manifests: [fakeS3(new Map())] });
    const TableArn = await exportable(t);
    const arns: string[] = [];
    const exportArns: string[] = [];
    for (const TableName of ['one', 'two', 'three']) {
      const { ImportTableDescription } = await t.db.importTable({
        S3BucketSource: { S3Bucket: 'bucket' },
        InputFormat: 'DYNAMODB_JSON',
        TableCreationParameters: { ...params, TableName },
      });
      const { ExportDescription } = await t.db.exportTableToPointInTime({ TableArn, S3Bucket: 'bucket' });
      arns.push(ImportTableDescription!.ImportArn!);
      exportArns.push(ExportDescription!.ExportArn!);
      await t.advance(1);
    }
    const first = await t.db.listImports({ PageSize: 2 });
    expect(first.ImportSummaryList!.map(({ ImportArn }) => ImportArn)).toEqual(arns.slice(0, 2));
    const rest = await t.db.listImports({ PageSize: 2, NextToken: first.NextToken });
    expect(rest.ImportSummaryList!.map(({ ImportArn }) => ImportArn)).toEqual(arns.slice(2));
    expect(rest.NextToken).toBeUndefined();
    expect(await t.refusal('ListImports', { NextToken: '0123456789abcdef'.repeat(7) })).toBe('Invalid NextToken');

    const exports = await t.db.listExports({ MaxResults: 2 });
    expect(exports.ExportSummaries!.map(({ ExportArn }) => ExportArn)).toEqual(exportArns.slice(0, 2));
    const others = await t.db.listExports({ MaxResults: 2, NextToken: exports.NextToken });
    expect(others.ExportSummaries!.map(({ ExportArn }) => ExportArn)).toEqual(exportArns.slice(2));
    expect(await t.refusal('ListExports', { NextToken: exportArns[0] })).toBe('Invalid NextToken');
  });

  it('restarts after a crash and leaves no partial table', async () => {
    const root = await mkdtemp(join(tmpdir(), 'emu-half-'));
    const dataPath = join(root, 'data');
    const lines = (async function* () {
      yield Buffer.from('{"Item":{"id":{"S":"a"}}}\n');
      await new Promise(() => {});
    })();
    const endless = fakeService('s3', {
      ListObjectsV2: () => ({ Contents: [{ Key: 'one' }] }),
      GetObject: () => ({ Body: lines }),
    });
    await using t = await startDynamo({ manifests: [endless], dataPath });
    const { ImportTableDescription } = await t.db.importTable({
      S3BucketSource: { S3Bucket: 'bucket' },
      InputFormat: 'DYNAMODB_JSON',
      TableCreationParameters: params,
    });
    await vi.waitFor(async () => expect((await t.db.scan({ TableName: 'copy' })).Count).toBe(1));
    expect((await t.db.describeTable({ TableName: 'copy' })).Table!.TableStatus).toBe('CREATING');
    await makeTable(t, 'whole');
    await copyDataDirectory(dataPath, join(root, 'copy'));
    await copyDataDirectory(dataPath, join(root, 'second'));
    const short = fakeService('s3', {
      ListObjectsV2: () => ({ Contents: [{ Key: 'one' }] }),
      GetObject: () => ({ Body: Buffer.from('{"Item":{"id":{"S":"b"}}}\n') }),
    });
    {
      await using again = await startDynamo({ manifests: [short], dataPath: join(root, 'second') });
      await again.advance(0);
      const done = { ImportStatus: 'COMPLETED', ImportedItemCount: 1 };
      expect(await imported(again, ImportTableDescription!.ImportArn!)).toMatchObject(done);
      expect((await again.db.scan({ TableName: 'copy' })).Items).toEqual([{ id: { S: 'b' } }]);
    }
    await using after = await startDynamo({ dataPath: join(root, 'copy') });
    await after.advance(0);
    expect(await imported(after, ImportTableDescription!.ImportArn!)).toMatchObject({ ImportStatus: 'FAILED' });
    expect((await after.db.listTables({})).TableNames).toEqual(['whole']);
    await after.db.createTable(params);
    expect((await after.db.scan({ TableName: 'copy' })).Count).toBe(0);
    await rm(root, { recursive: true });
  });

  it('writes Ion and increments', async () => {
    const objects = new Map<string, Buffer>();
    await using t = await startDynamo({ manifests: [fakeS3(objects)] });
    const TableArn = await exportable(t);
    const start = new Date(t.emulator.kernel.clock.now());
    await t.advance(600);
    await t.db.deleteItem({ TableName: 'live', Key: { id: { S: 'a' } } });
    await t.db.putItem({ TableName: 'live', Item: { id: { S: 'c' } } });
    await t.advance(600);
    const text = () =>
      [...objects].filter(([key]) => key.includes('/data/')).map(([, body]) => gunzipSync(body).toString());
    const ion = await t.db.exportTableToPointInTime({ TableArn, S3Bucket: 'bucket', ExportFormat: 'ION' });
    await exported(t, ion.ExportDescription!.ExportArn!);
    expect(text().join('').trim().split('\n').sort()).toEqual([
      `$ion_1_0 {Item:{id:"b",n:1.5,b:{{AQI=}},s:$dynamodb_NS::[1.],'a b':null}}`,
      '$ion_1_0 {Item:{id:"c"}}',
    ]);
    objects.clear();
    const increment = await t.db.exportTableToPointInTime({
      TableArn,
      S3Bucket: 'bucket',
      ExportType: 'INCREMENTAL_EXPORT',
      IncrementalExportSpecification: { ExportFromTime: new Date(start.getTime() + 1000) },
    });
    expect(await exported(t, increment.ExportDescription!.ExportArn!)).toMatchObject({ ItemCount: 2 });
    const lines = text().join('').trim().split('\n');
    expect(lines.map((line) => Object.keys(JSON.parse(line)))).toEqual([
      ['Metadata', 'Keys', 'OldImage'],
      ['Metadata', 'Keys', 'NewImage'],
    ]);
  });

  it('fails if S3 rejects requests or is missing', async () => {
    for (const [manifests, code] of [
      [[fakeS3(new Map())], 'S3NoSuchBucket'],
      [[], 'S3NotImplemented'],
    ] as const) {
      await using t = await startDynamo({ manifests: [...manifests] });
      const TableArn = await exportable(t);
      const { ExportDescription } = await t.db.exportTableToPointInTime({ TableArn, S3Bucket: 'nope' });
      const failed = await exported(t, ExportDescription!.ExportArn!);
      expect(failed).toMatchObject({ ExportStatus: 'FAILED', FailureCode: code });
      expect(failed.FailureMessage).not.toBe('');
      const { ImportTableDescription } = await t.db.importTable({
        S3BucketSource: { S3Bucket: 'nope' },
        InputFormat: 'DYNAMODB_JSON',
        TableCreationParameters: params,
      });
      expect(await imported(t, ImportTableDescription!.ImportArn!)).toMatchObject({
        ImportStatus: 'FAILED',
        FailureCode: code,
      });
      expect((await t.db.listTables({})).TableNames).toEqual(['live']);
    }
  });

  it('requires point-in-time recovery and is idempotent by token', async () => {
    await using t = await startDynamo({ manifests: [fakeS3(new Map())] });
    await makeTable(t, 'plain');
    const { TableArn } = (await t.db.describeTable({ TableName: 'plain' })).Table!;
    expect(await t.refusal('ExportTableToPointInTime', { TableArn, S3Bucket: 'bucket' })).toBe(
      "PointInTimeRecoveryUnavailableException: Point in time recovery is not enabled for table 'plain'",
    );
    const input = { TableArn: await exportable(t), S3Bucket: 'bucket', ClientToken: 'once' };
    const first = await t.db.exportTableToPointInTime(input);
    const second = await t.db.exportTableToPointInTime(input);
    expect(second.ExportDescription?.ExportArn).toBe(first.ExportDescription?.ExportArn);
    expect(await t.refusal('ExportTableToPointInTime', { ...input, S3Prefix: 'x' })).toContain(
      'ExportConflictException: ',
    );
  });
});
