import type { ChecksumAlgorithm, ChecksumType } from '../src/s3.ts';

/** An object that S3 Batch Operations has something done to. */
export interface BatchTarget {
  Bucket: string;
  Key: string;
  VersionId?: string | undefined;
}

/** What S3 Batch Operations reports of a checksum. */
export interface ComputedChecksum {
  checksum_base64: string;
  etag: string | undefined;
  checksumAlgorithm: ChecksumAlgorithm;
  checksumType: ChecksumType;
  checksum_hex: string;
}

/** A value of a row; undefined where there is none. Points in time are epoch milliseconds. */
export type ParquetValue = string | number | boolean | undefined;

/** A column of a Parquet file. */
export interface ParquetColumn {
  readonly name: string;
  readonly type: 'string' | 'long' | 'boolean' | 'timestamp';
}

/** An object as groups of S3 Storage Lens and its prefixes see it. */
export interface MeasuredObject {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** Epoch milliseconds. */
  readonly lastModified: number;
  readonly tags: readonly { readonly Key: string; readonly Value: string }[];
}

/** The objects of a storage class that something has in common, summed up. */
export interface StorageSums {
  /** What they have in common, as whoever asks named it. */
  readonly label: string;
  readonly storageClass: string;
  readonly metrics: Readonly<Record<string, number>>;
}

/** Metrics of a bucket that no storage class has, by what turns them on. */
export type MetricCategory = 'free' | 'costOptimization' | 'dataProtection' | 'activity' | 'statusCodes';

/** A bucket as S3 Storage Lens measures it. */
export interface MeasuredBucket {
  readonly name: string;
  readonly region: string;
  readonly storage: readonly StorageSums[];
  readonly metrics: Readonly<Record<MetricCategory, Readonly<Record<string, number>>>>;
}

/** What S3 does for S3 Control without an API of AWS's. */
export interface S3InternalOperations {
  ComputeObjectChecksum: {
    input: BatchTarget & { algorithm?: ChecksumAlgorithm | undefined; type?: ChecksumType | undefined };
    output: ComputedChecksum;
  };
  MeasureStorage: {
    input: {
      /** Which buckets are asked for. */
      Covers(bucket: { name: string; region: string }): boolean;
      /** What an object of a bucket is summed up by. */
      LabelsOf(object: MeasuredObject): Iterable<string>;
      /** The day (UTC) of the requests, `YYYY-MM-DD`. */
      Day: string;
    };
    output: { Buckets: MeasuredBucket[] };
  };
  ReadParquet: {
    input: { Body: AsyncIterable<Uint8Array>; Columns: readonly string[] };
    /** Going through the rows throws AwsError `ParquetParsingError` where the body is no Parquet. */
    output: { Rows: AsyncIterable<readonly (string | undefined)[]> };
  };
  ReplicateObject: { input: BatchTarget; output: Record<string, never> };
  WriteParquet: {
    input: { Columns: readonly ParquetColumn[]; Rows: Iterable<readonly ParquetValue[]> };
    output: { Body: AsyncIterable<Uint8Array> };
  };
}
