import type { PutObjectOutput, PutObjectRequest } from '@emu/service-types/s3';
import type { Bucket } from '../buckets/bucket.ts';
import { receiveBody } from '../content/body.ts';
import { checksumMembers } from '../content/checksums.ts';
import { combineChecksums, isLinear } from '../content/crc-combine.ts';
import { encryptionMembers } from '../content/encryption.ts';
import { etagOf } from '../content/etag.ts';
import type { S3Context } from '../context.ts';
import { s3Error } from '../errors.ts';
import type { ObjectVersion } from '../listing/object-index.ts';
import { requireBucket } from '../lookup.ts';
import type { StoredChecksum } from '../records.ts';
import { checkWriteConditions } from './conditions.ts';
import { writeVersion } from './versions.ts';

/** Maximum number of parts of an object: each append adds one. */
const MAX_PARTS = 10_000;

/**
 * Returns the object to append to.
 * @throws AwsError `InvalidWriteOffset`, `TooManyParts`, errors of its conditions
 */
function appendable(bucket: Bucket, input: PutObjectRequest): ObjectVersion | undefined {
  const current = bucket.objects.current(input.Key);
  checkWriteConditions(input, input.Key, current);
  if (input.WriteOffsetBytes !== (current?.size ?? 0))
    throw s3Error(
      'InvalidWriteOffset',
      'The write offset value that you specified does not match the current object size.',
      { status: 400 },
    );
  if (current && current.content.length >= MAX_PARTS)
    throw s3Error(
      'TooManyParts',
      'You have attempted to add more parts than the maximum of 10000 that are allowed for this object. You can use the CopyObject operation to copy this object to another and then add more data to the newly copied object.',
      { status: 400 },
    );
  return current;
}

/** Returns the checksum of the whole object, if it can be combined from its parts. */
function wholeChecksum(current: ObjectVersion, added: StoredChecksum, size: number): StoredChecksum | undefined {
  const { checksum } = current;
  if (!checksum || checksum.algorithm !== added.algorithm || checksum.type !== 'FULL_OBJECT') return undefined;
  if (!isLinear(checksum.algorithm)) return undefined;
  const parts = [
    { value: checksum.value, size: current.size },
    { value: added.value, size },
  ];
  return { ...checksum, value: combineChecksums(checksum.algorithm, parts) };
}

/**
 * `PutObject` with `x-amz-write-offset-bytes`: appends to an object of a directory bucket, which keeps its settings.
 * @returns undefined if the object does not exist yet, so that it is written normally
 * @throws AwsError `InvalidWriteOffset`, `TooManyParts`, `NotImplemented` in general purpose buckets
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/directory-buckets-objects-append.html
 */
export async function appendObject(
  input: PutObjectRequest,
  ctx: S3Context,
  bucket: Bucket,
): Promise<PutObjectOutput | undefined> {
  if (!bucket.record.directory)
    throw s3Error('NotImplemented', 'A header you provided implies functionality that is not implemented', {
      status: 501,
      members: { Header: 'x-amz-write-offset-bytes' },
    });
  const before = appendable(bucket, input);
  if (!before) return undefined;
  const body = await receiveBody(ctx, input, { algorithm: before.checksum?.algorithm });
  try {
    // The object may have grown or been deleted while the body arrived.
    const still = requireBucket(ctx, input);
    const current = appendable(still, input) ?? before;
    const { size } = body.segment;
    const checksum = wholeChecksum(current, body.checksum, size);
    const version = writeVersion(ctx, still, current, {
      key: current.key,
      // ETags in directory buckets are not content digests.
      etag: etagOf(body.md5, 'aws:kms'),
      size: current.size + size,
      content: [...current.content, body.segment],
      checksum,
    });
    return {
      ETag: `"${version.etag}"`,
      Size: version.size,
      ...(checksum && { ...checksumMembers(checksum.algorithm, checksum.value), ChecksumType: checksum.type }),
      ...encryptionMembers(version.encryption),
    };
  } finally {
    ctx.bodies.release(body.segment.body);
  }
}
