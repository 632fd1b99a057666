import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as S3 from '@aws-sdk/client-s3';
import { DuckDBInstance } from '@duckdb/node-api';
import { createLogger } from '@emu/core';
import { policyText, rejection } from '@emu/gateway/testing';
import { describe, expect, it } from 'vitest';
import { errorOf, s3Emulator } from './helpers.ts';

const Bucket = 'a-bucket';
const logs = 'the-logs';
const EAGER = { EMULATOR_S3_EAGER_DELIVERY: true };
const DAY = 86_400_000;

type Env = Awaited<ReturnType<typeof s3Emulator>>;

async function withTarget(values: Record<string, boolean> = EAGER): Promise<Env> {
  const env = await s3Emulator({ settings: { values } });
  for (const name of [Bucket, logs]) await env.s3.send(new S3.CreateBucketCommand({ Bucket: name }));
  return env;
}

const log = ({ s3 }: Env, extra: Partial<S3.LoggingEnabled> = {}) =>
  s3.send(
    new S3.PutBucketLoggingCommand({
      Bucket,
      BucketLoggingStatus: { LoggingEnabled: { TargetBucket: logs, TargetPrefix: 'log/', ...extra } },
    }),
  );

/** Objects of a bucket by key. */
async function contents({ s3 }: Env, name = logs): Promise<Map<string, Buffer>> {
  const { Contents = [] } = await s3.send(new S3.ListObjectsV2Command({ Bucket: name }));
  const found = new Map<string, Buffer>();
  for (const { Key } of Contents) {
    const { Body } = await s3.send(new S3.GetObjectCommand({ Bucket: name, Key }));
    found.set(Key!, Buffer.from(await Body!.transformToByteArray()));
  }
  return found;
}

describe('server access logs', () => {
  it('are delivered before the response', async () => {
    await using env = await withTarget();
    await log(env);
    await env.s3.send(new S3.PutObjectCommand({ Bucket, Key: 'dir/a b', Body: 'hello' }));
    await env.s3.send(new S3.GetObjectCommand({ Bucket, Key: 'dir/a b' }));
    await errorOf(env.s3.send(new S3.GetObjectCommand({ Bucket, Key: 'nothing' })), rejection);
    await env.s3.send(new S3.GetBucketVersioningCommand({ Bucket }));
    const found = [...(await contents(env))].map(([key, body]) => [key, body.toString()] as const);
    expect(found.every(([key]) => /^log\/\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d-[0-9A-F]{16}$/.test(key))).toBe(true);
    const fields = found.map(([, line]) => line.match(/\[[^\]]*\]|"[^"]*"|\S+/g)!);
    expect(fields.every((one) => one.length === 26)).toBe(true);
    const told = new Map(fields.map((one) => [`${one[6]} ${one[7]}`, one]));
    expect([...told.keys()].sort()).toEqual([
      'REST.GET.OBJECT dir/a%20b',
      'REST.GET.OBJECT nothing',
      'REST.GET.VERSIONING -',
      'REST.PUT.LOGGING_STATUS -',
      'REST.PUT.OBJECT dir/a%20b',
    ]);
    const get = told.get('REST.GET.OBJECT dir/a%20b')!;
    expect(get[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(get[1]).toBe(Bucket);
    expect(get[2]).toMatch(/^\[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000\]$/);
    expect(get.slice(8, 13)).toEqual(['"GET /dir/a%20b?x-id=GetObject HTTP/1.1"', '200', '-', '5', '5']);
    expect(get.slice(19, 22)).toEqual(['SigV4', '-', 'AuthHeader']);
    expect(told.get('REST.GET.OBJECT nothing')!.slice(9, 11)).toEqual(['404', 'NoSuchKey']);
  });

  it('can be partitioned by date', async () => {
    await using env = await withTarget();
    await log(env, { TargetObjectKeyFormat: { PartitionedPrefix: { PartitionDateSource: 'EventTime' } } });
    const [key] = (await contents(env)).keys();
    expect(key).toMatch(
      /^log\/123456789012\/us-east-1\/a-bucket\/\d{4}\/\d\d\/\d\d\/\d{4}-\d\d-\d\d-00-00-00-[0-9A-F]{16}$/,
    );
  });

  it('are not delivered unless configured', async () => {
    await using env = await withTarget({});
    await log(env);
    expect((await contents(env)).size).toBe(0);
  });

  it('require permission of the target bucket with policies enforced', async () => {
    await using env = await withTarget({ ...EAGER, EMULATOR_ENFORCE_IAM: true });
    await log(env);
    expect((await contents(env)).size).toBe(0);
    const Policy = policyText([
      {
        Effect: 'Allow',
        Principal: { Service: 'logging.s3.amazonaws.com' },
        Action: 's3:PutObject',
        Resource: `arn:aws:s3:::${logs}/log/*`,
        Condition: { ArnLike: { 'aws:SourceArn': `arn:aws:s3:::${Bucket}` } },
      },
    ]);
    await env.s3.send(new S3.PutBucketPolicyCommand({ Bucket: logs, Policy }));
    await env.s3.send(new S3.HeadBucketCommand({ Bucket }));
    expect((await contents(env)).size).toBe(1);
    await env.s3.send(new S3.DeleteBucketPolicyCommand({ Bucket: logs }));
    await env.s3.send(
      new S3.PutBucketOwnershipControlsCommand({
        Bucket: logs,
        OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerPreferred' }] },
      }),
    );
    await env.s3.send(new S3.HeadBucketCommand({ Bucket }));
    expect((await contents(env)).size).toBe(1);
    await env.s3.send(
      new S3.PutBucketAclCommand({ Bucket: logs, GrantWrite: 'uri="http://acs.amazonaws.com/groups/s3/LogDelivery"' }),
    );
    await env.s3.send(new S3.HeadBucketCommand({ Bucket }));
    expect((await contents(env)).size).toBe(2);
  });
});

describe('inventories', () => {
  const configure = ({ s3 }: Env, extra: Partial<S3.InventoryConfiguration> = {}, Prefix?: string) =>
    s3.send(
      new S3.PutBucketInventoryConfigurationCommand({
        Bucket,
        Id: 'all',
        InventoryConfiguration: {
          Id: 'all',
          IsEnabled: true,
          IncludedObjectVersions: 'All',
          Schedule: { Frequency: 'Daily' },
          Destination: {
            S3BucketDestination: { Bucket: `arn:aws:s3:::${logs}`, Format: 'CSV', ...(Prefix && { Prefix }) },
          },
          OptionalFields: ['ETag', 'Size', 'EncryptionStatus'],
          ...extra,
        },
      }),
    );
  const listsOf = (found: Map<string, Buffer>): string[] =>
    [...found].filter(([key]) => key.endsWith('.csv.gz')).map(([, body]) => gunzipSync(body).toString());

  it("list the bucket's objects, with a manifest", async () => {
    await using env = await withTarget();
    const VersioningConfiguration = { Status: 'Enabled' as const };
    await env.s3.send(new S3.PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
    const { VersionId } = await env.s3.send(new S3.PutObjectCommand({ Bucket, Key: 'a b"', Body: 'hello' }));
    await env.s3.send(new S3.DeleteObjectCommand({ Bucket, Key: 'a b"' }));
    await configure(env, {}, 'inv');
    const found = await contents(env);
    const [list] = listsOf(found);
    const [marker, object, end] = list!.split('\n');
    expect(marker).toMatch(/^"a-bucket","a%20b%22","[^"]{32}","true","true","","",""$/);
    expect(object).toBe(
      `"a-bucket","a%20b%22","${VersionId}","false","false","5","${createHash('md5').update('hello').digest('hex')}","SSE-S3"`,
    );
    expect(end).toBe('');
    const [manifestKey, text] = [...found].find(([key]) => key.endsWith('manifest.json'))!;
    expect(manifestKey).toMatch(/^inv\/a-bucket\/all\/\d{4}-\d\d-\d\dT\d\d-\d\dZ\/manifest\.json$/);
    const manifest = JSON.parse(text.toString());
    expect(manifest).toMatchObject({
      sourceBucket: Bucket,
      destinationBucket: `arn:aws:s3:::${logs}`,
      version: '2016-11-30',
      fileFormat: 'CSV',
      fileSchema: 'Bucket, Key, VersionId, IsLatest, IsDeleteMarker, Size, ETag, EncryptionStatus',
    });
    const data = found.get(manifest.files[0].key)!;
    expect(manifest.files).toMatchObject([
      { size: data.length, MD5checksum: createHash('md5').update(data).digest('hex') },
    ]);
    const sum = found.get(manifestKey.replace('.json', '.checksum'))!.toString();
    expect(sum).toBe(createHash('md5').update(text).digest('hex'));
    const symlink = [...found].find(([key]) => key.endsWith('symlink.txt'))!;
    expect(symlink[1].toString()).toBe(`s3://${logs}/${manifest.files[0].key}`);
  });

  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage-inventory.html#storage-inventory-contents
  it('show the access tiers of S3 Intelligent-Tiering', async () => {
    await using env = await withTarget();
    const { clock } = env.emulator.kernel;
    const StorageClass = 'INTELLIGENT_TIERING' as const;
    const Tierings = [{ AccessTier: 'ARCHIVE_ACCESS' as const, Days: 200 }];
    const IntelligentTieringConfiguration = { Id: 'all', Status: 'Enabled' as const, Tierings };
    await env.s3.send(
      new S3.PutBucketIntelligentTieringConfigurationCommand({ Bucket, Id: 'all', IntelligentTieringConfiguration }),
    );
    const tiers: string[] = [];
    await env.s3.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Body: Buffer.alloc(128 * 1024), StorageClass }));
    for (const days of [0, 31, 60, 120]) {
      await clock.advance(days * 86_400_000);
      await configure(env, { OptionalFields: ['IntelligentTieringAccessTier'] }, `after-${days}`);
      const found = [...(await contents(env))].filter(([key]) => key.startsWith(`after-${days}/`));
      tiers.push(listsOf(new Map(found)).at(-1)!.trim().split(',').at(-1)!);
    }
    expect(tiers).toEqual(['"FREQUENT"', '"INFREQUENT"', '"ARCHIVE_INSTANT_ACCESS"', '"ARCHIVE"']);
  });

  it('can be delivered in Parquet', async () => {
    await using env = await withTarget();
    await env.s3.send(new S3.PutObjectCommand({ Bucket, Key: 'a b', Body: 'hello' }));
    const { LastModified } = await env.s3.send(new S3.HeadObjectCommand({ Bucket, Key: 'a b' }));
    const Destination = { S3BucketDestination: { Bucket: `arn:aws:s3:::${logs}`, Format: 'Parquet' as const } };
    const OptionalFields: S3.InventoryOptionalField[] = ['Size', 'LastModifiedDate', 'ETag', 'ReplicationStatus'];
    await configure(env, { Destination, OptionalFields });
    const found = await contents(env);
    const manifest = JSON.parse([...found].find(([key]) => key.endsWith('manifest.json'))![1].toString());
    expect(manifest).toMatchObject({
      fileFormat: 'Parquet',
      fileSchema:
        'message s3.inventory { required binary bucket (UTF8); required binary key (UTF8); ' +
        'optional binary version_id (UTF8); optional boolean is_latest; optional boolean is_delete_marker; ' +
        'optional int64 size; optional int64 last_modified_date (TIMESTAMP_MILLIS); optional binary e_tag (UTF8); ' +
        'optional binary replication_status (UTF8); }',
    });
    const [{ key: Key, size, MD5checksum }] = manifest.files;
    expect(Key).toMatch(/^a-bucket\/all\/data\/[0-9a-f-]{36}\.parquet$/);
    const data = found.get(Key)!;
    expect([size, MD5checksum]).toEqual([data.length, createHash('md5').update(data).digest('hex')]);
    const { Payload } = await env.s3.send(
      new S3.SelectObjectContentCommand({
        Bucket: logs,
        Key,
        ExpressionType: 'SQL',
        Expression: 'SELECT * FROM S3Object s',
        InputSerialization: { Parquet: {} },
        OutputSerialization: { JSON: {} },
      }),
    );
    let text = '';
    for await (const { Records } of Payload!) text += Buffer.from(Records?.Payload ?? '').toString();
    expect(JSON.parse(text)).toEqual({
      bucket: Bucket,
      key: 'a b',
      version_id: 'null',
      is_latest: true,
      is_delete_marker: false,
      size: 5,
      last_modified_date: LastModified!.toISOString().replace('T', ' ').replace('.000Z', ''),
      e_tag: createHash('md5').update('hello').digest('hex'),
      replication_status: null,
    });
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const file = join(mkdtempSync(join(tmpdir(), 'delivery-test-')), 'list.parquet');
    writeFileSync(file, data);
    const schema = await connection.runAndReadAll(
      `SELECT name, type, converted_type FROM parquet_schema('${file}') WHERE type IS NOT NULL AND name <> 'duckdb_schema'`,
    );
    expect(schema.getRows()).toEqual([
      ...['bucket', 'key', 'version_id'].map((name) => [name, 'BYTE_ARRAY', 'UTF8']),
      ...['is_latest', 'is_delete_marker'].map((name) => [name, 'BOOLEAN', null]),
      ['size', 'INT64', 'INT_64'],
      ['last_modified_date', 'INT64', 'TIMESTAMP_MILLIS'],
      ...['e_tag', 'replication_status'].map((name) => [name, 'BYTE_ARRAY', 'UTF8']),
    ]);
    connection.closeSync();
    rmSync(dirname(file), { recursive: true });
  });

  it('are not delivered in ORC, which is logged once', async () => {
    const said: string[] = [];
    const write = (line: string): void => void said.push(line.trimEnd());
    const log = createLogger({ level: 'warn', format: 'text', write });
    await using env = await s3Emulator({ settings: { values: EAGER }, log });
    for (const name of [Bucket, logs]) await env.s3.send(new S3.CreateBucketCommand({ Bucket: name }));
    const Destination = { S3BucketDestination: { Bucket: `arn:aws:s3:::${logs}`, Format: 'ORC' as const } };
    await configure(env, { Destination });
    await env.emulator.control('POST', '/_emulator/clock', { advance: 3 * DAY });
    expect((await contents(env)).size).toBe(0);
    expect(said).toEqual([
      expect.stringMatching(/ inventory lists in ORC are not delivered bucket=a-bucket inventory=all$/),
    ]);
  });

  it('require permission of the destination with policies enforced', async () => {
    await using env = await withTarget({ ...EAGER, EMULATOR_ENFORCE_IAM: true });
    await configure(env);
    expect((await contents(env)).size).toBe(0);
    const Policy = policyText([
      {
        Effect: 'Allow',
        Principal: { Service: 's3.amazonaws.com' },
        Action: 's3:PutObject',
        Resource: `arn:aws:s3:::${logs}/*`,
        Condition: {
          ArnLike: { 'aws:SourceArn': `arn:aws:s3:::${Bucket}` },
          StringEquals: { 's3:x-amz-acl': 'bucket-owner-full-control' },
        },
      },
    ]);
    await env.s3.send(new S3.PutBucketPolicyCommand({ Bucket: logs, Policy }));
    await configure(env);
    expect(listsOf(await contents(env))).toHaveLength(1);
  });

  it('are delivered daily or weekly by the emulated clock', async () => {
    await using env = await withTarget();
    await configure(env, { Schedule: { Frequency: 'Weekly' }, IncludedObjectVersions: 'Current' });
    const advance = (advance: number) => env.emulator.control('POST', '/_emulator/clock', { advance });
    await advance(6 * DAY);
    expect(listsOf(await contents(env))).toHaveLength(1);
    await env.s3.send(new S3.PutObjectCommand({ Bucket, Key: 'later', Body: '' }));
    await advance(DAY + 3_600_000);
    expect(listsOf(await contents(env)).filter((one) => one.includes('"later"'))).toHaveLength(1);
  });

  it('are only stored without eager delivery or with a missing bucket', async () => {
    await using env = await withTarget({});
    await configure(env);
    expect((await contents(env)).size).toBe(0);
    await using eager = await withTarget();
    const Destination = { S3BucketDestination: { Bucket: 'arn:aws:s3:::nobody-has-this', Format: 'CSV' as const } };
    await configure(eager, { Destination });
    expect((await contents(eager)).size).toBe(0);
    expect(await errorOf(configure(eager, { OptionalFields: ['Colour' as 'Size'] }), rejection)).toMatchObject({
      name: 'MalformedXML',
    });
  });
});

describe('storage class analyses', () => {
  const Id = 'docs';
  const configure = ({ s3 }: Env, Filter?: S3.AnalyticsFilter) =>
    s3.send(
      new S3.PutBucketAnalyticsConfigurationCommand({
        Bucket,
        Id,
        AnalyticsConfiguration: {
          Id,
          ...(Filter && { Filter }),
          StorageClassAnalysis: {
            DataExport: {
              OutputSchemaVersion: 'V_1',
              Destination: { S3BucketDestination: { Format: 'CSV', Bucket: `arn:aws:s3:::${logs}`, Prefix: 'sca' } },
            },
          },
        },
      }),
    );
  const advance = ({ emulator }: Env, advance: number) => emulator.control('POST', '/_emulator/clock', { advance });
  const linesOf = async (env: Env): Promise<string[]> =>
    [...(await contents(env))].flatMap(([, body]) => body.toString().trimEnd().split('\n'));
  /** The emulated date, as in reports. */
  const today = ({ emulator }: Env): string => {
    const [year, month, day] = new Date(emulator.kernel.clock.now()).toISOString().slice(0, 10).split('-');
    return `${month}-${day}-${year}`;
  };
  const MiB = 1024 * 1024;

  it('are delivered daily, including earlier days', async () => {
    await using env = await withTarget();
    await configure(env, { And: { Prefix: 'docs/', Tags: [{ Key: 'a', Value: 'b' }] } });
    const put = (Key: string, size: number, extra: Partial<S3.PutObjectCommandInput> = {}) =>
      env.s3.send(new S3.PutObjectCommand({ Bucket, Key, Body: Buffer.alloc(size), Tagging: 'a=b', ...extra }));
    await put('docs/big', MiB);
    await put('docs/small', MiB / 16);
    await put('docs/cold', MiB / 2, { StorageClass: 'STANDARD_IA' });
    await put('docs/untagged', MiB, { Tagging: '' });
    await put('other', MiB);
    const get = async (Key: string, Range?: string) =>
      (await env.s3.send(new S3.GetObjectCommand({ Bucket, Key, Range }))).Body!.transformToByteArray();
    await get('docs/big');
    await get('docs/big', `bytes=0-${MiB / 2 - 1}`);
    await get('docs/small');
    await get('other');
    await advance(env, DAY / 2);
    expect(await linesOf(env)).toEqual([]);
    await advance(env, DAY / 2 + 3_600_000);
    const first = today(env);
    const rows = await linesOf(env);
    expect([...(await contents(env)).keys()]).toEqual([`sca/${Bucket}/${Id}.csv`]);
    expect(rows[0]).toBe(
      'Date,ConfigId,Filter,StorageClass,ObjectAge,ObjectCount,DataUploaded_MB,Storage_MB,DataRetrieved_MB,' +
        'GetRequestCount,CumulativeAccessRatio,ObjectAgeForSIATransition,RecommendedObjectAgeForSIATransition',
    );
    const what = `${first},docs,docs/;a=b`;
    expect(rows.slice(1, 3)).toEqual([
      `${what},STANDARD,000-014,1,1,1,1.5,2,1.5,,`,
      `${what},STANDARD_IA,000-014,1,0.5,0.5,0,0,0,,`,
    ]);
    expect(rows[3]).toBe(`${what},STANDARD,015-029,0,0,0,0,0,,,`);
    expect(rows.slice(-2)).toEqual([
      `${what},STANDARD,ALL,2,1.0625,1.0625,1.5625,3,1.470588,,`,
      `${what},STANDARD_IA,ALL,1,0.5,0.5,0,0,0,,`,
    ]);
    expect(rows).toHaveLength(1 + 2 * 13);
    await advance(env, 20 * DAY);
    const later = await linesOf(env);
    expect(later.filter((row) => row.startsWith(what))).toHaveLength(2 * 13);
    expect(later.at(-2)).toBe(`${today(env)},docs,docs/;a=b,STANDARD,ALL,2,0,1.0625,0,0,0,,`);
    expect(later.filter((row) => row.startsWith(`${today(env)},docs,docs/;a=b,STANDARD,015-029,1,0,1,`))).toHaveLength(
      1,
    );
  });

  it('continue after a restart and end with their configuration', async () => {
    const dataPath = mkdtempSync(join(tmpdir(), 'delivery-test-'));
    const start = () => s3Emulator({ dataPath, settings: { values: EAGER } });
    try {
      {
        await using env = await start();
        for (const name of [Bucket, logs]) await env.s3.send(new S3.CreateBucketCommand({ Bucket: name }));
        await configure(env);
        await env.s3.send(new S3.PutObjectCommand({ Bucket, Key: 'a', Body: Buffer.alloc(MiB) }));
        await advance(env, 26 * 3_600_000);
        await env.s3.send(new S3.PutObjectCommand({ Bucket, Key: 'b', Body: Buffer.alloc(MiB) }));
      }
      await using env = await start();
      expect((await linesOf(env)).filter((row) => row.includes(',ALL,'))).toEqual([
        expect.stringContaining('STANDARD,ALL,1,1,1,'),
      ]);
      await advance(env, 25 * 3_600_000);
      expect((await linesOf(env)).filter((row) => row.includes(',ALL,'))).toEqual([
        expect.stringContaining('STANDARD,ALL,1,1,1,'),
        expect.stringContaining('STANDARD,ALL,2,1,2,'),
      ]);
      await env.s3.send(new S3.DeleteBucketAnalyticsConfigurationCommand({ Bucket, Id }));
      await advance(env, 2 * DAY);
      expect((await linesOf(env)).filter((row) => row.includes(',ALL,'))).toHaveLength(2);
      await configure(env);
      await advance(env, DAY + 3_600_000);
      expect((await linesOf(env)).filter((row) => row.includes(',ALL,'))).toHaveLength(1);
    } finally {
      rmSync(dataPath, { recursive: true });
    }
  });

  it('require permission of the destination with policies enforced', async () => {
    await using env = await withTarget({ ...EAGER, EMULATOR_ENFORCE_IAM: true });
    await configure(env);
    await advance(env, DAY + 3_600_000);
    expect((await contents(env)).size).toBe(0);
    const Policy = policyText([
      {
        Effect: 'Allow',
        Principal: { Service: 's3.amazonaws.com' },
        Action: 's3:PutObject',
        Resource: `arn:aws:s3:::${logs}/*`,
        Condition: {
          ArnLike: { 'aws:SourceArn': `arn:aws:s3:::${Bucket}` },
          StringEquals: { 'aws:SourceAccount': '123456789012', 's3:x-amz-acl': 'bucket-owner-full-control' },
        },
      },
    ]);
    await env.s3.send(new S3.PutBucketPolicyCommand({ Bucket: logs, Policy }));
    await advance(env, DAY + 3_600_000);
    expect((await contents(env)).size).toBe(1);
  });
});
