import { exceedsBytes } from '@emu/core/service';
import { checkPayer } from './access-control/requester-pays.ts';
import type { Bucket } from './buckets/bucket.ts';
import type { S3Context } from './context.ts';
import { checkDirectoryOperation } from './directory-buckets/restrictions.ts';
import { checkAcceleration } from './endpoints/acceleration.ts';
import { corsHeaders } from './endpoints/cors.ts';
import {
  accessDenied,
  climbingKey,
  invalidArgument,
  keyTooLong,
  markerNotAllowed,
  noSuchBucket,
  noSuchKey,
  noSuchVersion,
  s3Error,
} from './errors.ts';
import type { ObjectVersion } from './listing/object-index.ts';
import type { S3State } from './state.ts';

/** Maximum key length in bytes. */
const MAX_KEY = 1024;

/** Returns a bucket of any account: names are globally unique. */
export function findBucket(ctx: Pick<S3Context, 'state' | 'handle'>, name: string): Bucket | undefined {
  return ctx.state.bucket(name) ?? findIn(ctx.handle, name);
}

/** Returns a bucket of any account, outside of a request. */
export function findIn(handle: S3Context['handle'], name: string): Bucket | undefined {
  for (const { state } of handle.states()) {
    const bucket = state.bucket(name);
    if (bucket) return bucket;
  }
  return undefined;
}

/** Returns the state of a bucket's account; callers of other accounts may write to it. */
export function stateOf(ctx: Pick<S3Context, 'handle'>, bucket: Bucket): S3State {
  return ctx.handle.state(bucket.accountId, bucket.region);
}

/**
 * Returns the bucket of a request.
 * @throws AwsError `NoSuchBucket`, `AccessDenied` if it has an unexpected owner, `InvalidBucketOwnerAWSAccountID`
 */
export function requireBucket(
  ctx: S3Context,
  input: { Bucket: string; ExpectedBucketOwner?: string | undefined },
): Bucket {
  const bucket = ctx.state.bucket(input.Bucket) ?? findBucket(ctx, input.Bucket);
  const { ExpectedBucketOwner: owner } = input;
  if (owner !== undefined && !/^\d{12}$/.test(owner))
    throw s3Error(
      'InvalidBucketOwnerAWSAccountID',
      `The value of the expected bucket owner parameter must be an AWS Account ID... [${owner}]`,
      { status: 400 },
    );
  if (!bucket) throw noSuchBucket(input.Bucket);
  if (owner !== undefined && owner !== bucket.accountId) throw accessDenied();
  if (bucket.record.directory)
    checkDirectoryOperation(
      ctx.operation,
      stateOf(ctx, bucket).directorySessions.modeOf(ctx.principal.accessKeyId, bucket.name),
    );
  allowOrigin(ctx, bucket);
  checkAcceleration(ctx, bucket);
  if (bucket.record.configurations.requestPayment) checkPayer(ctx, bucket);
  return bucket;
}

/**
 * Adds CORS headers if the bucket permits the page's origin. An empty header prevents the gateway from adding its own.
 */
export function allowOrigin(ctx: S3Context, bucket: Bucket): void {
  const header = ctx.http?.headers.origin;
  if (header === undefined) return;
  const origin = String(header);
  const method = ctx.http?.method ?? 'GET';
  const headers = corsHeaders(bucket, { origin, method, headers: undefined });
  Object.assign(ctx.reply.headers, headers ?? { 'access-control-allow-origin': '' });
}

/** @throws AwsError `KeyTooLongError` */
export function checkKeyLength(key: string): void {
  if (exceedsBytes(key, MAX_KEY)) throw keyTooLong(key);
}

/**
 * Checks the key of an address.
 * @throws AwsError `KeyTooLongError`, `BadRequest`
 */
export function checkKey(key: string): void {
  checkKeyLength(key);
  if (key.includes('..') && climbs(key)) throw climbingKey();
}

/**
 * Whether a key has, up to any of its segments, more `..` than other segments.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html
 */
function climbs(key: string): boolean {
  let depth = 0;
  for (const segment of key.split('/')) {
    depth += segment === '..' ? -1 : 1;
    if (depth < 0) return true;
  }
  return false;
}

/**
 * Returns the object version to read.
 * @param versionId undefined for the current one
 * @throws AwsError `NoSuchKey`, `NoSuchVersion`, `MethodNotAllowed` for a delete marker by id, `InvalidArgument` for an
 * invalid version id
 * @param naming whether the error names a current delete marker, as operations on version settings do
 */
export function requireVersion(
  ctx: S3Context,
  bucket: Bucket,
  key: string,
  versionId: string | undefined,
  naming = false,
): ObjectVersion {
  checkKey(key);
  const versions = bucket.objects.get(key)?.versions;
  if (versionId === undefined) {
    const newest = versions?.[0];
    if (newest && !newest.deleteMarker) return newest;
    if (newest && naming) throw markerNotAllowed(ctx.http?.method ?? 'GET', newest.versionId, newest.lastModified);
    if (newest) {
      ctx.reply.headers['x-amz-delete-marker'] = 'true';
      ctx.reply.headers['x-amz-version-id'] = newest.versionId;
    }
    throw noSuchKey(key);
  }
  checkVersionId(versionId);
  const version = versions?.find((candidate) => candidate.versionId === versionId);
  if (!version) {
    if (bucket.record.versioning === undefined && versions) throw invalidVersionId(versionId);
    throw noSuchVersion(key, versionId);
  }
  if (version.deleteMarker) throw markerNotAllowed(ctx.http?.method ?? 'GET', versionId, version.lastModified);
  return version;
}

/** Rejects an id that S3 cannot have issued. */
export function checkVersionId(versionId: string): void {
  if (versionId === 'null' || /^[A-Za-z0-9._-]{32}$/.test(versionId)) return;
  if (versionId !== '') throw invalidVersionId(versionId);
  throw invalidArgument('Version id cannot be the empty string', 'versionId', versionId);
}

/** Returns S3's error for a version id that cannot exist in the bucket. */
export const invalidVersionId = (versionId: string): Error =>
  invalidArgument('Invalid version id specified', 'versionId', versionId);
