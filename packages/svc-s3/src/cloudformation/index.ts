import type { AnyResourceProvider } from '@emu/core/service';
import { bucket } from './bucket.ts';
import { bucketPolicy, directoryBucketPolicy } from './bucket-policy.ts';
import { directoryBucket } from './directory-bucket.ts';

/** Providers of S3's resource types. */
export const providers: readonly AnyResourceProvider[] = [bucket, bucketPolicy, directoryBucket, directoryBucketPolicy];
