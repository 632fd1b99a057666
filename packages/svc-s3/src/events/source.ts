import { asService, type CallOptions } from '@emu/core/service';
import type { Bucket } from '../buckets/bucket.ts';
import { bucketArn } from '../resources.ts';

/** Bucket on whose behalf S3 calls other services. */
export interface Source {
  readonly arn: string;
  readonly accountId: string;
  readonly region: string;
}

/** Returns a bucket as source of a call. */
export const sourceOf = (bucket: Bucket): Source => ({
  arn: bucketArn(bucket),
  accountId: bucket.accountId,
  region: bucket.region,
});

/** Returns S3's identity when it calls other services for a bucket. */
export function asS3(source: Source, accountId: string, region: string): CallOptions {
  return {
    accountId,
    region,
    ...asService('s3', source.accountId, source.arn),
  };
}
