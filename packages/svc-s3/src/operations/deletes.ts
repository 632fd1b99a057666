import type {
  DeletedObject,
  DeleteObjectOutput,
  DeleteObjectRequest,
  DeleteObjectsOutput,
  DeleteObjectsRequest,
  InputOf,
  OutputOf,
  Error as S3Error,
} from '@emu/service-types/s3';
import { AwsError } from '@emu/wire';
import { mfaFor } from '../access-control/mfa-delete.ts';
import { requireDigest } from '../content/digests.ts';
import type { S3Context } from '../context.ts';
import { invalidArgument, malformedXml, s3Error } from '../errors.ts';
import { checkKey, checkKeyLength, requireBucket } from '../lookup.ts';
import { deleteObject } from '../objects/deletion.ts';
import { checkDeletionAllowed } from '../objects/refused-deletions.ts';
import { wasVersionId } from '../objects/version-ids.ts';

/** Maximum number of keys per DeleteObjects. */
const MAX_KEYS = 1000;

const notSupported = (header: string): Error =>
  s3Error('NotImplemented', 'A header you provided implies functionality that is not implemented', {
    status: 501,
    members: { Header: header },
  });

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObject.html */
export function DeleteObject(
  input: InputOf<'DeleteObject'>,
  ctx: S3Context,
): OutputOf<'DeleteObject'> | Promise<OutputOf<'DeleteObject'>> {
  const checked = input.VersionId === undefined ? undefined : mfaFor(ctx, requireBucket(ctx, input), input.MFA);
  return checked ? checked.then(() => deleteOne(input, ctx)) : deleteOne(input, ctx);
}

function deleteOne(input: DeleteObjectRequest, ctx: S3Context): DeleteObjectOutput {
  const bucket = requireBucket(ctx, input);
  checkKey(input.Key);
  if (!bucket.record.directory) {
    if (input.IfMatchLastModifiedTime !== undefined) throw notSupported('x-amz-if-match-last-modified-time');
    if (input.IfMatchSize !== undefined) throw notSupported('x-amz-if-match-size');
  }
  const { deleteMarker, versionId } = deleteObject(ctx, bucket, input.Key, {
    versionId: input.VersionId,
    ifMatch: input.IfMatch,
    bypassGovernance: input.BypassGovernanceRetention,
  });
  return {
    ...(deleteMarker && { DeleteMarker: true }),
    ...(versionId !== undefined && { VersionId: versionId }),
  };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html */
export function DeleteObjects(
  input: InputOf<'DeleteObjects'>,
  ctx: S3Context,
): OutputOf<'DeleteObjects'> | Promise<OutputOf<'DeleteObjects'>> {
  const bucket = requireBucket(ctx, input);
  requireDigest(ctx);
  const versions = input.Delete.Objects.some(({ VersionId }) => VersionId !== undefined);
  const checked = versions ? mfaFor(ctx, bucket, input.MFA) : undefined;
  return checked ? checked.then(() => deleteAll(input, ctx)) : deleteAll(input, ctx);
}

function deleteAll(input: DeleteObjectsRequest, ctx: S3Context): DeleteObjectsOutput {
  const bucket = requireBucket(ctx, input);
  const { Objects: objects, Quiet: quiet } = input.Delete;
  if (input.BypassGovernanceRetention !== undefined && !bucket.record.objectLock)
    throw invalidArgument(
      'x-amz-bypass-governance-retention is only applicable to Object Lock enabled buckets.',
      'x-amz-bypass-governance-retention',
    );
  if (objects.length === 0 || objects.length > MAX_KEYS) throw malformedXml();
  const deleted: DeletedObject[] = [];
  const errors: S3Error[] = [];
  for (const object of objects) {
    const { Key: key, VersionId: versionId, ETag: ifMatch } = object;
    try {
      checkDeletionAllowed(ctx, object);
      checkKeyLength(key);
      const known = bucket.objects.get(key)?.versions.some((version) => version.versionId === versionId);
      if (versionId !== undefined && versionId !== 'null' && !known && !wasVersionId(key, versionId))
        throw s3Error('NoSuchVersion', 'The specified version does not exist.');
      const result = deleteObject(ctx, bucket, key, {
        versionId,
        ifMatch,
        bypassGovernance: input.BypassGovernanceRetention,
      });
      deleted.push({
        Key: key,
        ...(versionId !== undefined && { VersionId: versionId }),
        ...(result.deleteMarker && { DeleteMarker: true, DeleteMarkerVersionId: result.versionId }),
      });
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      errors.push({
        Key: key,
        Code: error.code,
        Message: error.message,
        ...(versionId !== undefined && { VersionId: versionId }),
      });
    }
  }
  return { ...(!quiet && { Deleted: deleted }), Errors: errors };
}
