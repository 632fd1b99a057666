import type { GetObjectTaggingRequest, InputOf, OutputOf } from '@emu/service-types/s3';
import type { Bucket } from '../buckets/bucket.ts';
import { notConfigured } from '../buckets/documents.ts';
import { requireDigest } from '../content/digests.ts';
import type { S3Context } from '../context.ts';
import { invalidRequest, noSuchKey } from '../errors.ts';
import { eventOf } from '../events/messages.ts';
import { emit } from '../events/notifications.ts';
import type { ObjectVersion } from '../listing/object-index.ts';
import { checkKey, requireBucket, requireVersion, stateOf } from '../lookup.ts';
import { replicateChange } from '../objects/replication.ts';
import { versionMember } from '../objects/versions.ts';
import { taggingOf } from '../tags.ts';

/**
 * Rejects tag changes of a bucket with ABAC, other than through S3 Control's TagResource and UntagResource, which have
 * their own permissions.
 * @throws AwsError `InvalidRequest`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/buckets-tagging-enable-abac.html
 */
function checkTaggable({ http }: S3Context, bucket: Bucket): void {
  if (http && bucket.record.configurations.abac?.Status === 'Enabled')
    throw invalidRequest(
      'This operation is not allowed on a bucket with ABAC enabled. Use TagResource or UntagResource instead.',
    );
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketTagging.html */
export function PutBucketTagging(input: InputOf<'PutBucketTagging'>, ctx: S3Context): OutputOf<'PutBucketTagging'> {
  const bucket = requireBucket(ctx, input);
  requireDigest(ctx);
  checkTaggable(ctx, bucket);
  const tags = taggingOf('bucket').merge(undefined, input.Tagging.TagSet);
  stateOf(ctx, bucket).updateBucket(bucket, (draft) => {
    draft.tags = tags;
  });
  ctx.reply.status = 204;
  return {};
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketTagging.html */
export function GetBucketTagging(input: InputOf<'GetBucketTagging'>, ctx: S3Context): OutputOf<'GetBucketTagging'> {
  const bucket = requireBucket(ctx, input);
  const { tags } = bucket.record;
  if (!tags?.length) throw notConfigured(['NoSuchTagSet', 'The TagSet does not exist'], bucket.name);
  return { TagSet: [...tags] };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucketTagging.html */
export function DeleteBucketTagging(
  input: InputOf<'DeleteBucketTagging'>,
  ctx: S3Context,
): OutputOf<'DeleteBucketTagging'> {
  const bucket = requireBucket(ctx, input);
  checkTaggable(ctx, bucket);
  stateOf(ctx, bucket).updateBucket(bucket, (draft) => {
    delete draft.tags;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObjectTagging.html */
export function PutObjectTagging(input: InputOf<'PutObjectTagging'>, ctx: S3Context): OutputOf<'PutObjectTagging'> {
  const bucket = requireBucket(ctx, input);
  requireDigest(ctx);
  const version = requireVersion(ctx, bucket, input.Key, input.VersionId, true);
  const tags = taggingOf('object').merge(undefined, input.Tagging.TagSet);
  const changed = stateOf(ctx, bucket).updateVersion(bucket, version, (draft) => {
    draft.tags = tags;
  });
  replicateChange(ctx, bucket, changed);
  const { size: _size, ...event } = eventOf(bucket, version);
  emit(ctx, bucket, { ...event, name: 'ObjectTagging:Put' });
  return versionMember(bucket, version);
}

/** Returns the version for a tag operation; the error for a missing key contains the bucket only here. */
function requireTagged(ctx: S3Context, bucket: Bucket, { Key, VersionId }: GetObjectTaggingRequest): ObjectVersion {
  checkKey(Key);
  if (VersionId === undefined && !bucket.objects.get(Key)) throw noSuchKey(`${bucket.name}/${Key}`);
  return requireVersion(ctx, bucket, Key, VersionId, true);
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectTagging.html */
export function GetObjectTagging(input: InputOf<'GetObjectTagging'>, ctx: S3Context): OutputOf<'GetObjectTagging'> {
  const bucket = requireBucket(ctx, input);
  const version = requireTagged(ctx, bucket, input);
  return { TagSet: [...(version.tags ?? [])], ...versionMember(bucket, version) };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjectTagging.html */
export function DeleteObjectTagging(
  input: InputOf<'DeleteObjectTagging'>,
  ctx: S3Context,
): OutputOf<'DeleteObjectTagging'> {
  const bucket = requireBucket(ctx, input);
  const version = requireVersion(ctx, bucket, input.Key, input.VersionId, true);
  const changed = stateOf(ctx, bucket).updateVersion(bucket, version, (draft) => {
    delete draft.tags;
  });
  replicateChange(ctx, bucket, changed);
  const { size: _size, ...event } = eventOf(bucket, version);
  emit(ctx, bucket, { ...event, name: 'ObjectTagging:Delete' });
  return versionMember(bucket, version);
}
