import { createHash } from 'node:crypto';
import { asService, type CallOptions, type DeepReadonly, type StateScope } from '@emu/core/service';
import type { MeasuredObject } from '@emu/service-types/internal/s3';
import type { PutObjectRequest } from '@emu/service-types/s3';
import type { StorageLensConfiguration } from '@emu/service-types/s3control';
import { bytesOf, csvLine, under } from '../jobs/encoding.ts';
import { isInGroup } from './group-filter.ts';
import { labelsOf, Prefixes } from './labels.ts';
import type { StorageLensGroupRecord } from './records.ts';
import { type MetricRow, rowsOf } from './rows.ts';

type Configuration = DeepReadonly<StorageLensConfiguration>;

/** Principal of Storage Lens. */
const SERVICE = 'storage-lens.s3';
const VERSION = 'V_1';

const COLUMNS = [
  'version_number',
  'configuration_id',
  'report_date',
  'aws_account_number',
  'aws_region',
  'storage_class',
  'record_type',
  'record_value',
  'bucket_name',
  'metric_name',
  'metric_value',
] as const;

/** `reportSchema` of an export in Parquet. */
const PARQUET_SCHEMA = `message s3.storage.lens { ${COLUMNS.map(
  (name) => `required ${name === 'metric_value' ? 'long' : 'string'} ${name};`,
).join(' ')} }`;

/** Export of a dashboard for one day. */
export interface StorageLensExport {
  readonly configuration: Configuration;
  /** ARN of the dashboard. */
  readonly arn: string;
  /** Reported day, `YYYY-MM-DD`. */
  readonly date: string;
  /** Id of the exporting run. */
  readonly run: string;
  /** Groups of the dashboard's region with their ARNs. */
  readonly groups: readonly { readonly arn: string; readonly record: DeepReadonly<StorageLensGroupRecord> }[];
}

/** Whether a dashboard includes a bucket. */
function covers({ Include, Exclude }: Configuration, { name, region }: { name: string; region: string }): boolean {
  const named = (arns: readonly string[] | undefined) => arns?.some((arn) => arn.endsWith(`:::${name}`));
  if (named(Exclude?.Buckets) || Exclude?.Regions?.includes(region)) return false;
  return named(Include?.Buckets) !== false && Include?.Regions?.includes(region) !== false;
}

/** Measures an account's storage for a dashboard. */
async function rowsFor(
  { configuration, date, groups, run }: StorageLensExport,
  scope: StateScope,
): Promise<MetricRow[]> {
  const { AccountLevel: account, PrefixDelimiter } = configuration;
  const { StorageLensGroupLevel: groupLevel } = account;
  const prefixMetrics = account.BucketLevel.PrefixLevel?.StorageMetrics;
  const prefixes = prefixMetrics?.IsEnabled
    ? new Prefixes(prefixMetrics.SelectionCriteria, PrefixDelimiter)
    : undefined;
  const { Include, Exclude } = groupLevel?.SelectionCriteria ?? {};
  const now = scope.clock.now();
  const chosen = (groupLevel ? groups : [])
    .filter(({ arn }) => !Exclude?.includes(arn) && (Include?.includes(arn) ?? true))
    .map(({ arn, record }) => ({ arn, matches: (object: MeasuredObject) => isInGroup(record.filter, object, now) }));
  const { Buckets } = await scope.call(
    's3',
    'MeasureStorage',
    {
      Covers: (bucket) => covers(configuration, bucket),
      LabelsOf: (object) => labelsOf(object, prefixes, chosen),
      Day: date,
    },
    { cause: run },
  );
  return [...rowsOf(Buckets, account, prefixes?.percentage ?? 0)];
}

/** Returns the encryption of an export according to its configuration. */
function encryptionOf({ DataExport }: Configuration): Pick<PutObjectRequest, 'ServerSideEncryption' | 'SSEKMSKeyId'> {
  const { SSEKMS, SSES3 } = DataExport?.S3BucketDestination?.Encryption ?? {};
  if (SSEKMS) return { ServerSideEncryption: 'aws:kms', SSEKMSKeyId: SSEKMS.KeyId };
  return SSES3 ? { ServerSideEncryption: 'AES256' } : {};
}

/**
 * Writes a dashboard's metrics export and its manifest to the destination bucket.
 * @throws AwsError if the bucket is missing or denies access
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage_lens_view_metrics_export.html
 */
export async function writeExport(lens: StorageLensExport, scope: StateScope): Promise<void> {
  const { configuration, arn, date, run } = lens;
  const { accountId, region } = scope;
  const destination = configuration.DataExport!.S3BucketDestination!;
  const base = under(destination.Prefix, `StorageLens/${accountId}/${configuration.Id}/${VERSION}`);
  const options: CallOptions = {
    ...asService(SERVICE, accountId, arn),
    region,
    cause: run,
  };
  const write = (Key: string, Body: string | AsyncIterable<Uint8Array>, ContentType: string): Promise<unknown> =>
    scope.call(
      's3',
      'PutObject',
      {
        Bucket: destination.Arn.slice(destination.Arn.lastIndexOf(':') + 1),
        Key,
        Body,
        ContentType,
        ACL: 'bucket-owner-full-control',
        ExpectedBucketOwner: destination.AccountId,
        ...encryptionOf(configuration),
      },
      options,
    );
  const lines = (await rowsFor(lens, scope)).map((row): (string | number)[] => [
    VERSION,
    configuration.Id,
    date,
    accountId,
    row.region,
    row.storageClass,
    row.recordType,
    row.recordValue,
    row.bucket,
    row.metric,
    row.value,
  ]);
  const parquet = destination.Format === 'Parquet';
  const body = parquet ? await parquetOf(lines, scope) : bytesOf([COLUMNS, ...lines].map(csvLine));
  const md5 = createHash('md5');
  let size = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      md5.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  }
  const key = `${base}/reports/dt=${date}/${scope.ids.uuid()}.${parquet ? 'par' : 'csv'}`;
  await write(key, counted(), parquet ? 'application/octet-stream' : 'text/csv');
  const manifest = {
    sourceAccountId: accountId,
    configId: configuration.Id,
    destinationBucket: destination.Arn,
    reportVersion: VERSION,
    reportDate: date,
    reportFormat: destination.Format,
    reportSchema: parquet ? PARQUET_SCHEMA : COLUMNS.join(','),
    reportFiles: [{ key, size, md5Checksum: md5.digest('hex') }],
  };
  await write(`${base}/manifests/dt=${date}/manifest.json`, JSON.stringify(manifest, null, 2), 'application/json');
}

async function parquetOf(lines: (string | number)[][], scope: StateScope): Promise<AsyncIterable<Uint8Array>> {
  const Columns = COLUMNS.map((name) => ({
    name,
    type: name === 'metric_value' ? ('long' as const) : ('string' as const),
  }));
  const { Body } = await scope.call('s3', 'WriteParquet', {
    Columns,
    Rows: lines,
  });
  return Body;
}
