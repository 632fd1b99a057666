import {
  type AccessPointEntry,
  accessPointDirectory,
  type BucketAccessPoint,
  type MultiRegionAccessPoint,
  type ObjectLambdaAccessPoint,
} from '@emu/core/service';
import type { AwsError } from '@emu/wire';
import type { S3Context } from '../context.ts';
import { parseCopySource } from '../copy-source-header.ts';
import { accessDenied, s3Error } from '../errors.ts';
import { findBucket } from '../lookup.ts';
import { checkSigningRegion } from './signing-region.ts';

/** Route of a request to its bucket other than by name. */
export interface AccessPointUse {
  readonly point: BucketAccessPoint | MultiRegionAccessPoint;
  /** Access point in front whose function transforms the responses of some operations. */
  readonly objectLambda: ObjectLambdaAccessPoint | undefined;
}

/** Access points by inputs whose bucket has been resolved. */
const uses = new WeakMap<object, AccessPointUse>();
/** Access points by copy sources. */
const sourceUses = new WeakMap<object, AccessPointUse>();

/** Returns the access point of a request; undefined if it names the bucket itself. */
export const accessPointUse = (input: object): AccessPointUse | undefined => uses.get(input);
/** Returns the access point of a copy's source bucket. */
export const sourceAccessPointUse = (input: object): AccessPointUse | undefined => sourceUses.get(input);

/**
 * Operations that access points support. @see
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-service-api-support.html
 */
const SERVED: ReadonlySet<string> = new Set([
  'AbortMultipartUpload',
  'CompleteMultipartUpload',
  'CopyObject',
  'CreateMultipartUpload',
  'DeleteObject',
  'DeleteObjectTagging',
  'DeleteObjects',
  'GetBucketAcl',
  'GetBucketCors',
  'GetBucketLocation',
  'GetBucketNotificationConfiguration',
  'GetBucketPolicy',
  'GetObject',
  'GetObjectAcl',
  'GetObjectAttributes',
  'GetObjectLegalHold',
  'GetObjectRetention',
  'GetObjectTagging',
  'HeadBucket',
  'HeadObject',
  'ListMultipartUploads',
  'ListObjectVersions',
  'ListObjects',
  'ListObjectsV2',
  'ListParts',
  'PutObject',
  'PutObjectAcl',
  'PutObjectLegalHold',
  'PutObjectRetention',
  'PutObjectTagging',
  'RestoreObject',
  'SelectObjectContent',
  'UploadPart',
  'UploadPartCopy',
]);

/**
 * Those of them that Multi-Region Access Points do not support. @see
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/MrapOperations.html
 */
const REGIONAL_ONLY: ReadonlySet<string> = new Set([
  'GetBucketAcl',
  'GetBucketCors',
  'GetBucketNotificationConfiguration',
  'GetBucketPolicy',
  'SelectObjectContent',
  'UploadPartCopy',
]);

/** Whether a name has the form of an ARN, an alias, or the host label of an access point. */
function isIndirect(name: string): boolean {
  const last = name.charCodeAt(name.length - 1);
  // Few bucket names end with s, p or a digit; all access points do.
  if (last === 115) return name.endsWith('-s3alias') || name.startsWith('arn:');
  if (last === 112) return name.endsWith('.mrap');
  if (last >= 48 && last <= 57)
    return name.endsWith('--ol-s3') || name.endsWith('--xa-s3') || /-\d{12}$/.test(name) || name.startsWith('arn:');
  return name.charCodeAt(3) === 58 && name.startsWith('arn:');
}

interface Named {
  Bucket?: string;
  CopySource?: string;
}

/**
 * Checks the signing region, and replaces access points in the request by their buckets, before any other step. For
 * requests that name buckets, only the last letter is checked.
 * @throws AwsError `AuthorizationHeaderMalformed`, `NoSuchAccessPoint`, `MethodNotAllowed` for operations that access
 * points do not support
 */
export function prepare(operation: string, input: unknown, ctx: S3Context): Promise<void> | undefined {
  const named = input as Named;
  const { Bucket: name, CopySource: source } = named;
  checkSigningRegion(ctx, name);
  const indirect = name !== undefined && operation !== 'CreateBucket' && isIndirect(name) && !findBucket(ctx, name);
  const indirectSource =
    source !== undefined && /accesspoint|-s3alias|\.mrap/.test(source) && isIndirect(parseCopySource(source).bucket);
  if (!indirect && !indirectSource) return undefined;
  return replace(operation, named, ctx, indirect, indirectSource);
}

async function replace(
  operation: string,
  input: Named,
  ctx: S3Context,
  indirect: boolean,
  indirectSource: boolean,
): Promise<void> {
  if (indirect) {
    const found = await resolve(input.Bucket!, ctx);
    if (found) {
      const multiRegion = found.use.point.kind === 'multi-region';
      if (!SERVED.has(operation) || (multiRegion && REGIONAL_ONLY.has(operation))) throw methodNotAllowed(ctx);
      input.Bucket = found.bucket;
      uses.set(input, found.use);
    }
  }
  if (indirectSource) {
    const { bucket, key, versionId } = parseCopySource(input.CopySource!);
    const found = await resolve(bucket, ctx);
    if (found) {
      const version = versionId === undefined ? '' : `?versionId=${encodeURIComponent(versionId)}`;
      input.CopySource = `${found.bucket}/${encodeURIComponent(key)}${version}`;
      sourceUses.set(input, found.use);
    }
  }
}

/** @returns undefined if it may be the name of a missing bucket */
async function resolve(name: string, ctx: S3Context): Promise<{ bucket: string; use: AccessPointUse } | undefined> {
  const directory = await ctx.handle.capability(accessPointDirectory);
  const entry = directory?.find(name, ctx.region);
  if (!entry) {
    if (name.startsWith('arn:') || name.endsWith('s3alias') || name.endsWith('.mrap') || name.endsWith('--ol-s3'))
      throw noSuchAccessPoint(name);
    return undefined;
  }
  if (entry.kind !== 'object-lambda')
    return { bucket: bucketOf(entry, ctx), use: { point: entry, objectLambda: undefined } };
  const supporting: AccessPointEntry | undefined = directory!.find(entry.supportingAccessPoint, entry.region);
  if (supporting?.kind !== 'access-point') throw noSuchAccessPoint(entry.supportingAccessPoint);
  return { bucket: supporting.bucket, use: { point: supporting, objectLambda: entry } };
}

const noSuchAccessPoint = (name: string): AwsError =>
  s3Error('NoSuchAccessPoint', 'The specified accesspoint does not exist', {
    status: 404,
    members: { AccessPointName: name.slice(name.lastIndexOf('/') + 1) },
  });

const methodNotAllowed = (ctx: S3Context): AwsError =>
  s3Error('MethodNotAllowed', 'The specified method is not allowed against this resource.', {
    status: 405,
    members: { Method: ctx.http?.method ?? '', ResourceType: 'ACCESS_POINT' },
  });

/**
 * Returns the bucket of an access point; of a Multi-Region Access Point the closest active one: in the request's
 * region, or in emu's own.
 * @throws AwsError `AccessDenied` without an active route
 */
function bucketOf(entry: BucketAccessPoint | MultiRegionAccessPoint, ctx: S3Context): string {
  if (entry.kind === 'access-point') return entry.bucket;
  const active = entry.routes.filter((route) => route.active);
  const of = (region: string) => active.find((route) => route.region === region);
  const route = of(ctx.region) ?? of(ctx.settings.region) ?? active[0];
  if (!route) throw accessDenied();
  return route.bucket;
}
