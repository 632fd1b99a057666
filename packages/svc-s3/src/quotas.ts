import { type AnyQuota, defineQuotas, type NumberQuota } from '@emu/core/service';
import type { S3Operations } from '@emu/service-types/s3';
import { isDirectoryName } from './directory-buckets/restrictions.ts';
import { s3Error } from './errors.ts';
import type { S3State } from './state.ts';

/** Declares the maximum number of buckets of a kind per account. */
const buckets = (
  code: string,
  name: string,
  defaultValue: number,
  page: string,
  kind: 'general-purpose' | 'directory',
): NumberQuota<S3Operations, S3State> => ({
  serviceCode: 's3',
  code,
  name,
  defaultValue,
  adjustable: true,
  global: true,
  page,
  usage: (state) => state.bucketNumber(kind),
  grows: {
    CreateBucket: ({ Bucket: bucket }, state) =>
      isDirectoryName(bucket) !== (kind === 'directory') || state.bucket(bucket)
        ? undefined
        : state.bucketNumber(kind) + 1,
  },
  error: () => s3Error('TooManyBuckets', 'You have attempted to create more buckets than allowed', { status: 400 }),
});

/** Enforceable quotas of S3; those of access points belong to S3 Control. */
export const quotas: readonly AnyQuota[] = defineQuotas<S3Operations, S3State>([
  buckets(
    'L-DC2B2D3D',
    'General purpose buckets',
    10_000,
    'https://docs.aws.amazon.com/AmazonS3/latest/userguide/BucketRestrictions.html',
    'general-purpose',
  ),
  buckets('L-775A314D', 'Directory buckets', 100, 'https://docs.aws.amazon.com/general/latest/gr/s3.html', 'directory'),
]);
