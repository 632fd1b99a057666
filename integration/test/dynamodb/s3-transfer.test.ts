import { gzipSync } from 'node:zlib';
import type { ImportTableCommandInput } from '@aws-sdk/client-dynamodb';
import { S3 } from '@aws-sdk/client-s3';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type DynamoTest, keys, makeTable, startDynamo } from '../../../packages/svc-dynamodb/test/support.ts';

let t: DynamoTest;
let s3: S3;
beforeEach(async () => {
  t = await startDynamo({ manifests: [s3Manifest] });
  s3 = new S3(t.emulator.clientConfig());
  await s3.createBucket({ Bucket: 'data' });
});
afterEach(() => t[Symbol.asyncDispose]());

/** Returns a zstandard frame of one uncompressed block (RFC 8878). */
function zstd(text: string): Buffer {
  const data = Buffer.from(text);
  const block = (data.length << 3) | 1;
  const header = [0x28, 0xb5, 0x2f, 0xfd, 0x60, (data.length - 256) & 255, (data.length - 256) >> 8];
  return Buffer.concat([Buffer.from([...header, block & 255, (block >> 8) & 255, block >> 16]), data]);
}

const put = (Key: string, Body: Buffer | string) => s3.putObject({ Bucket: 'data', Key, Body });
async function load(input: Partial<ImportTableCommandInput> & Pick<ImportTableCommandInput, 'InputFormat'>) {
  const { ImportTableDescription } = await t.db.importTable({
    S3BucketSource: { S3Bucket: 'data', S3KeyPrefix: 'in/' },
    TableCreationParameters: { TableName: 'copy', BillingMode: 'PAY_PER_REQUEST', ...keys('id:S', 'n:N') },
    ...input,
  });
  return vi.waitFor(async () => {
    const described = await t.db.describeImport({ ImportArn: ImportTableDescription!.ImportArn });
    expect(described.ImportTableDescription!.ImportStatus).not.toBe('IN_PROGRESS');
    return described.ImportTableDescription!;
  });
}
const items = async (TableName = 'copy') => {
  const { Items } = await t.db.scan({ TableName });
  return Items!.sort((a, b) => (a.id!.S! < b.id!.S! ? -1 : 1));
};

describe('imports from S3', () => {
  test('of CSV use the first line for names; keys have their types, other values are strings', async () => {
    await put('in/a.csv', 'id,n,text,count\nx,1,"say ""hi"", you",7\n\ny,2,,\nshort,1\nz,no number,a,b\n');
    expect(await load({ InputFormat: 'CSV' })).toMatchObject({
      ImportStatus: 'FAILED',
      ProcessedItemCount: 4,
      ImportedItemCount: 2,
      ErrorCount: 2,
      ProcessedSizeBytes: 71,
    });
    expect(await items()).toEqual([
      { id: { S: 'x' }, n: { N: '1' }, text: { S: 'say "hi", you' }, count: { S: '7' } },
      { id: { S: 'y' }, n: { N: '2' }, text: { S: '' }, count: { S: '' } },
    ]);
  });

  test('of CSV use names and delimiters from the request', async () => {
    await put('in/a.csv.gz', gzipSync('x;1;ü\ny;2;b\n'));
    const done = await load({
      InputFormat: 'CSV',
      InputCompressionType: 'GZIP',
      InputFormatOptions: { Csv: { Delimiter: ';', HeaderList: ['id', 'n', 'text'] } },
    });
    expect(done).toMatchObject({
      ImportStatus: 'COMPLETED',
      ImportedItemCount: 2,
      InputFormatOptions: expect.anything(),
    });
    expect(await items()).toMatchObject([{ text: { S: 'ü' } }, { text: { S: 'b' } }]);
  });

  test('fail for invalid CSV and leave no table', async () => {
    await put('in/a.csv', 'id,n\n"x"y",1\n');
    const failed = await load({ InputFormat: 'CSV' });
    expect(failed).toMatchObject({ ImportStatus: 'FAILED', FailureMessage: expect.stringMatching(/quote/i) });
    expect((await t.db.listTables({})).TableNames).toEqual([]);
  });

  test('of Ion support every type', async () => {
    await put(
      'in/a.ion',
      `$ion_1_0 {Item:{id:"x",n:1.50,big:123456789012345678901234567890.,i:5,f:2.5e0,b:{{AQI=}},flag:true,none:null,
        ss:$dynamodb_SS::["a","b"],ns:$dynamodb_NS::[1.,2.],bs:$dynamodb_BS::[{{AQI=}}],l:[1.,"a"],'a b':{m:null}}}
      $ion_1_0 {Item:{id:"y",n:"no number"}}
      $ion_1_0 {id:"z"}`,
    );
    expect(await load({ InputFormat: 'ION' })).toMatchObject({
      ImportStatus: 'FAILED',
      ProcessedItemCount: 3,
      ImportedItemCount: 1,
      ErrorCount: 2,
    });
    expect(await items()).toEqual([
      {
        id: { S: 'x' },
        n: { N: '1.5' },
        big: { N: '123456789012345678901234567890' },
        i: { N: '5' },
        f: { N: '2.5' },
        b: { B: Uint8Array.of(1, 2) },
        flag: { BOOL: true },
        none: { NULL: true },
        ss: { SS: ['a', 'b'] },
        ns: { NS: ['1', '2'] },
        bs: { BS: [Uint8Array.of(1, 2)] },
        l: { L: [{ N: '1' }, { S: 'a' }] },
        'a b': { M: { m: { NULL: true } } },
      },
    ]);
  });

  test('of zstandard are decompressed; uncompressed data fails', async () => {
    const line = (id: string) => `{"Item":{"id":{"S":"${id}"},"n":{"N":"1"},"pad":{"S":"${'p'.repeat(300)}"}}}\n`;
    await put('in/a.json.zst', zstd(line('x') + line('y')));
    expect(await load({ InputFormat: 'DYNAMODB_JSON', InputCompressionType: 'ZSTD' })).toMatchObject({
      ImportStatus: 'COMPLETED',
      ImportedItemCount: 2,
    });
    for (const InputCompressionType of ['ZSTD', 'GZIP'] as const) {
      await put('other/a.json', 'no compression at all, in truth');
      const failed = await load({
        InputFormat: 'DYNAMODB_JSON',
        InputCompressionType,
        S3BucketSource: { S3Bucket: 'data', S3KeyPrefix: 'other/' },
        TableCreationParameters: { TableName: 'none', BillingMode: 'PAY_PER_REQUEST', ...keys('id:S') },
      });
      expect(failed.ImportStatus).toBe('FAILED');
    }
    expect(
      await t.refusal('ImportTable', {
        S3BucketSource: { S3Bucket: 'data' },
        InputFormat: 'ION',
        InputFormatOptions: { Csv: { Delimiter: ',' } },
        TableCreationParameters: { TableName: 'none', BillingMode: 'PAY_PER_REQUEST', ...keys('id:S') },
      }),
    ).toContain('Invalid Request: Unsupported InputFormatOptions for the given input format: ION.');
  });
});

test.each(['DYNAMODB_JSON', 'ION'] as const)('an export as %s is imported without differences', async (format) => {
  await makeTable(t, 'live');
  await t.db.updateContinuousBackups({
    TableName: 'live',
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  });
  const Item = {
    id: { S: 'ü "quoted" \\ \n' },
    n: { N: '-1.5E-100' },
    'a-b': { M: { "it's": { L: [{ NULL: true }, { BOOL: false }, { B: Uint8Array.of(0, 255) }] } } },
    s: { NS: ['1', '1E+20'] },
  };
  await t.db.putItem({ TableName: 'live', Item });
  const { TableArn } = (await t.db.describeTable({ TableName: 'live' })).Table!;
  const { ExportDescription } = await t.db.exportTableToPointInTime({
    TableArn,
    S3Bucket: 'data',
    S3Prefix: 'out',
    ExportFormat: format,
  });
  const done = await vi.waitFor(async () => {
    const described = await t.db.describeExport({ ExportArn: ExportDescription!.ExportArn });
    expect(described.ExportDescription!.ExportStatus).toBe('COMPLETED');
    return described.ExportDescription!;
  });
  const manifest = await s3.getObject({ Bucket: 'data', Key: done.ExportManifest });
  expect(JSON.parse(await manifest.Body!.transformToString())).toMatchObject({ itemCount: 1, outputFormat: format });
  const folder = done.ExportManifest!.replace('manifest-summary.json', 'data/');
  await load({
    InputFormat: format,
    InputCompressionType: 'GZIP',
    S3BucketSource: { S3Bucket: 'data', S3KeyPrefix: folder },
    TableCreationParameters: { TableName: 'copy', BillingMode: 'PAY_PER_REQUEST', ...keys('id:S') },
  });
  expect(await items()).toEqual(await items('live'));
});
