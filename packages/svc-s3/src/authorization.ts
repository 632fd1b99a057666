import type { AuthorizationRequest, AuthorizationRequests, ServiceAuthorization } from '@emu/core';
import { tagCondition } from '@emu/core';
import { aclGrants } from './acl.ts';
import type { Bucket } from './bucket.ts';
import { parseCopySource } from './copy-source.ts';
import { accessDenied } from './errors.ts';
import type { S3Operations } from './generated/s3.ts';
import { findBucket, type S3Context } from './lookup.ts';
import type { ObjectVersion } from './object-index.ts';
import type { S3State } from './state.ts';
import { parseTagging } from './tags.ts';

/** Members of inputs that permissions and their conditions depend on. */
interface Named {
  Bucket?: string;
  Key?: string;
  VersionId?: string;
  CopySource?: string;
  ACL?: string;
  Tagging?: unknown;
  Prefix?: string;
  Delimiter?: string;
  MaxKeys?: number;
  ServerSideEncryption?: string;
  SSEKMSKeyId?: string;
  StorageClass?: string;
  ObjectLockMode?: string;
  ObjectLockLegalHoldStatus?: string;
  BypassGovernanceRetention?: boolean;
  Delete?: { Objects: { Key: string; VersionId?: string }[] };
  CreateBucketConfiguration?: { LocationConstraint?: string };
}

/**
 * Actions that are not called as their operations are.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html
 */
const ACTIONS: Readonly<Record<string, string>> = {
  CompleteMultipartUpload: 'PutObject',
  CreateMultipartUpload: 'PutObject',
  CreateBucketMetadataConfiguration: 'CreateBucketMetadataTableConfiguration',
  DeleteBucketAnalyticsConfiguration: 'PutAnalyticsConfiguration',
  DeleteBucketCors: 'PutBucketCORS',
  DeleteBucketEncryption: 'PutEncryptionConfiguration',
  DeleteBucketIntelligentTieringConfiguration: 'PutIntelligentTieringConfiguration',
  DeleteBucketInventoryConfiguration: 'PutInventoryConfiguration',
  DeleteBucketLifecycle: 'PutLifecycleConfiguration',
  DeleteBucketMetadataConfiguration: 'DeleteBucketMetadataTableConfiguration',
  DeleteBucketMetricsConfiguration: 'PutMetricsConfiguration',
  DeleteBucketOwnershipControls: 'PutBucketOwnershipControls',
  DeleteBucketReplication: 'PutReplicationConfiguration',
  DeleteBucketTagging: 'PutBucketTagging',
  DeletePublicAccessBlock: 'PutBucketPublicAccessBlock',
  GetBucketAccelerateConfiguration: 'GetAccelerateConfiguration',
  GetBucketAnalyticsConfiguration: 'GetAnalyticsConfiguration',
  GetBucketCors: 'GetBucketCORS',
  GetBucketEncryption: 'GetEncryptionConfiguration',
  GetBucketIntelligentTieringConfiguration: 'GetIntelligentTieringConfiguration',
  GetBucketInventoryConfiguration: 'GetInventoryConfiguration',
  GetBucketLifecycle: 'GetLifecycleConfiguration',
  GetBucketLifecycleConfiguration: 'GetLifecycleConfiguration',
  GetBucketMetadataConfiguration: 'GetBucketMetadataTableConfiguration',
  GetBucketMetricsConfiguration: 'GetMetricsConfiguration',
  GetBucketNotificationConfiguration: 'GetBucketNotification',
  GetBucketReplication: 'GetReplicationConfiguration',
  GetObjectLockConfiguration: 'GetBucketObjectLockConfiguration',
  GetPublicAccessBlock: 'GetBucketPublicAccessBlock',
  HeadBucket: 'ListBucket',
  HeadObject: 'GetObject',
  ListBucketAnalyticsConfigurations: 'GetAnalyticsConfiguration',
  ListBucketIntelligentTieringConfigurations: 'GetIntelligentTieringConfiguration',
  ListBucketInventoryConfigurations: 'GetInventoryConfiguration',
  ListBucketMetricsConfigurations: 'GetMetricsConfiguration',
  ListBuckets: 'ListAllMyBuckets',
  ListMultipartUploads: 'ListBucketMultipartUploads',
  ListObjectVersions: 'ListBucketVersions',
  ListObjects: 'ListBucket',
  ListObjectsV2: 'ListBucket',
  ListParts: 'ListMultipartUploadParts',
  PutBucketAccelerateConfiguration: 'PutAccelerateConfiguration',
  PutBucketAnalyticsConfiguration: 'PutAnalyticsConfiguration',
  PutBucketCors: 'PutBucketCORS',
  PutBucketEncryption: 'PutEncryptionConfiguration',
  PutBucketIntelligentTieringConfiguration: 'PutIntelligentTieringConfiguration',
  PutBucketInventoryConfiguration: 'PutInventoryConfiguration',
  PutBucketLifecycle: 'PutLifecycleConfiguration',
  PutBucketLifecycleConfiguration: 'PutLifecycleConfiguration',
  PutBucketMetricsConfiguration: 'PutMetricsConfiguration',
  PutBucketNotificationConfiguration: 'PutBucketNotification',
  PutBucketReplication: 'PutReplicationConfiguration',
  PutObjectLockConfiguration: 'PutBucketObjectLockConfiguration',
  PutPublicAccessBlock: 'PutBucketPublicAccessBlock',
  SelectObjectContent: 'GetObject',
  UploadPart: 'PutObject',
};

/** Actions with one of their own for versions that are named. */
const VERSIONED: Readonly<Record<string, string>> = {
  DeleteObject: 'DeleteObjectVersion',
  DeleteObjectTagging: 'DeleteObjectVersionTagging',
  GetObject: 'GetObjectVersion',
  GetObjectAcl: 'GetObjectVersionAcl',
  GetObjectAttributes: 'GetObjectVersionAttributes',
  GetObjectTagging: 'GetObjectVersionTagging',
  GetObjectTorrent: 'GetObjectVersionTorrent',
  PutObjectAcl: 'PutObjectVersionAcl',
  PutObjectTagging: 'PutObjectVersionTagging',
};

/** What ACLs give, by the action that uses it. */
const ACL_PERMISSIONS: Readonly<Record<string, 'READ' | 'WRITE' | 'READ_ACP' | 'WRITE_ACP'>> = {
  ListBucket: 'READ',
  ListBucketVersions: 'READ',
  ListBucketMultipartUploads: 'READ',
  GetObject: 'READ',
  GetObjectVersion: 'READ',
  PutObject: 'WRITE',
  DeleteObject: 'WRITE',
  GetBucketAcl: 'READ_ACP',
  GetObjectAcl: 'READ_ACP',
  PutBucketAcl: 'WRITE_ACP',
  PutObjectAcl: 'WRITE_ACP',
};

/** A permission on a bucket, or on an object in it. */
function permission(
  action: string,
  name: string,
  key: string | undefined,
  input: Named,
  ctx: S3Context,
): AuthorizationRequest {
  const bucket = findBucket(ctx, name);
  const version = key === undefined ? undefined : versionOf(bucket, key, input.VersionId);
  const policy = bucket?.record.configurations.policy;
  return {
    action: `s3:${action}`,
    resource: `arn:${ctx.partition}:s3:::${name}${key === undefined ? '' : `/${key}`}`,
    resourceAccountId: bucket?.accountId ?? ctx.accountId,
    ...(policy === undefined ? {} : { resourcePolicy: { document: policy, id: name } }),
    condition: (wanted) => conditionOf(wanted, input, bucket, version),
    rootKeeps: /^(Get|Put|Delete)BucketPolicy$/.test(action),
    granted: bucket && (() => grantedByAcl(action, bucket, version, ctx)),
  };
}

function versionOf(bucket: Bucket | undefined, key: string, versionId: string | undefined): ObjectVersion | undefined {
  const versions = bucket?.objects.get(key)?.versions;
  return versionId === undefined ? versions?.[0] : versions?.find((version) => version.versionId === versionId);
}

/** Whether an ACL lets the caller; ACLs do not count where the bucket's owner is enforced. */
function grantedByAcl(action: string, bucket: Bucket, version: ObjectVersion | undefined, ctx: S3Context): boolean {
  const wanted = ACL_PERMISSIONS[action];
  const { ownership, publicAccessBlock } = bucket.record.configurations;
  if (wanted === undefined || ownership === 'BucketOwnerEnforced') return false;
  // Writing and deleting objects is given by the bucket's ACL, whatever is known of the object.
  const ofObject = version !== undefined && wanted !== 'WRITE';
  const acl = ofObject ? version.acl : bucket.record.acl;
  return acl !== undefined && aclGrants(acl, wanted, ctx.principal, publicAccessBlock?.IgnorePublicAcls === true);
}

/** S3's condition keys. @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/amazon-s3-policy-keys.html */
function conditionOf(
  key: string,
  input: Named,
  bucket: Bucket | undefined,
  version: ObjectVersion | undefined,
): string | readonly string[] | undefined {
  const existing = /^s3:existingobjecttag\/(.+)$/.exec(key)?.[1];
  if (existing !== undefined) return version?.tags?.find(({ Key }) => Key.toLowerCase() === existing)?.Value;
  const requested = typeof input.Tagging === 'string' ? (parseTagging(input.Tagging) ?? []) : [];
  const requestTag = /^s3:requestobjecttag\/(.+)$/.exec(key)?.[1];
  if (requestTag !== undefined) return requested.find(({ Key }) => Key.toLowerCase() === requestTag)?.Value;
  switch (key) {
    case 's3:requestobjecttagkeys':
      return requested.map(({ Key }) => Key);
    case 's3:prefix':
      return input.Prefix;
    case 's3:delimiter':
      return input.Delimiter;
    case 's3:max-keys':
      return input.MaxKeys?.toString();
    case 's3:versionid':
      return input.VersionId;
    case 's3:x-amz-acl':
      return input.ACL;
    case 's3:x-amz-copy-source':
      return input.CopySource;
    case 's3:x-amz-server-side-encryption':
      return input.ServerSideEncryption;
    case 's3:x-amz-server-side-encryption-aws-kms-key-id':
      return input.SSEKMSKeyId;
    case 's3:x-amz-storage-class':
      return input.StorageClass;
    case 's3:object-lock-mode':
      return input.ObjectLockMode;
    case 's3:object-lock-legal-hold':
      return input.ObjectLockLegalHoldStatus;
    case 's3:locationconstraint':
      return input.CreateBucketConfiguration?.LocationConstraint;
    case 's3:resourceaccount':
      return bucket?.accountId;
    default:
      return tagCondition(key, {
        resource: Object.fromEntries((bucket?.record.tags ?? []).map(({ Key, Value }) => [Key, Value])),
      });
  }
}

/** What an operation needs: its own action on its bucket or object, and what its members ask for besides. */
function requirements(operation: string, input: Named, ctx: S3Context): AuthorizationRequests {
  const { Bucket: name, Key: key } = input;
  const action = ACTIONS[operation] ?? operation;
  if (name === undefined) return { action: `s3:${action}`, resource: '*' };
  if (operation === 'DeleteObjects')
    return input.Delete!.Objects.map(({ Key, VersionId }) =>
      permission(
        VersionId === undefined ? 'DeleteObject' : 'DeleteObjectVersion',
        name,
        Key,
        { ...input, VersionId } as Named,
        ctx,
      ),
    );
  const own = input.VersionId === undefined ? action : (VERSIONED[action] ?? action);
  const requests = [
    permission(operation === 'CopyObject' || operation === 'UploadPartCopy' ? 'PutObject' : own, name, key, input, ctx),
  ];
  if (input.CopySource !== undefined) {
    const source = parseCopySource(input.CopySource);
    const read = source.versionId === undefined ? 'GetObject' : 'GetObjectVersion';
    requests.push(permission(read, source.bucket, source.key, { VersionId: source.versionId } as Named, ctx));
  }
  if (own === 'PutObject' && key !== undefined && operation !== 'UploadPart') {
    if (input.ACL !== undefined) requests.push(permission('PutObjectAcl', name, key, input, ctx));
    if (input.Tagging !== undefined) requests.push(permission('PutObjectTagging', name, key, input, ctx));
    if (input.ObjectLockMode !== undefined) requests.push(permission('PutObjectRetention', name, key, input, ctx));
    if (input.ObjectLockLegalHoldStatus !== undefined)
      requests.push(permission('PutObjectLegalHold', name, key, input, ctx));
  }
  if (input.BypassGovernanceRetention) requests.push(permission('BypassGovernanceRetention', name, key, input, ctx));
  return requests;
}

/** What S3's operations need; bucket policies and ACLs take part. */
export const authorization: ServiceAuthorization<S3Operations, S3State> = {
  prefix: 's3',
  anonymous: true,
  otherwise: (operation, input, ctx) => requirements(operation, input as Named, ctx),
  // S3 puts the resource's ARN in quotes, and tells strangers nothing.
  accessDenied: ({ message, principal }) =>
    accessDenied(
      principal.type === 'anonymous' ? undefined : message.replace(/on resource: (\S+)/, 'on resource: "$1"'),
    ),
};
