import { s3Error } from '../errors.ts';

/** Names reserved by S3. */
const RESERVED_PREFIXES = ['xn--', 'sthree-', 'amzn-s3-demo-'];
const RESERVED_SUFFIXES = ['-s3alias', '--ol-s3', '.mrap', '--x-s3', '--table-s3'];

/** Form of names in an account's regional namespace. */
const ACCOUNT_REGIONAL = /-\d{12}-[a-z0-9-]+-an$/;

/** Location of a new bucket. */
export interface NamePlace {
  readonly accountId: string;
  readonly region: string;
}

/**
 * Checks that a name belongs to its namespace: names of the account's regional namespace end with account and region,
 * others must not.
 * @param namespace of the request; the global one by default
 * @throws AwsError `InvalidBucketName`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/gpbucketnamespaces.html
 */
export function checkNamespace(name: string, namespace: string | undefined, { accountId, region }: NamePlace): void {
  const own = namespace === 'account-regional';
  const suffix = `-${accountId}-${region}-an`;
  if (own ? !name.endsWith(suffix) || name.length === suffix.length : ACCOUNT_REGIONAL.test(name)) throw invalid(name);
}

/**
 * Validates the name of a general purpose bucket.
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
  s3Error('InvalidBucketName', 'The specified bucket is not valid.', { status: 400, members: { BucketName: name } });
