import type { CreateBucketConfiguration } from '@emu/service-types/s3';
import type { AwsError } from '@emu/wire';
import { invalidArgument, invalidRequest, s3Error } from '../errors.ts';
import type { BucketRecord } from '../records.ts';

type Directory = NonNullable<BucketRecord['directory']>;

/** `<base>--<zone>--x-s3`. */
const NAME = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?--([a-z0-9]+(?:-[a-z0-9]+)+)--x-s3$/;

/** Whether a name has the form of a directory bucket's. */
export const isDirectoryName = (name: string): boolean => name.endsWith('--x-s3');

/** Operations not allowed in ReadOnly sessions. */
const WRITING: ReadonlySet<string> = new Set([
  'AbortMultipartUpload',
  'CompleteMultipartUpload',
  'CopyObject',
  'CreateMultipartUpload',
  'DeleteObject',
  'DeleteObjects',
  'PutObject',
  'RenameObject',
  'UploadPart',
  'UploadPartCopy',
]);

/** Operations that directory buckets support. */
const SERVED: ReadonlySet<string> = new Set([
  ...WRITING,
  'CreateSession',
  'DeleteBucket',
  'DeleteBucketEncryption',
  'DeleteBucketLifecycle',
  'DeleteBucketMetricsConfiguration',
  'DeleteBucketPolicy',
  'GetBucketAbac',
  'GetBucketEncryption',
  'GetBucketLifecycleConfiguration',
  'GetBucketMetricsConfiguration',
  'GetBucketPolicy',
  'GetObject',
  'GetObjectAttributes',
  'HeadBucket',
  'HeadObject',
  'ListBucketMetricsConfigurations',
  'ListMultipartUploads',
  'ListObjectsV2',
  'ListParts',
  'PutBucketAbac',
  'PutBucketEncryption',
  'PutBucketLifecycleConfiguration',
  'PutBucketMetricsConfiguration',
  'PutBucketPolicy',
]);

const methodNotAllowed = (): AwsError =>
  s3Error('MethodNotAllowed', 'The specified method is not allowed against this resource.', { status: 405 });

/** Whether a session is read-only. */
export type SessionMode = 'ReadOnly' | 'ReadWrite';

/**
 * Checks that directory buckets support an operation, and that the session permits it.
 * @param session mode of the session for this bucket; `other` for a session of another bucket
 * @throws AwsError `MethodNotAllowed`, `AccessDenied`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-express-differences.html
 */
export function checkDirectoryOperation(operation: string, session: SessionMode | 'other' | undefined): void {
  if (!SERVED.has(operation)) throw methodNotAllowed();
  if (session === 'other' || (session === 'ReadOnly' && WRITING.has(operation)))
    throw s3Error('AccessDenied', 'Access Denied', { status: 403 });
}

/**
 * Rejects operations that only directory buckets support.
 * @throws AwsError `MethodNotAllowed`
 */
export function onlyForDirectories({ record }: { readonly record: { readonly directory?: unknown } }): void {
  if (record.directory === undefined) throw methodNotAllowed();
}

/**
 * Returns the properties of a new directory bucket, from name and configuration.
 * @throws AwsError `InvalidBucketName`, `InvalidRequest`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/directory-bucket-naming-rules.html
 */
export function directoryOf(name: string, configuration: CreateBucketConfiguration | undefined): Directory {
  const zone = name.length >= 3 && name.length <= 63 ? NAME.exec(name)?.[1] : undefined;
  const { Location: location, Bucket: bucket } = configuration ?? {};
  if (zone === undefined || (location?.Name !== undefined && location.Name !== zone))
    throw s3Error('InvalidBucketName', 'The specified bucket is not valid.', {
      status: 400,
      members: { BucketName: name },
    });
  if (location?.Name === undefined || location.Type === undefined || bucket?.Type !== 'Directory')
    throw invalidRequest('Invalid create bucket configuration for a directory bucket.');
  const local = location.Type === 'LocalZone';
  const redundancy = bucket.DataRedundancy ?? (local ? 'SingleLocalZone' : 'SingleAvailabilityZone');
  if (redundancy !== (local ? 'SingleLocalZone' : 'SingleAvailabilityZone'))
    throw invalidRequest('The data redundancy does not match the location type of the bucket.');
  return { zone, redundancy, zoneType: location.Type };
}

/** Write members that directory buckets do not support. */
interface ObjectInput {
  ACL?: string | undefined;
  GrantFullControl?: string | undefined;
  GrantRead?: string | undefined;
  GrantReadACP?: string | undefined;
  GrantWriteACP?: string | undefined;
  ObjectLockMode?: string | undefined;
  ObjectLockLegalHoldStatus?: string | undefined;
  SSECustomerAlgorithm?: string | undefined;
  StorageClass?: string | undefined;
  Tagging?: string | undefined;
  WebsiteRedirectLocation?: string | undefined;
}

const HEADERS = {
  ACL: 'x-amz-acl',
  GrantFullControl: 'x-amz-grant-full-control',
  GrantRead: 'x-amz-grant-read',
  GrantReadACP: 'x-amz-grant-read-acp',
  GrantWriteACP: 'x-amz-grant-write-acp',
  ObjectLockMode: 'x-amz-object-lock-mode',
  ObjectLockLegalHoldStatus: 'x-amz-object-lock-legal-hold',
  SSECustomerAlgorithm: 'x-amz-server-side-encryption-customer-algorithm',
  Tagging: 'x-amz-tagging',
  WebsiteRedirectLocation: 'x-amz-website-redirect-location',
} as const satisfies { [Name in keyof ObjectInput]?: string };

/**
 * Returns the storage class of an object in a directory bucket.
 * @throws AwsError `NotImplemented`, `InvalidStorageClass`
 */
export function directoryStorageClass(input: ObjectInput): string {
  for (const [member, header] of Object.entries(HEADERS))
    if (input[member as keyof typeof HEADERS] !== undefined && input[member as keyof typeof HEADERS] !== '')
      throw s3Error('NotImplemented', 'A header you provided implies functionality that is not implemented', {
        status: 501,
        members: { Header: header },
      });
  if (input.StorageClass !== undefined && input.StorageClass !== 'EXPRESS_ONEZONE')
    throw s3Error('InvalidStorageClass', 'The storage class you specified is not valid', {
      status: 400,
      members: { StorageClassRequested: input.StorageClass },
    });
  return 'EXPRESS_ONEZONE';
}

/**
 * Validates a listing of a directory bucket.
 * @throws AwsError `InvalidArgument`, `InvalidRequest`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
 */
export function checkDirectoryListing(input: {
  Delimiter?: string | undefined;
  Prefix?: string | undefined;
  StartAfter?: string | undefined;
}): void {
  const { Delimiter: delimiter, Prefix: prefix, StartAfter: startAfter } = input;
  if (delimiter !== undefined && delimiter !== '' && delimiter !== '/')
    throw invalidArgument('Directory buckets only support / as a delimiter.', 'delimiter', delimiter);
  if (prefix !== undefined && prefix !== '' && !prefix.endsWith('/'))
    throw invalidArgument('Directory buckets only support prefixes that end in a delimiter (/).', 'prefix', prefix);
  if (startAfter !== undefined) throw invalidRequest('StartAfter is not supported for directory buckets.');
}
