import type { PutObjectOutput, PutObjectRequest } from '@emu/service-types/s3';
import { awsError } from '@emu/wire';
import type { Bucket } from '../buckets/bucket.ts';
import { requireBucket } from '../buckets/lookup.ts';
import { receiveBody } from '../content/body.ts';
import { checksumMembers } from '../content/checksums.ts';
import { combineChecksums, isLinear } from '../content/crc-combine.ts';
import { encryptionMembers } from '../content/encryption.ts';
import { etagOf } from '../content/etag.ts';
import type { S3Context } from '../context.ts';
import type { ObjectVersion } from '../listing/object-index.ts';
import type { StoredChecksum } from '../records.ts';
import { checkWriteConditions } from './conditions.ts';
import { writeVersion } from './versions.ts';

/** Parts of an object: each append makes one. */
const MAX_PARTS = 10_000;

/** The object that is appended to. @throws AwsError `InvalidWriteOffset`, `TooManyParts`, what its conditions say */
function appendable(bucket: Bucket, input: PutObjectRequest): ObjectVersion | undefined {
  const current = bucket.objects.current(input.Key);
  checkWriteConditions(input, input.Key, current);
  if (input.WriteOffsetBytes !== (current?.size ?? 0))
    throw awsError(
      'InvalidWriteOffset',
      'The write offset value that you specified does not match the current object size.',
      { status: 400 },
    );
  if (current && current.content.length >= MAX_PARTS)
    throw awsError(
      'TooManyParts',
      'You have attempted to add more parts than the maximum of 10000 that are allowed for this object. You can use the CopyObject operation to copy this object to another and then add more data to the newly copied object.',
      { status: 400 },
    );
  return current;
}

/** The checksum of the whole, where it follows from those of its parts. */
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
 * `PutObject` with `x-amz-write-offset-bytes`: adds to the end of an object of a directory bucket, which keeps what it
 * was written with.
 * @returns undefined where there is nothing to append to yet, so that the object is written as any other
 * @throws AwsError `InvalidWriteOffset`, `TooManyParts`, `NotImplemented` in general purpose buckets
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/directory-buckets-objects-append.html
 */
export async function appendObject(
  input: PutObjectRequest,
  ctx: S3Context,
  bucket: Bucket,
): Promise<PutObjectOutput | undefined> {
  if (!bucket.record.directory)
    throw awsError('NotImplemented', 'A header you provided implies functionality that is not implemented', {
      status: 501,
      members: { Header: 'x-amz-write-offset-bytes' },
    });
  const before = appendable(bucket, input);
  if (!before) return undefined;
  const body = await receiveBody(ctx, input, { algorithm: before.checksum?.algorithm });
  try {
    // While the body came in, the object may have grown, or gone.
    const still = requireBucket(ctx, input);
    const current = appendable(still, input) ?? before;
    const { size } = body.segment;
    const checksum = wholeChecksum(current, body.checksum, size);
    const version = writeVersion(ctx, still, current, {
      key: current.key,
      // ETags of directory buckets are no digests of what the object has.
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
