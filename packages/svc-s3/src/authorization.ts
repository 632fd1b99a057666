import {
  type AccessPointDirectory,
  type AuthorizationRequest,
  type AuthorizationRequests,
  accessPointDirectory,
  type BucketAccessPoint,
  isPublicPolicy,
  type PublicAccessSettings,
  permissionOn,
  type ServiceAuthorization,
  whenReady,
} from '@emu/core/service';
import type { S3Operations } from '@emu/service-types/s3';
import type { AwsError } from '@emu/wire';
import { type AccessPointUse, accessPointUse, sourceAccessPointUse } from './access-control/access-points.ts';
import { aclGrants } from './access-control/acl.ts';
import { ACL_PERMISSIONS, ACTIONS, VERSIONED } from './access-control/actions.ts';
import { type ConditionInput, conditionOf } from './access-control/condition-keys.ts';
import { publicAccessOf } from './access-control/public-access.ts';
import type { Bucket } from './buckets/bucket.ts';
import type { S3Context } from './context.ts';
import { parseCopySource } from './copy-source-header.ts';
import { directoryRequirements } from './directory-buckets/authorization.ts';
import { accessDenied, noSuchBucket } from './errors.ts';
import type { ObjectVersion } from './listing/object-index.ts';
import { allowOrigin, findBucket } from './lookup.ts';
import { transformationOf } from './object-lambda/transformation.ts';
import { refuseDeletion } from './objects/refused-deletions.ts';
import { bucketType, objectType } from './resources.ts';
import type { S3State } from './state.ts';

/** Input members used by permissions and their conditions. */
interface Named extends ConditionInput {
  Bucket?: string;
  Key?: string;
  BypassGovernanceRetention?: boolean;
  SessionMode?: string;
  Delete?: { Objects: { Key: string; VersionId?: string }[] };
  ReplicationConfiguration?: { Role: string };
  RequestToken?: string;
}

/** Target of permissions. */
interface Asked {
  readonly input: Named;
  readonly ctx: S3Context;
  readonly directory: AccessPointDirectory | undefined;
  /** Access point of the request, if it does not name the bucket. */
  readonly use: AccessPointUse | undefined;
}

/**
 * Returns the permissions on a bucket or an object in it. Behind an access point, both its own and the bucket's are
 * required; the caller's policies may allow either resource.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-policies.html
 */
function permissions(action: string, name: string, key: string | undefined, asked: Asked): AuthorizationRequest[] {
  const { input, ctx, directory, use } = asked;
  const bucket = findBucket(ctx, name);
  const version = key === undefined ? undefined : bucket?.objects.version(key, input.VersionId);
  const condition = (wanted: string) => conditionOf(wanted, { ...asked, bucket, version });
  const blocked = bucket && publicAccessOf(directory, bucket, use, ctx.partition);
  const onBucket: AuthorizationRequest = {
    ...onResource(`s3:${action}`, name, key, ctx),
    // The bucket's permission also applies to missing keys.
    ...policyMember(bucket?.record.configurations.policy, name, bucket?.accountId, blocked, ctx),
    condition,
    identityAllows: use !== undefined,
    rootKeeps: /^(Get|Put|Delete)BucketPolicy$/.test(action),
    granted: bucket && (() => grantedByAcl(action, bucket, version, blocked!.IgnorePublicAcls, ctx)),
  };
  if (!use) return [onBucket];
  const { point, objectLambda } = use;
  if (point.kind === 'access-point' && !isWithin(point.scope, action, key ?? input.Prefix ?? '')) throw accessDenied();
  const onPoint: AuthorizationRequest = {
    action: `s3:${action}`,
    resource: `${point.arn}${key === undefined ? '' : `/object/${key}`}`,
    resourceAccountId: point.accountId,
    // The policy of an access point of a VPC is never public.
    ...policyMember(point.policy, point.name, point.accountId, isOfVpc(point) ? undefined : blocked, ctx),
    condition,
  };
  if (!objectLambda) return [onPoint, onBucket];
  const inFront: AuthorizationRequest = {
    action: `s3-object-lambda:${action}`,
    resource: objectLambda.arn,
    resourceAccountId: objectLambda.accountId,
    ...policyMember(
      objectLambda.policy,
      objectLambda.name,
      objectLambda.accountId,
      objectLambda.publicAccessBlock,
      ctx,
    ),
    condition,
  };
  // The function reads the object itself, as the caller.
  return transformationOf(objectLambda, ctx.operation) ? [inFront] : [inFront, onPoint, onBucket];
}

const isOfVpc = (point: AccessPointUse['point']): boolean =>
  point.kind === 'access-point' && point.networkOrigin === 'VPC';

/** Returns the permission for an action on a bucket or object, existing or not, without resource policy. */
function onResource(action: string, bucket: string, key: string | undefined, ctx: S3Context): AuthorizationRequest {
  const { resourcePolicy: _policy, ...request } =
    key === undefined
      ? permissionOn(action, bucketType, { key: { name: bucket }, place: ctx }, ctx.handle)
      : permissionOn(action, objectType, { key: { bucket, key }, place: ctx }, ctx.handle);
  return request;
}

/**
 * Whether an access point's scope permits an action.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-directory-buckets-manage-scope.html
 */
function isWithin(scope: BucketAccessPoint['scope'], action: string, key: string): boolean {
  if (!scope) return true;
  const { prefixes, permissions: allowed } = scope;
  if (allowed.length > 0 && !allowed.includes(action)) return false;
  return prefixes.length === 0 || prefixes.some((prefix) => key.startsWith(prefix));
}

/** Returns the policy of a resource; with restricted public access, a public policy applies to its own account only. */
function policyMember(
  document: string | undefined,
  id: string,
  owner: string | undefined,
  blocked: PublicAccessSettings | undefined,
  { principal }: S3Context,
): Pick<AuthorizationRequest, 'resourcePolicy'> {
  if (document === undefined) return {};
  const outside = principal.type === 'anonymous' || principal.accountId !== owner;
  if (blocked?.RestrictPublicBuckets && outside && principal.type !== 'service' && isPublicPolicy(document)) return {};
  return { resourcePolicy: { document, id } };
}

/** Whether an ACL permits the caller; ACLs are ignored with ownership enforced. */
function grantedByAcl(
  action: string,
  bucket: Bucket,
  version: ObjectVersion | undefined,
  ignorePublic: boolean,
  ctx: S3Context,
): boolean {
  const wanted = ACL_PERMISSIONS[action];
  const { ownership } = bucket.record.configurations;
  if (wanted === undefined || ownership === 'BucketOwnerEnforced') return false;
  // The bucket's ACL grants writing and deleting objects, whatever the object's own.
  const ofObject = version !== undefined && wanted !== 'WRITE';
  const acl = ofObject ? version.acl : bucket.record.acl;
  return acl !== undefined && aclGrants(acl, wanted, ctx.principal, ignorePublic);
}

/** Returns the permission on a directory bucket; undefined for other buckets. */
function onDirectory(operation: string, name: string, asked: Asked): AuthorizationRequest[] | undefined {
  return directoryRequirements(operation, name, asked.ctx, (key) =>
    conditionOf(key, { ...asked, bucket: findBucket(asked.ctx, name), version: undefined }),
  );
}

/** Returns the permissions of a copy on its source. */
function sourcePermissions(asked: Asked): AuthorizationRequest[] {
  const { input } = asked;
  if (input.CopySource === undefined) return [];
  const { bucket, key, versionId } = parseCopySource(input.CopySource);
  const read = versionId === undefined ? 'GetObject' : 'GetObjectVersion';
  const use = sourceAccessPointUse(input);
  const source = { ...asked, input: { VersionId: versionId } as Named, use };
  const express = use ? undefined : onDirectory(read, bucket, source);
  return express ?? [...permissions(read, bucket, key, source), ...missingPermissions(read, bucket, key, source)];
}

/**
 * Returns the permission for reading a missing object: callers that may list the bucket get NoSuchKey, others
 * AccessDenied.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
 */
function missingPermissions(
  action: string,
  name: string,
  key: string | undefined,
  asked: Asked,
): AuthorizationRequest[] {
  if (action !== 'GetObject' || key === undefined || asked.use?.objectLambda) return [];
  const bucket = findBucket(asked.ctx, name);
  if (!bucket || bucket.objects.current(key)) return [];
  return permissions('ListBucket', name, undefined, asked);
}

/** Returns the permissions for each deletion of DeleteObjects: denied ones are reported, and the others executed. */
function deletions(name: string, asked: Asked): AuthorizationRequest[] {
  const { input, ctx } = asked;
  return input.Delete!.Objects.flatMap((object) => {
    const { Key, VersionId } = object;
    const one = { ...asked, input: { ...input, VersionId } as Named };
    const needed = permissions(VersionId === undefined ? 'DeleteObject' : 'DeleteObjectVersion', name, Key, one);
    if (input.BypassGovernanceRetention) needed.push(...permissions('BypassGovernanceRetention', name, Key, one));
    return needed.map((request) => ({ ...request, refused: (error: AwsError) => refuseDeletion(ctx, object, error) }));
  });
}

/** Returns the permission of a function to answer the request of a token: on the access point of the request. */
function onAnswered(token: string | undefined, ctx: S3Context): AuthorizationRequest {
  const points = [...ctx.handle.states()].map(({ state }) => state.objectLambda.pointOf(token ?? ''));
  const resource = points.find((point) => point !== undefined) ?? '*';
  return { action: 's3-object-lambda:WriteGetObjectResponse', resource };
}

/** Returns the permissions of an operation: its own action on its bucket or object, and those for its members. */
function requirements(
  operation: string,
  input: Named,
  ctx: S3Context,
  directory: AccessPointDirectory | undefined,
): AuthorizationRequests {
  const { Bucket: name, Key: key } = input;
  const action = ACTIONS[operation] ?? operation;
  if (operation === 'WriteGetObjectResponse') return onAnswered(input.RequestToken, ctx);
  if (operation === 'ListDirectoryBuckets') return { action: 's3express:ListAllMyDirectoryBuckets', resource: '*' };
  if (name === undefined) return { action: `s3:${action}`, resource: '*' };
  if (ctx.principal.type === 'anonymous') {
    const bucket = findBucket(ctx, name);
    // The requesting page may read the denial, too, and the absence of a bucket is public.
    if (bucket) allowOrigin(ctx, bucket);
    else if (operation !== 'CreateBucket') throw noSuchBucket(name);
  }
  const use = accessPointUse(input);
  const asked: Asked = { input, ctx, directory, use };
  const express = use ? undefined : onDirectory(operation, name, asked);
  if (express) return [...express, ...sourcePermissions(asked)];
  if (operation === 'DeleteObjects') return deletions(name, asked);
  const own = input.VersionId === undefined ? action : (VERSIONED[action] ?? action);
  const copies = operation === 'CopyObject' || operation === 'UploadPartCopy';
  const requests = permissions(copies ? 'PutObject' : own, name, key, asked);
  requests.push(...missingPermissions(own, name, key, asked), ...sourcePermissions(asked));
  if (own === 'PutObject' && key !== undefined && operation !== 'UploadPart') {
    // Objects delivered by services grant the bucket owner full control, for which their policies allow only
    // `s3:PutObject`.
    const delivered = ctx.principal.type === 'service' && input.ACL === 'bucket-owner-full-control';
    if (input.ACL !== undefined && !delivered) requests.push(...permissions('PutObjectAcl', name, key, asked));
    if (input.Tagging !== undefined) requests.push(...permissions('PutObjectTagging', name, key, asked));
    if (input.ObjectLockMode !== undefined) requests.push(...permissions('PutObjectRetention', name, key, asked));
    if (input.ObjectLockLegalHoldStatus !== undefined)
      requests.push(...permissions('PutObjectLegalHold', name, key, asked));
  }
  if (input.BypassGovernanceRetention) requests.push(...permissions('BypassGovernanceRetention', name, key, asked));
  return requests;
}

/** Permissions of S3's operations; bucket policies and ACLs apply. */
export const authorization: ServiceAuthorization<S3Operations, S3State> = {
  prefix: 's3',
  anonymous: true,
  roles: { PutBucketReplication: { 'ReplicationConfiguration.Role': 's3' } },
  // https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateBucketConfiguration.html
  tagOnCreate: { CreateBucket: 'TagResource' },
  requestTags: { CreateBucket: ({ CreateBucketConfiguration }) => CreateBucketConfiguration?.Tags },
  otherwise(operation, input, ctx) {
    return whenReady(ctx.handle.capability(accessPointDirectory), (directory) =>
      requirements(operation, input as Named, ctx, directory),
    );
  },
  // S3 quotes the resource's ARN, and omits details for other accounts.
  accessDenied({ message, principal, request: { action, resource } }, ctx) {
    if (principal.type !== 'anonymous') return accessDenied(message.replace(/on resource: (\S+)/, 'on resource: "$1"'));
    ctx.log.warn(
      'an unsigned request was denied, as on AWS: sign it, or make the resource public with a bucket policy',
      { action, resource },
    );
    return accessDenied();
  },
};
