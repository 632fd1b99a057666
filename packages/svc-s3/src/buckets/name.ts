import { awsError } from '@emu/wire';

/** Names that S3 keeps for itself. */
const RESERVED_PREFIXES = ['xn--', 'sthree-', 'amzn-s3-demo-'];
const RESERVED_SUFFIXES = ['-s3alias', '--ol-s3', '.mrap', '--x-s3', '--table-s3'];

/**
 * Checks the name of a general purpose bucket.
 * @throws AwsError `InvalidBucketName`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
 */
export function checkBucketName(name: string): void {
  const valid =
    name.length >= 3 &&
    name.length <= 63 &&
    /^[a-z0-9][a-z0-9.-]*[a-z0-9]$/.test(name) &&
    !name.includes('..') &&
    !/^\d{1,3}(\.\d{1,3}){3}$/.test(name) &&
    !RESERVED_PREFIXES.some((prefix) => name.startsWith(prefix)) &&
    !RESERVED_SUFFIXES.some((suffix) => name.endsWith(suffix));
  if (!valid)
    throw awsError('InvalidBucketName', 'The specified bucket is not valid.', {
      status: 400,
      members: { BucketName: name },
    });
}
