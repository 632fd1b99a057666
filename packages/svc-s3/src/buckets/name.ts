import { awsError } from '@emu/wire';

/** Names that S3 keeps for itself. */
const RESERVED_PREFIXES = ['xn--', 'sthree-', 'amzn-s3-demo-'];
const RESERVED_SUFFIXES = ['-s3alias', '--ol-s3', '.mrap', '--x-s3', '--table-s3'];

/** The form of the names that are an account's own in a region. */
const ACCOUNT_REGIONAL = /-\d{12}-[a-z0-9-]+-an$/;

/** Where a bucket is made. */
export interface NamePlace {
  readonly accountId: string;
  readonly region: string;
}

/**
 * Checks that a name is of its namespace: of the account's own in the region it ends by them, else it does not look so.
 * @param namespace as the request says; the global one by default
 * @throws AwsError `InvalidBucketName`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/gpbucketnamespaces.html
 */
export function checkNamespace(name: string, namespace: string | undefined, { accountId, region }: NamePlace): void {
  const own = namespace === 'account-regional';
  const suffix = `-${accountId}-${region}-an`;
  if (own ? !name.endsWith(suffix) || name.length === suffix.length : ACCOUNT_REGIONAL.test(name)) throw invalid(name);
}

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
  if (!valid) throw invalid(name);
}

const invalid = (name: string): Error =>
  awsError('InvalidBucketName', 'The specified bucket is not valid.', { status: 400, members: { BucketName: name } });
