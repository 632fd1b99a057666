import type { DeepReadonly } from '@emu/core/service';
import type { MeasuredBucket, MetricCategory } from '@emu/service-types/internal/s3';
import type { AccountLevel, BucketLevel } from '@emu/service-types/s3control';
import { encodedKey } from '../jobs/encoding.ts';
import { labelOf, type RecordType } from './labels.ts';

/** An export row, without the members common to all rows. */
export interface MetricRow {
  readonly region: string;
  /** Empty for metrics without storage class. */
  readonly storageClass: string;
  readonly recordType: RecordType;
  /** A percent-encoded prefix, or the ARN of a group; empty for accounts and buckets. */
  readonly recordValue: string;
  readonly bucket: string;
  readonly metric: string;
  readonly value: number;
}

/** Returns the metric categories enabled by a level of a dashboard. */
function categoriesOf(level: DeepReadonly<BucketLevel | Omit<AccountLevel, 'BucketLevel'>>): MetricCategory[] {
  return [
    'free',
    ...(level.AdvancedCostOptimizationMetrics?.IsEnabled ? (['costOptimization'] as const) : []),
    ...(level.AdvancedDataProtectionMetrics?.IsEnabled ? (['dataProtection'] as const) : []),
    ...(level.ActivityMetrics?.IsEnabled ? (['activity'] as const) : []),
    ...(level.DetailedStatusCodesMetrics?.IsEnabled ? (['statusCodes'] as const) : []),
  ];
}

/** Rows by aggregation, so that buckets' rows can be summed up for the account. */
class Sums {
  private readonly rows = new Map<string, Omit<MetricRow, 'value'> & { value: number }>();

  add(row: MetricRow): void {
    const { region, storageClass, recordType, recordValue, metric, value } = row;
    const key = [region, storageClass, recordType, metric, recordValue].join('/');
    const found = this.rows.get(key);
    if (found) found.value += value;
    else this.rows.set(key, { ...row });
  }

  values(): Iterable<MetricRow> {
    return this.rows.values();
  }
}

const ACCOUNT_TYPES = { BUCKET: 'ACCOUNT', GROUP: 'STORAGE_LENS_GROUP_ACCOUNT' } as const;
const BUCKET_TYPES = { BUCKET: 'BUCKET', PREFIX: 'PREFIX', GROUP: 'STORAGE_LENS_GROUP_BUCKET' } as const;

/**
 * Yields the rows of an export: of the account by region, then of buckets, their prefixes and groups.
 * @param minPercentage minimum percentage of a bucket's bytes for prefixes
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage_lens_understanding_metrics_export_schema.html
 */
export function* rowsOf(
  buckets: readonly MeasuredBucket[],
  account: DeepReadonly<AccountLevel>,
  minPercentage: number,
): Generator<MetricRow> {
  const ofAccount = new Sums();
  const ofBuckets: MetricRow[] = [];
  for (const bucket of buckets) {
    for (const row of storageRows(bucket, minPercentage)) {
      const type = row.recordType === 'BUCKET' ? 'BUCKET' : row.recordType === 'PREFIX' ? undefined : 'GROUP';
      if (type) ofAccount.add({ ...row, recordType: ACCOUNT_TYPES[type], bucket: '' });
      ofBuckets.push(row);
    }
    const { region, name } = bucket;
    const rest = { region, storageClass: '', recordValue: '' };
    for (const category of categoriesOf(account))
      for (const [metric, value] of Object.entries(bucket.metrics[category]))
        ofAccount.add({ ...rest, recordType: 'ACCOUNT', bucket: '', metric, value });
    for (const category of categoriesOf(account.BucketLevel))
      for (const [metric, value] of Object.entries(bucket.metrics[category]))
        ofBuckets.push({ ...rest, recordType: 'BUCKET', bucket: name, metric, value });
  }
  yield* ofAccount.values();
  yield* ofBuckets;
}

function* storageRows({ name, region, storage }: MeasuredBucket, minPercentage: number): Generator<MetricRow> {
  const bytes = new Map<string, number>();
  for (const { label, metrics } of storage) bytes.set(label, (bytes.get(label) ?? 0) + (metrics.StorageBytes ?? 0));
  const total = bytes.get('BUCKET:') ?? 0;
  for (const { label, storageClass, metrics } of storage) {
    const { type, value } = labelOf(label);
    if (type === 'PREFIX' && (total === 0 || bytes.get(label)! * 100 < total * minPercentage)) continue;
    const recordValue = type === 'PREFIX' ? encodedKey(value) : value;
    for (const [metric, number] of Object.entries(metrics))
      yield { region, storageClass, recordType: BUCKET_TYPES[type], recordValue, bucket: name, metric, value: number };
  }
}
