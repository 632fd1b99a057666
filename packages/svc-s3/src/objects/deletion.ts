import type { Bucket } from '../buckets/bucket.ts';
import type { S3Context } from '../context.ts';
import { invalidArgument, noSuchKey, preconditionFailed } from '../errors.ts';
import { emit } from '../events/notifications.ts';
import { checkVersionId, invalidVersionId, stateOf } from '../lookup.ts';
import { matchesEtag } from './conditions.ts';
import { checkDeletable } from './lock.ts';
import { replicate } from './replication.ts';
import { nullVersion, writeDeleteMarker } from './versions.ts';

/** Event members of a delete marker's content. */
const EMPTY_MD5 = 'd41d8cd98f00b204e9800998ecf8427e';

/** Result of a deletion. */
export interface Deletion {
  /** Whether a marker was created, or the removed version was one. */
  readonly deleteMarker: boolean;
  /** The removed version or created marker; undefined in never versioned buckets. */
  readonly versionId: string | undefined;
  /** Whether anything changed. */
  readonly changed: boolean;
}

/** Deletion options besides the key. */
export interface DeletionOptions {
  readonly versionId?: string | undefined;
  /** Required ETag of the current version. */
  readonly ifMatch?: string | undefined;
  /** `x-amz-bypass-governance-retention`. */
  readonly bypassGovernance?: boolean | undefined;
}

/**
 * Deletes an object: one version permanently, or the key, by adding a delete marker in a versioned bucket.
 * @throws AwsError `InvalidArgument`, `NoSuchKey`, `PreconditionFailed`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/DeletingObjectVersions.html
 */
export function deleteObject(ctx: S3Context, bucket: Bucket, key: string, options: DeletionOptions): Deletion {
  const { versionId, ifMatch } = options;
  if (options.bypassGovernance !== undefined && !bucket.record.objectLock)
    throw invalidArgument(
      'x-amz-bypass-governance-retention is only applicable to Object Lock enabled buckets.',
      'x-amz-bypass-governance-retention',
    );
  if (ifMatch !== undefined) {
    const current = bucket.objects.current(key);
    if (!current && !bucket.objects.get(key)) throw noSuchKey(key);
    if (!current || !matchesEtag(ifMatch, current.etag)) throw preconditionFailed('If-Match');
  }
  if (versionId !== undefined) return deleteVersion(ctx, bucket, key, versionId, options.bypassGovernance === true);
  if (bucket.record.versioning === undefined) {
    const version = nullVersion(bucket, key);
    if (version) {
      stateOf(ctx, bucket).removeVersion(bucket, version);
      emit(ctx, bucket, { name: 'ObjectRemoved:Delete', key, reason: ctx.operation });
    }
    return { deleteMarker: false, versionId: undefined, changed: version !== undefined };
  }
  const marker = writeDeleteMarker(ctx, bucket, key);
  emit(ctx, bucket, {
    name: 'ObjectRemoved:DeleteMarkerCreated',
    key,
    versionId: marker.versionId,
    etag: EMPTY_MD5,
    reason: ctx.operation,
  });
  replicate(ctx, bucket, marker);
  return { deleteMarker: true, versionId: marker.versionId, changed: true };
}

function deleteVersion(
  ctx: S3Context,
  bucket: Bucket,
  key: string,
  versionId: string,
  bypassGovernance: boolean,
): Deletion {
  checkVersionId(versionId);
  const version = bucket.objects.version(key, versionId);
  if (!version) {
    if (bucket.record.versioning === undefined && versionId !== 'null') throw invalidVersionId(versionId);
    return { deleteMarker: false, versionId, changed: false };
  }
  checkDeletable(version, bypassGovernance, ctx.clock.now());
  stateOf(ctx, bucket).removeVersion(bucket, version);
  emit(ctx, bucket, {
    name: 'ObjectRemoved:Delete',
    key,
    ...(bucket.record.versioning !== undefined && { versionId }),
    reason: ctx.operation,
  });
  return { deleteMarker: version.deleteMarker === true, versionId, changed: true };
}
