import { whenReady } from '@emu/core/service';
import type {
  GetObjectOutput,
  GetObjectRequest,
  HeadObjectOutput,
  HeadObjectRequest,
  InputOf,
  OutputOf,
  PutObjectOutput,
  PutObjectRequest,
  StorageClass,
} from '@emu/service-types/s3';
import type { Bucket } from '../buckets/bucket.ts';
import { checkContent, type ReceivedBody, readContent, receiveBody } from '../content/body.ts';
import { checksumMember, checksumMembers } from '../content/checksums.ts';
import { checkReadable, encryptionMembers, openDataKey } from '../content/encryption.ts';
import { etagOf } from '../content/etag.ts';
import { type ContentRange, parseRange } from '../content/range.ts';
import type { S3Context } from '../context.ts';
import { invalidArgument, invalidRequest, s3Error } from '../errors.ts';
import { expirationHeader } from '../lifecycle/evaluation.ts';
import { requireReadable, restoreHeader } from '../lifecycle/restore.ts';
import type { ObjectVersion } from '../listing/object-index.ts';
import { checkKey, requireBucket, requireVersion } from '../lookup.ts';
import { afterWrite } from '../objects/after-write.ts';
import { appendObject } from '../objects/append.ts';
import { checkReadConditions, checkWriteConditions } from '../objects/conditions.ts';
import { addLockMembers } from '../objects/lock.ts';
import { mailSafeMetadata } from '../objects/mail-safe.ts';
import { addSystemMembers } from '../objects/metadata.ts';
import { objectSettings } from '../objects/settings.ts';
import { writeVersion } from '../objects/versions.ts';
import { BROWSER_POST } from '../recognition/browser-post.ts';
import type { ObjectSettings } from '../records.ts';

/** Invalid characters in response headers. */
const NOT_LATIN = /[\u0100-\uffff]/;

/**
 * Synchronous if possible: promises would slow down S3's hottest path.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html
 */
export function PutObject(
  input: InputOf<'PutObject'>,
  ctx: S3Context,
): OutputOf<'PutObject'> | Promise<OutputOf<'PutObject'>> {
  const bucket = requireBucket(ctx, input);
  checkKey(input.Key);
  if (input.WriteOffsetBytes === undefined) return putWhole(input, ctx, bucket);
  return appendObject(input, ctx, bucket).then((appended) => appended ?? putWhole(input, ctx, bucket));
}

function putWhole(input: PutObjectRequest, ctx: S3Context, bucket: Bucket): PutObjectOutput | Promise<PutObjectOutput> {
  return whenReady(objectSettings(ctx, bucket, input), (settings) => {
    checkWriteConditions(input, input.Key, bucket.objects.current(input.Key));
    return whenReady(receiveBody(ctx, input), (body) => putBody(input, ctx, settings, body));
  });
}

/** Creates the version of a received body. */
function putBody(
  input: PutObjectRequest,
  ctx: S3Context,
  settings: ObjectSettings,
  body: ReceivedBody,
): PutObjectOutput {
  const key = input.Key;
  try {
    // Another request may have written the key or deleted the bucket while the body arrived.
    const still = requireBucket(ctx, input);
    checkWriteConditions(input, key, still.objects.current(key));
    const version = writeVersion(ctx, still, settings, {
      key,
      etag: etagOf(body.md5, settings.encryption.algorithm),
      size: body.segment.size,
      content: [body.segment],
      checksum: body.checksum,
    });
    if (BROWSER_POST in input) afterWrite(ctx, still, version, 'ObjectCreated:Post', 'POST Object');
    else afterWrite(ctx, still, version, 'ObjectCreated:Put', 'PutObject');
    // Assigned stepwise, because spreads are slower.
    const output: PutObjectOutput = encryptionMembers(settings.encryption);
    output.ETag = `"${version.etag}"`;
    output[checksumMember(body.checksum.algorithm)] = body.checksum.value;
    output.ChecksumType = body.checksum.type;
    const expiration = expirationHeader(still, version);
    if (expiration !== undefined) output.Expiration = expiration;
    if (still.record.versioning === 'Enabled') output.VersionId = version.versionId;
    return output;
  } finally {
    ctx.bodies.release(body.segment.body);
  }
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html */
export async function getObject(input: InputOf<'GetObject'>, ctx: S3Context): Promise<OutputOf<'GetObject'>> {
  const { head, bucket, version, range } = await describeObject(input, ctx);
  requireReadable(ctx, bucket, version);
  const { start, end } = range;
  const output: GetObjectOutput = head;
  const body = readContent(ctx.bodies, version.content, start, end);
  if (body.ready) await body.ready();
  output.Body = body;
  return output;
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html */
export async function headObject(input: InputOf<'HeadObject'>, ctx: S3Context): Promise<OutputOf<'HeadObject'>> {
  const { head, version } = await describeObject(input, ctx);
  await checkContent(ctx.bodies, version.content);
  return head;
}

/** Returns the common part of GET and HEAD: everything except the content. */
async function describeObject(
  input: GetObjectRequest & HeadObjectRequest,
  ctx: S3Context,
): Promise<{ head: HeadObjectOutput; bucket: Bucket; version: ObjectVersion; range: ContentRange }> {
  const bucket = requireBucket(ctx, input);
  checkReadHeaders(input, ctx);
  const version = requireVersion(ctx, bucket, input.Key, input.VersionId);
  checkReadConditions(input, version, ctx.clock.now());
  checkReadable(version.encryption, input);
  // HEAD requires the customer key only for the checksum.
  if ('keyId' in version.encryption && (ctx.operation !== 'HeadObject' || input.ChecksumMode === 'ENABLED'))
    await openDataKey(ctx, version.encryption);
  if (input.Range !== undefined && input.PartNumber !== undefined)
    throw invalidRequest('Cannot specify both Range header and partNumber query parameter');
  const partial = partRange(input.PartNumber, version) ?? parseRange(input.Range, version.size);
  const range = partial ?? { start: 0, end: version.size };
  if (partial) ctx.reply.status = 206;
  // Assigned stepwise: reads are hot, and spreads are slower.
  const head: HeadObjectOutput = encryptionMembers(version.encryption);
  head.AcceptRanges = 'bytes';
  head.LastModified = new Date(version.lastModified);
  head.ContentLength = range.end - range.start;
  head.ETag = `"${version.etag}"`;
  addSystemMembers(head, version.system);
  override(head, input);
  head.Metadata = mailSafeMetadata(version.metadata);
  if (bucket.record.versioning !== undefined) head.VersionId = version.versionId;
  if (version.storageClass !== 'STANDARD') head.StorageClass = version.storageClass as StorageClass;
  if (version.websiteRedirectLocation !== undefined) head.WebsiteRedirectLocation = version.websiteRedirectLocation;
  const expiration = expirationHeader(bucket, version);
  if (expiration !== undefined) head.Expiration = expiration;
  addLockMembers(head, version);
  if (version.tags?.length) head.TagCount = version.tags.length;
  if (version.replicationStatus) head.ReplicationStatus = version.replicationStatus;
  const restore = restoreHeader(version, ctx.clock.now());
  if (restore !== undefined) head.Restore = restore;
  if (version.archiveTier) head.ArchiveStatus = version.archiveTier;
  if (partial) head.ContentRange = `bytes ${range.start}-${range.end - 1}/${version.size}`;
  if (input.PartNumber !== undefined && version.parts) head.PartsCount = version.parts.length;
  if (input.ChecksumMode === 'ENABLED') Object.assign(head, shownChecksum(input, version, partial));
  return { head, bucket, version, range };
}

/** Write headers that reads reject. */
const WRITE_HEADERS = ['x-amz-server-side-encryption', 'x-amz-server-side-encryption-aws-kms-key-id'] as const;

/**
 * Rejects invalid members of a read.
 * @throws AwsError `InvalidArgument`, `InvalidRequest`
 */
function checkReadHeaders(input: GetObjectRequest, { http, principal }: S3Context): void {
  if (http)
    for (const name of WRITE_HEADERS) {
      const value = http.headers[name];
      if (value !== undefined)
        throw invalidArgument(`${name} header is not supported for this operation.`, name, String(value));
    }
  if (principal.type !== 'anonymous') return;
  if (input.ResponseExpires !== undefined || OVERRIDES.some(([member]) => input[member] !== undefined))
    throw invalidRequest('Request specific response headers cannot be used for anonymous GET requests.');
}

/** Returns the checksum of the returned content: the object's, or a requested part's. */
function shownChecksum(
  input: GetObjectRequest,
  { checksum, parts, size }: ObjectVersion,
  partial: ContentRange | undefined,
): Pick<HeadObjectOutput, 'ChecksumType'> {
  if (!checksum) return {};
  if (input.PartNumber !== undefined && parts) {
    const part = parts.find(({ number }) => number === input.PartNumber)?.checksum;
    return part === undefined ? {} : { ...checksumMembers(checksum.algorithm, part), ChecksumType: checksum.type };
  }
  // A range that covers the object counts as the object.
  if (partial && input.PartNumber === undefined && partial.end - partial.start < size) return {};
  return { ...checksumMembers(checksum.algorithm, checksum.value), ChecksumType: checksum.type };
}

/**
 * Returns the byte range of a part.
 * @throws AwsError `InvalidPartNumber` (416), `InvalidArgument`
 */
function partRange(number: number | undefined, { parts, size }: ObjectVersion): ContentRange | undefined {
  if (number === undefined) return undefined;
  if (number < 1 || number > 10_000)
    throw invalidArgument(
      'Part number must be an integer between 1 and 10000, inclusive',
      'partNumber',
      String(number),
    );
  if (!parts) {
    if (number === 1) return { start: 0, end: size };
    throw invalidPartNumber(number, 1);
  }
  let start = 0;
  for (const part of parts) {
    if (part.number === number) return { start, end: start + part.size };
    start += part.size;
  }
  throw invalidPartNumber(number, parts.length);
}

const invalidPartNumber = (number: number, count: number): Error =>
  s3Error('InvalidPartNumber', 'The requested partnumber is not satisfiable', {
    status: 416,
    members: { PartNumberRequested: String(number), ActualPartCount: String(count) },
  });

/** `response-*` parameters, which override an object's headers: their members, and the overridden ones. */
const OVERRIDES = [
  ['ResponseCacheControl', 'response-cache-control', 'CacheControl'],
  ['ResponseContentDisposition', 'response-content-disposition', 'ContentDisposition'],
  ['ResponseContentEncoding', 'response-content-encoding', 'ContentEncoding'],
  ['ResponseContentLanguage', 'response-content-language', 'ContentLanguage'],
  ['ResponseContentType', 'response-content-type', 'ContentType'],
] as const;

function override(head: HeadObjectOutput, input: GetObjectRequest): void {
  for (const [member, name, overridden] of OVERRIDES) {
    const value = input[member];
    if (value === undefined) continue;
    if (NOT_LATIN.test(value))
      throw invalidArgument('Header value cannot be represented using ISO-8859-1.', name, value);
    head[overridden] = value;
  }
  if (input.ResponseExpires !== undefined) head.Expires = new Date(input.ResponseExpires).toUTCString();
}
