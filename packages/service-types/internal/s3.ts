import type { ChecksumAlgorithm, ChecksumType } from '../src/s3.ts';

/** An object processed by S3 Batch Operations. */
export interface BatchTarget {
  Bucket: string;
  Key: string;
  VersionId?: string | undefined;
}

/** Checksum result for reports of S3 Batch Operations. */
export interface ComputedChecksum {
  checksum_base64: string;
  etag: string | undefined;
  checksumAlgorithm: ChecksumAlgorithm;
  checksumType: ChecksumType;
  checksum_hex: string;
}

/** A value of a row; undefined for a missing one. Times are epoch milliseconds. */
export type ParquetValue = string | number | boolean | undefined;

/** A column of a Parquet file. */
export interface ParquetColumn {
  readonly name: string;
  readonly type: 'string' | 'long' | 'boolean' | 'timestamp';
}

/** An object as seen by groups of S3 Storage Lens. */
export interface MeasuredObject {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** Epoch milliseconds. */
  readonly lastModified: number;
  readonly tags: readonly { readonly Key: string; readonly Value: string }[];
}

/** Sums over the objects of a storage class with a common property. */
export interface StorageSums {
  /** Value of that property, as named in the request. */
  readonly label: string;
  readonly storageClass: string;
  readonly metrics: Readonly<Record<string, number>>;
}

/** Metrics of a bucket that are independent of the storage class, by their category. */
export type MetricCategory = 'free' | 'costOptimization' | 'dataProtection' | 'activity' | 'statusCodes';

/** Measurements of a bucket for S3 Storage Lens. */
export interface MeasuredBucket {
  readonly name: string;
  readonly region: string;
  readonly storage: readonly StorageSums[];
  readonly metrics: Readonly<Record<MetricCategory, Readonly<Record<string, number>>>>;
}

/** Internal operations of S3 for S3 Control. */
export interface S3InternalOperations {
  ComputeObjectChecksum: {
    input: BatchTarget & { algorithm?: ChecksumAlgorithm | undefined; type?: ChecksumType | undefined };
    output: ComputedChecksum;
  };
  MeasureStorage: {
    input: {
      /** Requested buckets. */
      Covers(bucket: { name: string; region: string }): boolean;
      /** Groupings of the objects of a bucket. */
      LabelsOf(object: MeasuredObject): Iterable<string>;
      /** Day (UTC) of the requests, `YYYY-MM-DD`. */
      Day: string;
    };
    output: { Buckets: MeasuredBucket[] };
  };
  ReadParquet: {
    input: { Body: AsyncIterable<Uint8Array>; Columns: readonly string[] };
    /** Iterating over the rows throws AwsError `ParquetParsingError` for an invalid Parquet file. */
    output: { Rows: AsyncIterable<readonly (string | undefined)[]> };
  };
  ReplicateObject: { input: BatchTarget; output: Record<string, never> };
  WriteParquet: {
    input: { Columns: readonly ParquetColumn[]; Rows: Iterable<readonly ParquetValue[]> };
    output: { Body: AsyncIterable<Uint8Array> };
  };
}
