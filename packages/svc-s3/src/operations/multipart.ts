import type {
  CompleteMultipartUploadOutput,
  CompleteMultipartUploadRequest,
  InputOf,
  OutputOf,
  UploadPartRequest,
} from '@emu/service-types/s3';
import type { Bucket } from '../buckets/bucket.ts';
import { readContent, receiveBody } from '../content/body.ts';
import { checksumMembers, givenChecksum } from '../content/checksums.ts';
import { checkPartKey, encryptionMembers, openDataKey } from '../content/encryption.ts';
import { etagOf } from '../content/etag.ts';
import type { ContentRange } from '../content/range.ts';
import type { S3Context } from '../context.ts';
import { invalidArgument, invalidRequest, noSuchKey, s3Error } from '../errors.ts';
import { requireReadable } from '../lifecycle/restore.ts';
import type { ObjectVersion } from '../listing/object-index.ts';
import type { Upload } from '../listing/upload-index.ts';
import { checkKey, requireBucket, stateOf } from '../lookup.ts';
import { afterWrite } from '../objects/after-write.ts';
import { checkWriteConditions } from '../objects/conditions.ts';
import { openCopySource } from '../objects/copy-source.ts';
import {
  checkCompletionType,
  checkPartNumber,
  multipartEtag,
  objectChecksum,
  requireUpload,
  selectParts,
  storedPartsOf,
  uploadChecksum,
} from '../objects/multipart.ts';
import { objectSettings } from '../objects/settings.ts';
import { wholeSeconds, writeVersion } from '../objects/versions.ts';

const UPLOAD_ID_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._';

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateMultipartUpload.html */
export async function CreateMultipartUpload(
  input: InputOf<'CreateMultipartUpload'>,
  ctx: S3Context,
): Promise<OutputOf<'CreateMultipartUpload'>> {
  const bucket = requireBucket(ctx, input);
  checkKey(input.Key);
  const checksum = uploadChecksum(input.ChecksumAlgorithm, input.ChecksumType);
  const settings = await objectSettings(ctx, bucket, input);
  const upload = stateOf(ctx, bucket).addUpload(bucket, {
    bucket: bucket.name,
    key: input.Key,
    uploadId: ctx.ids.chars(128, UPLOAD_ID_ALPHABET),
    initiatedAt: wholeSeconds(ctx.clock.now()),
    initiator: ctx.principal.arn,
    ...checksum,
    settings,
  });
  return {
    Bucket: bucket.name,
    Key: input.Key,
    UploadId: upload.id,
    ...(checksum.checksumAlgorithm !== undefined && {
      ChecksumAlgorithm: checksum.checksumAlgorithm,
      ChecksumType: checksum.checksumType,
    }),
    ...encryptionMembers(settings.encryption),
  };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_UploadPart.html */
export async function UploadPart(input: InputOf<'UploadPart'>, ctx: S3Context): Promise<OutputOf<'UploadPart'>> {
  const bucket = requireBucket(ctx, input);
  const upload = requireUpload(bucket, input.Key, input.UploadId);
  checkPartNumber(input.PartNumber);
  checkPartKey(upload.record.settings.encryption, input);
  await openDataKey(ctx, upload.record.settings.encryption);
  const { checksumAlgorithm } = upload.record;
  const given = givenChecksum(input, ctx.http?.headers);
  if (given && checksumAlgorithm !== undefined && given.algorithm !== checksumAlgorithm)
    throw invalidRequest(
      `Checksum Type mismatch occurred, expected checksum Type: ${checksumAlgorithm.toLowerCase()}, actual checksum Type: ${given.algorithm.toLowerCase()}`,
    );
  const body = await receiveBody(ctx, input, { algorithm: checksumAlgorithm ?? 'CRC64NVME', isPart: true });
  try {
    const part = storePart(ctx, input, body);
    const shown = given ? body.given! : upload.record.checksumAlgorithm === undefined ? undefined : part.checksum;
    return {
      ETag: `"${part.etag}"`,
      ...(shown ? checksumMembers(shown.algorithm, shown.value) : {}),
      ...encryptionMembers(upload.record.settings.encryption),
    };
  } finally {
    ctx.bodies.release(body.segment.body);
  }
}

/** Adds a received part, if the upload still exists. */
function storePart(
  ctx: S3Context,
  input: Pick<UploadPartRequest, 'Bucket' | 'Key' | 'UploadId' | 'PartNumber'>,
  body: Awaited<ReturnType<typeof receiveBody>>,
): { etag: string; checksum: (typeof body)['checksum'] } {
  const bucket = requireBucket(ctx, { Bucket: input.Bucket });
  const upload = requireUpload(bucket, input.Key, input.UploadId);
  const etag = etagOf(body.md5, upload.record.settings.encryption.algorithm);
  const { segment, checksum, md5 } = body;
  stateOf(ctx, bucket).addPart(upload, {
    uploadId: upload.id,
    number: input.PartNumber,
    md5,
    etag,
    segment,
    checksum,
    uploadedAt: wholeSeconds(ctx.clock.now()),
  });
  return { etag, checksum };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_UploadPartCopy.html */
export async function UploadPartCopy(
  input: InputOf<'UploadPartCopy'>,
  ctx: S3Context,
): Promise<OutputOf<'UploadPartCopy'>> {
  const bucket = requireBucket(ctx, input);
  await openDataKey(ctx, requireUpload(bucket, input.Key, input.UploadId).record.settings.encryption);
  const source = await openCopySource(ctx, input);
  requireReadable(ctx, source.bucket, source.version);
  const upload = requireUpload(bucket, input.Key, input.UploadId);
  checkPartNumber(input.PartNumber);
  const { checksumAlgorithm, settings } = upload.record;
  checkPartKey(settings.encryption, input);
  const { start, end } = copyRange(input.CopySourceRange, source.version.size);
  const content = readContent(ctx.bodies, source.version.content, start, end);
  const body = await receiveBody(
    ctx,
    { Body: content },
    { algorithm: checksumAlgorithm ?? 'CRC64NVME', internal: true, isPart: true },
  );
  try {
    const { etag, checksum } = storePart(ctx, input, body);
    return {
      CopyPartResult: {
        ETag: `"${etag}"`,
        LastModified: new Date(wholeSeconds(ctx.clock.now())),
        ...(checksumAlgorithm === undefined ? {} : checksumMembers(checksumAlgorithm, checksum.value)),
      },
      ...(source.versionId !== undefined && { CopySourceVersionId: source.versionId }),
      ...encryptionMembers(settings.encryption),
    };
  } finally {
    ctx.bodies.release(body.segment.body);
  }
}

/**
 * Parses `x-amz-copy-source-range`, which must be within the source.
 * @throws AwsError `InvalidArgument`, `InvalidRequest`
 */
function copyRange(header: string | undefined, size: number): ContentRange {
  if (header === undefined) return { start: 0, end: size };
  const match = /^bytes=(\d+)-(\d+)$/.exec(header);
  if (!match || Number(match[1]) > Number(match[2]))
    throw invalidArgument(
      'The x-amz-copy-source-range value must be of the form bytes=first-last where first and last are the zero-based offsets of the first and last bytes to copy',
      'x-amz-copy-source-range',
      header,
    );
  if (Number(match[1]) >= size) throw invalidRequest('The specified copy range is invalid for the source object size');
  if (Number(match[2]) >= size)
    throw invalidArgument(
      `Range specified is not valid for source object of size: ${size}`,
      'x-amz-copy-source-range',
      header,
    );
  return { start: Number(match[1]), end: Number(match[2]) + 1 };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html */
export async function CompleteMultipartUpload(
  input: InputOf<'CompleteMultipartUpload'>,
  ctx: S3Context,
): Promise<OutputOf<'CompleteMultipartUpload'>> {
  const found = requireBucket(ctx, input);
  // S3 reads the parts to combine them.
  if (!completedBefore(found, input))
    await openDataKey(ctx, requireUpload(found, input.Key, input.UploadId).record.settings.encryption);
  // Another request may have completed it meanwhile.
  const bucket = requireBucket(ctx, input);
  const earlier = completedBefore(bucket, input);
  if (earlier) return completed(ctx, bucket, earlier);
  const upload = requireUpload(bucket, input.Key, input.UploadId);
  checkCompletionType(upload, input.ChecksumType);
  const { checksumAlgorithm, settings: begun } = upload.record;
  // The key is only required for checksums, but must be valid if given.
  if (
    input.SSECustomerKey !== undefined ||
    (checksumAlgorithm !== undefined && begun.encryption.algorithm === 'customer')
  )
    checkPartKey(begun.encryption, input);
  const parts = selectParts(upload, input.MultipartUpload?.Parts ?? []);
  const checksum = await objectChecksum(upload, input, parts);
  checkCompletionConditions(input, bucket, upload);
  const { key, settings, checksumType } = upload.record;
  const version = writeVersion(ctx, bucket, settings, {
    key,
    etag: multipartEtag(parts),
    size: parts.reduce((sum, part) => sum + part.segment.size, 0),
    content: parts.map(({ segment }) => segment),
    parts: storedPartsOf(parts, checksumType === 'COMPOSITE'),
    checksum,
    uploadId: upload.id,
  });
  stateOf(ctx, bucket).removeUpload(bucket, upload);
  afterWrite(ctx, bucket, version, 'ObjectCreated:CompleteMultipartUpload', 'CompleteMultipartUpload');
  return completed(ctx, bucket, version);
}

/** Returns the existing object of a completed upload: clients repeat a completion without response. */
const completedBefore = (
  bucket: Bucket,
  { Key, UploadId }: CompleteMultipartUploadRequest,
): ObjectVersion | undefined => bucket.objects.get(Key)?.versions.find(({ uploadId }) => uploadId === UploadId);

/** Returns the response to a completion; with a version unless it is null. */
function completed(ctx: S3Context, bucket: Bucket, version: ObjectVersion): CompleteMultipartUploadOutput {
  const { key, etag, checksum, encryption, versionId } = version;
  return {
    Location: `${ctx.endpoint}/${bucket.name}/${encodeURIComponent(key)}`,
    Bucket: bucket.name,
    Key: key,
    ETag: `"${etag}"`,
    ...(checksum && { ...checksumMembers(checksum.algorithm, checksum.value), ChecksumType: checksum.type }),
    ...encryptionMembers(encryption),
    ...(versionId !== 'null' && { VersionId: versionId }),
  };
}

/** Checks the conditions of a write, and that the key has not changed since the upload started. */
function checkCompletionConditions(input: CompleteMultipartUploadRequest, bucket: Bucket, upload: Upload): void {
  const { key, initiatedAt, sequence, deletedMeanwhile } = upload.record;
  const current = bucket.objects.current(key);
  if (input.IfMatch !== undefined && !current) throw noSuchKey(key);
  checkWriteConditions(input, key, current);
  const conflict =
    input.IfNoneMatch !== undefined
      ? deletedMeanwhile
      : input.IfMatch !== undefined && (current!.sequence > sequence || current!.lastModified > initiatedAt);
  if (conflict)
    throw s3Error(
      'ConditionalRequestConflict',
      'The conditional request cannot succeed due to a conflicting operation against this resource.',
      {
        status: 409,
        members: { Condition: input.IfNoneMatch === undefined ? 'If-Match' : 'If-None-Match', Key: key },
      },
    );
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_AbortMultipartUpload.html */
export function AbortMultipartUpload(
  input: InputOf<'AbortMultipartUpload'>,
  ctx: S3Context,
): OutputOf<'AbortMultipartUpload'> {
  const bucket = requireBucket(ctx, input);
  const upload = requireUpload(bucket, input.Key, input.UploadId);
  stateOf(ctx, bucket).removeUpload(bucket, upload);
  return {};
}
