import { parseArn } from '@emu/core/service';
import type { CopyObjectRequest } from '@emu/service-types/s3';
import type { S3CopyObjectOperation, S3Grant, S3ObjectMetadata } from '@emu/service-types/s3control';
import { encodedKey, under } from './encoding.ts';
import type { Task } from './records.ts';
import { bucketOf } from './requests.ts';

/** CopyObject members that grant permissions. */
const GRANTS: Readonly<Record<string, string>> = {
  FULL_CONTROL: 'GrantFullControl',
  READ: 'GrantRead',
  READ_ACP: 'GrantReadACP',
  WRITE_ACP: 'GrantWriteACP',
};

/**
 * Returns the CopyObject input of a task.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_control_S3CopyObjectOperation.html
 */
export function copyInput(operation: S3CopyObjectOperation, { bucket, key, versionId }: Task): CopyObjectRequest {
  const { NewObjectMetadata: metadata, NewObjectTagging: tags, SSEAwsKmsKeyId: kms, RequesterPays: pays } = operation;
  const version = versionId === undefined ? '' : `?versionId=${encodeURIComponent(versionId)}`;
  const source = parseArn(bucket) ? `${bucket}/object` : bucket;
  const replaces = operation.MetadataDirective ?? (hasMetadata(metadata) ? 'REPLACE' : 'COPY');
  return {
    Bucket: bucketOf(operation.TargetResource!),
    Key: under(operation.TargetKeyPrefix, key),
    CopySource: `${source}/${encodedKey(key)}${version}`,
    ACL: operation.CannedAccessControlList,
    ...grantsOf(operation.AccessControlGrants ?? []),
    MetadataDirective: replaces,
    ...(replaces === 'REPLACE' && metadataOf(metadata)),
    ...encryptionOf(metadata?.SSEAlgorithm, kms, operation.BucketKeyEnabled),
    ...(tags && {
      TaggingDirective: 'REPLACE',
      Tagging: tags.map(({ Key, Value }) => `${encodeURIComponent(Key)}=${encodeURIComponent(Value)}`).join('&'),
    }),
    CopySourceIfModifiedSince: operation.ModifiedSinceConstraint,
    CopySourceIfUnmodifiedSince: operation.UnModifiedSinceConstraint,
    WebsiteRedirectLocation: operation.RedirectLocation,
    ...(pays && { RequestPayer: 'requester' }),
    StorageClass: operation.StorageClass,
    ObjectLockLegalHoldStatus: operation.ObjectLockLegalHoldStatus,
    ObjectLockMode: operation.ObjectLockMode,
    ObjectLockRetainUntilDate: operation.ObjectLockRetainUntilDate,
    ChecksumAlgorithm: operation.ChecksumAlgorithm,
  };
}

/** Whether anything besides the encryption is set. */
function hasMetadata(metadata: S3ObjectMetadata | undefined): boolean {
  const { SSEAlgorithm: _algorithm, RequesterCharged: _charged, ...rest } = metadata ?? {};
  return Object.values(rest).some((value) => value !== undefined);
}

function metadataOf(metadata: S3ObjectMetadata = {}): Partial<CopyObjectRequest> {
  return {
    CacheControl: metadata.CacheControl,
    ContentDisposition: metadata.ContentDisposition,
    ContentEncoding: metadata.ContentEncoding,
    ContentLanguage: metadata.ContentLanguage,
    ContentType: metadata.ContentType,
    Expires: metadata.HttpExpiresDate?.toUTCString(),
    Metadata: metadata.UserMetadata,
  };
}

function encryptionOf(
  algorithm: S3ObjectMetadata['SSEAlgorithm'],
  key: string | undefined,
  bucketKey = false,
): Partial<CopyObjectRequest> {
  if (key === undefined && algorithm !== 'KMS') return algorithm ? { ServerSideEncryption: 'AES256' } : {};
  return {
    ServerSideEncryption: 'aws:kms',
    ...(key !== undefined && { SSEKMSKeyId: key }),
    ...(bucketKey && { BucketKeyEnabled: true }),
  };
}

/** Returns the grants as S3 headers, e.g. `id="…", uri="…"`. */
function grantsOf(grants: readonly S3Grant[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { Grantee: grantee, Permission: permission } of grants) {
    const member = GRANTS[permission ?? ''];
    if (member === undefined || !grantee) continue;
    const text = `${grantee.TypeIdentifier}="${grantee.Identifier}"`;
    headers[member] = headers[member] === undefined ? text : `${headers[member]}, ${text}`;
  }
  return headers;
}
