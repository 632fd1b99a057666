import type { MeasuredBucket, S3InternalOperations } from '@emu/service-types/internal/s3';
import type { S3Context } from '../context.ts';
import { rowsOfParquet } from '../duckdb/read-parquet.ts';
import { parquetOf } from '../duckdb/write-parquet.ts';
import { findIn } from '../lookup.ts';
import { REQUEST_METRICS } from '../monitoring/request-metrics.ts';
import { propertiesOf } from './bucket-properties.ts';
import { measure } from './storage-measurement.ts';

type Operations = S3InternalOperations;

/**
 * Reads a Parquet file for another service.
 * @returns its rows; iteration throws AwsError `ParquetParsingError` for an invalid file
 */
export function ReadParquet(input: Operations['ReadParquet']['input']): Operations['ReadParquet']['output'] {
  return { Rows: rowsOfParquet(input.Body, input.Columns) };
}

/** Writes a Parquet file for another service; the rows are in memory until it is read. */
export function WriteParquet(input: Operations['WriteParquet']['input']): Operations['WriteParquet']['output'] {
  return { Body: parquetOf(input.Columns, input.Rows) };
}

/** Measures the account's general purpose buckets in all regions, for S3 Storage Lens. */
export async function MeasureStorage(
  input: Operations['MeasureStorage']['input'],
  ctx: S3Context,
): Promise<Operations['MeasureStorage']['output']> {
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
