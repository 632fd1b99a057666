import { findIn, type S3Context } from '../buckets/lookup.ts';
import { rowsOfParquet } from '../duckdb/read-parquet.ts';
import { type ParquetColumn, type ParquetValue, parquetOf } from '../duckdb/write-parquet.ts';
import { REQUEST_METRICS } from '../monitoring/request-metrics.ts';
import { type BucketProperties, propertiesOf } from './bucket-properties.ts';
import { type MeasuredObject, measure, type StorageSums } from './storage-measurement.ts';

/**
 * Reads a Parquet file for another service.
 * @returns its rows; going through them throws AwsError `ParquetParsingError` where it is none
 */
export function ReadParquet(input: { Body: AsyncIterable<Uint8Array>; Columns: readonly string[] }): {
  Rows: AsyncIterable<readonly (string | undefined)[]>;
} {
  return { Rows: rowsOfParquet(input.Body, input.Columns) };
}

/** Writes a Parquet file for another service; the rows are in memory until it is read. */
export function WriteParquet(input: { Columns: readonly ParquetColumn[]; Rows: Iterable<readonly ParquetValue[]> }): {
  Body: AsyncIterable<Uint8Array>;
} {
  return { Body: parquetOf(input.Columns, input.Rows) };
}

/** A bucket as S3 Storage Lens measures it. */
export interface MeasuredBucket {
  readonly name: string;
  readonly region: string;
  readonly storage: readonly StorageSums[];
  /** Metrics that no storage class has, by what turns them on. */
  readonly metrics: BucketProperties & Record<'activity' | 'statusCodes', Readonly<Record<string, number>>>;
}

/** Measures the account's general purpose buckets, in all regions, for S3 Storage Lens. */
export async function MeasureStorage(
  input: {
    /** Which buckets are asked for. */
    Covers(bucket: { name: string; region: string }): boolean;
    /** What an object of a bucket is summed up by. */
    LabelsOf(object: MeasuredObject): Iterable<string>;
    /** The day (UTC) of the requests, `YYYY-MM-DD`. */
    Day: string;
  },
  ctx: S3Context,
): Promise<{ Buckets: MeasuredBucket[] }> {
  const Buckets: MeasuredBucket[] = [];
  for (const bucket of ctx.state.buckets()) {
    const { name, region } = bucket;
    if (bucket.record.directory || !input.Covers({ name, region })) continue;
    const storage = await measure(bucket, (object) => input.LabelsOf(object), ctx.clock.now());
    const properties = propertiesOf(bucket, (other) => findIn(ctx.handle, other));
    const counts = ctx.state.requests.of(name, input.Day);
    const requests = (names: readonly string[]): Record<string, number> =>
      Object.fromEntries(names.map((metric) => [metric, counts[metric] ?? 0]));
    Buckets.push({
      name,
      region,
      storage,
      metrics: {
        ...properties,
        dataProtection: { ...properties.dataProtection, ...requests(REQUEST_METRICS.dataProtection) },
        activity: requests(REQUEST_METRICS.activity),
        statusCodes: requests(REQUEST_METRICS.statusCodes),
      },
    });
  }
  return { Buckets };
}
