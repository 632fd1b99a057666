import { asService, type CallOptions } from '@emu/core/service';
import type { Bucket } from '../buckets/bucket.ts';
import { bucketArn } from '../resources.ts';

/** The bucket on whose behalf S3 calls others. */
export interface Source {
  readonly arn: string;
  readonly accountId: string;
  readonly region: string;
}

/** A bucket as others see who calls them. */
export const sourceOf = (bucket: Bucket): Source => ({
  arn: bucketArn(bucket),
  accountId: bucket.accountId,
  region: bucket.region,
});

/** S3 itself, as which it calls others for a bucket. */
export function asS3(source: Source, accountId: string, region: string): CallOptions {
  return {
    accountId,
    region,
    ...asService('s3', source.accountId, source.arn),
  };
}
