import { awsError } from '@emu/wire';
import type { Bucket } from './bucket.ts';

/** Whether a bucket is a directory bucket of S3 Express One Zone. */
export const isDirectory = (bucket: Bucket): boolean => bucket.record.directory !== undefined;

/**
 * Refuses what directory buckets do not have, such as versions and ACLs.
 * @throws AwsError `MethodNotAllowed`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-express-differences.html
 */
export function notForDirectories(bucket: Bucket): void {
  if (isDirectory(bucket))
    throw awsError('MethodNotAllowed', 'The specified method is not allowed against this resource.', { status: 405 });
}
