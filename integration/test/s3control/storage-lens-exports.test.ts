import { createHash } from 'node:crypto';
import * as S3 from '@aws-sdk/client-s3';
import type { StorageLensConfiguration } from '@aws-sdk/client-s3-control';
import { policyText } from '@emu/gateway/testing';
import { expect, it } from 'vitest';
import { ACCOUNT as AccountId, type ControlTest, start } from './support.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ConfigId = 'dashboard';
const COLUMNS =
  'version_number,configuration_id,report_date,aws_account_number,aws_region,storage_class,record_type,record_value,' +
  'bucket_name,metric_name,metric_value';
/** A day in the future. */
const NOON = Math.ceil(Date.now() / DAY) * DAY + DAY / 2;
/** Returns a day relative to it. */
const day = (count: number): string => new Date(NOON + count * DAY).toISOString().slice(0, 10);

async function withBuckets(values: object = {}): Promise<ControlTest> {
  const test = await start({ settings: { values: { EMULATOR_S3_EAGER_DELIVERY: true, ...values } } });
  const { clock } = test.emulator.kernel;
  await clock.advance(NOON - clock.now());
  for (const Bucket of ['data', 'more', 'exports']) await test.s3.send(new S3.CreateBucketCommand({ Bucket }));
  return test;
}

const configure = (
  { control }: ControlTest,
  more: Partial<StorageLensConfiguration> = {},
  Format: 'CSV' | 'Parquet' = 'CSV',
) =>
  control.putStorageLensConfiguration({
    AccountId,
    ConfigId,
    StorageLensConfiguration: {
      Id: ConfigId,
      IsEnabled: true,
      AccountLevel: { BucketLevel: {} },
      Exclude: { Buckets: ['arn:aws:s3:::exports'] },
      DataExport: {
        S3BucketDestination: {
          Format,
          OutputSchemaVersion: 'V_1',
          AccountId,
          Arn: 'arn:aws:s3:::exports',
          Prefix: 'lens',
          Encryption: { SSES3: {} },
        },
      },
      ...more,
    },
  });

const advance = ({ emulator }: ControlTest, time: number) => emulator.kernel.clock.advance(time);

const put = ({ s3 }: ControlTest, Bucket: string, Key: string, size: number, more: object = {}) =>
  s3.send(new S3.PutObjectCommand({ Bucket, Key, Body: Buffer.alloc(size), ...more }));

/** Returns exported objects by key. */
async function exported({ s3 }: ControlTest): Promise<Map<string, Buffer>> {
  const { Contents = [] } = await s3.send(new S3.ListObjectsV2Command({ Bucket: 'exports' }));
  const found = new Map<string, Buffer>();
  for (const { Key } of Contents) {
    const { Body } = await s3.send(new S3.GetObjectCommand({ Bucket: 'exports', Key }));
    found.set(Key!, Buffer.from(await Body!.transformToByteArray()));
  }
  return found;
}

const base = `lens/StorageLens/${AccountId}/${ConfigId}/V_1`;

/** Returns the metrics of a day: values by region, class, record type, record value, bucket and metric. */
async function metricsOf(test: ControlTest, date: string): Promise<Record<string, number>> {
  const [, body] = [...(await exported(test))].find(([key]) => key.startsWith(`${base}/reports/dt=${date}/`))!;
  const [header, ...lines] = body.toString().trimEnd().split('\n');
  expect(header).toBe(COLUMNS);
  return Object.fromEntries(
    lines.map((line) => {
      const [version, id, reported, account, ...rest] = line.split(',');
      expect([version, id, reported, account]).toEqual(['V_1', ConfigId, date, AccountId]);
      return [rest.slice(0, -1).join(' '), Number(rest.at(-1))];
    }),
  );
}

it('writes storage metrics after each day', async () => {
  await using test = await withBuckets();
  const { s3 } = test;
  await s3.send(new S3.PutBucketVersioningCommand({ Bucket: 'data', VersioningConfiguration: { Status: 'Enabled' } }));
  await put(test, 'data', 'a', 100);
  await put(test, 'data', 'a', 50);
  await put(test, 'data', 'cold', 10, { StorageClass: 'STANDARD_IA' });
  await s3.send(new S3.DeleteObjectCommand({ Bucket: 'data', Key: 'cold' }));
  await put(test, 'more', 'b', 7);
  const { UploadId } = await s3.send(new S3.CreateMultipartUploadCommand({ Bucket: 'more', Key: 'c' }));
  await s3.send(new S3.UploadPartCommand({ Bucket: 'more', Key: 'c', UploadId, PartNumber: 1, Body: 'part' }));
  await configure(test);
  await advance(test, 11 * HOUR);
  expect((await exported(test)).size).toBe(0);
  await advance(test, 2 * HOUR);
  const found = await exported(test);
  const [manifestKey, reportKey] = [...found.keys()];
  expect(manifestKey).toBe(`${base}/manifests/dt=${day(0)}/manifest.json`);
  expect(reportKey).toMatch(/\/V_1\/reports\/dt=[\d-]{10}\/[0-9a-f-]{36}\.csv$/);
  expect(reportKey).toContain(`/dt=${day(0)}/`);
  const report = found.get(reportKey!)!;
  expect(JSON.parse(found.get(manifestKey!)!.toString())).toEqual({
    sourceAccountId: AccountId,
    configId: ConfigId,
    destinationBucket: 'arn:aws:s3:::exports',
    reportVersion: 'V_1',
    reportDate: day(0),
    reportFormat: 'CSV',
    reportSchema: COLUMNS,
    reportFiles: [{ key: reportKey, size: report.length, md5Checksum: createHash('md5').update(report).digest('hex') }],
  });
  const metrics = await metricsOf(test, day(0));
  expect(metrics).toMatchObject({
    'us-east-1 STANDARD BUCKET  data StorageBytes': 154,
    'us-east-1 STANDARD BUCKET  data ObjectCount': 3,
    'us-east-1 STANDARD BUCKET  data CurrentVersionStorageBytes': 50,
    'us-east-1 STANDARD BUCKET  data NonCurrentVersionObjectCount': 1,
    'us-east-1 STANDARD BUCKET  data DeleteMarkerStorageBytes': 4,
    'us-east-1 STANDARD_IA BUCKET  data NonCurrentVersionStorageBytes': 10,
    'us-east-1 STANDARD_IA BUCKET  data EncryptedObjectCount': 1,
    'us-east-1 STANDARD BUCKET  more IncompleteMultipartUploadStorageBytes': 4,
    'us-east-1 STANDARD BUCKET  more IncompleteMPUObjectCountOlderThan7Days': 0,
    'us-east-1 STANDARD ACCOUNT   StorageBytes': 165,
    'us-east-1 STANDARD ACCOUNT   ObjectCount': 5,
    'us-east-1  ACCOUNT   VersioningEnabledBucketCount': 1,
    'us-east-1  ACCOUNT   ObjectOwnershipBucketOwnerEnforcedBucketCount': 2,
    'us-east-1  BUCKET  more VersioningEnabledBucketCount': 0,
  });
  expect(Object.keys(metrics).filter((key) => /exports|PREFIX|Requests|Rule/.test(key))).toEqual([]);
  await advance(test, 8 * DAY);
  const days = [...(await exported(test)).keys()].filter((key) => key.includes('/manifests/'));
  expect(days.map((key) => /dt=(.*)\//.exec(key)![1])).toEqual(Array.from({ length: 9 }, (_, i) => day(i)));
  const last = await metricsOf(test, day(8));
  expect(last['us-east-1 STANDARD BUCKET  more IncompleteMPUObjectCountOlderThan7Days']).toBe(1);
  await configure(test, { IsEnabled: false });
  await advance(test, 2 * DAY);
  expect((await exported(test)).size).toBe(18);
});

it('writes advanced metrics, prefixes and groups if configured', async () => {
  await using test = await withBuckets();
  const { s3, control } = test;
  const elsewhere = test.s3Of({ region: 'eu-west-1' });
  await elsewhere.send(
    new S3.CreateBucketCommand({ Bucket: 'far', CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' } }),
  );
  const on = { IsEnabled: true };
  const level = {
    ActivityMetrics: on,
    DetailedStatusCodesMetrics: on,
    AdvancedCostOptimizationMetrics: on,
    AdvancedDataProtectionMetrics: on,
  };
  const group = (Name: string, Filter: object) =>
    control.createStorageLensGroup({ AccountId, StorageLensGroup: { Name, Filter } });
  await group('logs', { And: { MatchAnySuffix: ['.log'], MatchObjectSize: { BytesGreaterThan: 1 } } });
  await group('tagged', { Or: { MatchAnyTag: [{ Key: 'k', Value: 'v' }], MatchAnyPrefix: ['x/'] } });
  await group('others', { MatchAnyPrefix: ['a/'] });
  const arn = (name: string) => `arn:aws:s3:us-east-1:${AccountId}:storage-lens-group/${name}`;
  const SelectionCriteria = { Delimiter: '/', MaxDepth: 2, MinStorageBytesPercentage: 10 };
  await configure(test, {
    AccountLevel: {
      ...level,
      BucketLevel: { ...level, PrefixLevel: { StorageMetrics: { IsEnabled: true, SelectionCriteria } } },
      StorageLensGroupLevel: { SelectionCriteria: { Exclude: [arn('others')] } },
    },
  });
  await s3.send(
    new S3.PutBucketLifecycleConfigurationCommand({
      Bucket: 'data',
      LifecycleConfiguration: {
        Rules: [
          { ID: 'a', Status: 'Enabled', Filter: { Prefix: 'tmp/' }, Expiration: { Days: 400 } },
          {
            ID: 'b',
            Status: 'Enabled',
            Filter: { Prefix: '' },
            AbortIncompleteMultipartUpload: { DaysAfterInitiation: 3 },
          },
        ],
      },
    }),
  );
  await put(test, 'data', 'a/b c/d/one.log', 60);
  await put(test, 'data', 'a/two', 39, { Tagging: 'k=v' });
  await put(test, 'data', 'x/three.log', 1);
  await put(test, 'far', 'four.log', 5);
  await s3.send(new S3.GetObjectCommand({ Bucket: 'data', Key: 'a/two' }));
  await s3.send(new S3.GetObjectCommand({ Bucket: 'data', Key: 'a/two', Range: 'bytes=0-8' }));
  await s3.send(new S3.HeadObjectCommand({ Bucket: 'data', Key: 'nothing' })).catch(() => undefined);
  await s3.send(new S3.ListObjectsV2Command({ Bucket: 'data' }));
  await advance(test, 13 * HOUR);
  const metrics = await metricsOf(test, day(0));
  expect(metrics).toMatchObject({
    'us-east-1 STANDARD PREFIX a/ data StorageBytes': 99,
    'us-east-1 STANDARD PREFIX a/b%20c/ data ObjectCount': 1,
    [`us-east-1 STANDARD STORAGE_LENS_GROUP_BUCKET ${arn('logs')} data StorageBytes`]: 60,
    [`us-east-1 STANDARD STORAGE_LENS_GROUP_ACCOUNT ${arn('logs')}  StorageBytes`]: 60,
    [`eu-west-1 STANDARD STORAGE_LENS_GROUP_ACCOUNT ${arn('logs')}  StorageBytes`]: 5,
    [`us-east-1 STANDARD STORAGE_LENS_GROUP_BUCKET ${arn('tagged')} data StorageBytes`]: 40,
    'us-east-1  BUCKET  data TotalLifecycleRuleCount': 2,
    'us-east-1  BUCKET  data ExpirationLifecycleRuleCount': 1,
    'us-east-1  ACCOUNT   AbortIncompleteMPULifecycleRuleCount': 1,
    'us-east-1  BUCKET  data CrossRegionReplicationRuleCount': 0,
    'us-east-1  BUCKET  data GetRequests': 2,
    'us-east-1  BUCKET  data PutRequests': 3,
    'us-east-1  BUCKET  data HeadRequests': 1,
    'us-east-1  BUCKET  data ListRequests': 1,
    'us-east-1  BUCKET  data AllRequests': 9,
    'us-east-1  BUCKET  data 4xxErrors': 1,
    'us-east-1  BUCKET  data 404NotFoundErrorCount': 1,
    'us-east-1  BUCKET  data 206PartialContentStatusCount': 1,
    'eu-west-1  ACCOUNT   PutRequests': 1,
  });
  expect(metrics['us-east-1  BUCKET  data BytesDownloaded']).toBeGreaterThanOrEqual(48);
  expect(metrics['us-east-1  BUCKET  data BytesUploaded']).toBeGreaterThanOrEqual(100);
  expect(Object.keys(metrics).filter((key) => / PREFIX (x|a\/b%20c\/d)\//.test(key) || /others/.test(key))).toEqual([]);
  await advance(test, DAY);
  expect((await metricsOf(test, day(1)))['us-east-1  BUCKET  data AllRequests']).toBe(0);
});

it('writes Parquet as well', async () => {
  await using test = await withBuckets();
  await put(test, 'data', 'a', 100);
  await configure(test, {}, 'Parquet');
  await advance(test, 13 * HOUR);
  const found = await exported(test);
  const manifest = JSON.parse(found.get(`${base}/manifests/dt=${day(0)}/manifest.json`)!.toString());
  expect(manifest).toMatchObject({
    reportFormat: 'Parquet',
    reportSchema:
      'message s3.storage.lens { required string version_number; required string configuration_id; ' +
      'required string report_date; required string aws_account_number; required string aws_region; ' +
      'required string storage_class; required string record_type; required string record_value; ' +
      'required string bucket_name; required string metric_name; required long metric_value; }',
  });
  const [{ key: Key, size }] = manifest.reportFiles;
  expect(Key).toMatch(/\.par$/);
  expect(size).toBe(found.get(Key)!.length);
  const { Payload } = await test.s3.send(
    new S3.SelectObjectContentCommand({
      Bucket: 'exports',
      Key,
      ExpressionType: 'SQL',
      Expression:
        "SELECT * FROM S3Object s WHERE s.metric_name = 'StorageBytes' AND s.record_type = 'BUCKET' AND s.metric_value > 99",
      InputSerialization: { Parquet: {} },
      OutputSerialization: { JSON: {} },
    }),
  );
  let text = '';
  for await (const { Records } of Payload!) text += Buffer.from(Records?.Payload ?? '').toString();
  expect(JSON.parse(text)).toEqual({
    version_number: 'V_1',
    configuration_id: ConfigId,
    report_date: day(0),
    aws_account_number: AccountId,
    aws_region: 'us-east-1',
    storage_class: 'STANDARD',
    record_type: 'BUCKET',
    record_value: '',
    bucket_name: 'data',
    metric_name: 'StorageBytes',
    metric_value: 100,
  });
});

it('requires permission of the destination if policies are enforced, and enabled delivery', async () => {
  {
    await using quiet = await withBuckets({ EMULATOR_S3_EAGER_DELIVERY: false });
    await configure(quiet);
    await advance(quiet, 2 * DAY);
    expect((await exported(quiet)).size).toBe(0);
  }
  await using test = await withBuckets({ EMULATOR_ENFORCE_IAM: true });
  await configure(test);
  await advance(test, 13 * HOUR);
  expect((await exported(test)).size).toBe(0);
  const Policy = policyText([
    {
      Effect: 'Allow',
      Principal: { Service: 'storage-lens.s3.amazonaws.com' },
      Action: 's3:PutObject',
      Resource: `arn:aws:s3:::exports/lens/StorageLens/${AccountId}/*`,
      Condition: {
        StringEquals: {
          's3:x-amz-acl': 'bucket-owner-full-control',
          'aws:SourceAccount': AccountId,
          'aws:SourceArn': `arn:aws:s3:us-east-1:${AccountId}:storage-lens/${ConfigId}`,
        },
      },
    },
  ]);
  await test.s3.send(new S3.PutBucketPolicyCommand({ Bucket: 'exports', Policy }));
  await advance(test, DAY);
  expect((await exported(test)).size).toBe(2);
});
