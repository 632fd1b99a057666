import { awsError } from '@emu/wire';
import { appendObject } from '../append.ts';
import { readContent, receiveBody } from '../body.ts';
import type { Bucket } from '../bucket.ts';
import { checksumMember, checksumMembers } from '../checksums.ts';
import { checkReadConditions, checkWriteConditions } from '../conditions.ts';
import { afterWrite } from '../effects.ts';
import { checkKeyUsable, checkReadable, encryptionMembers } from '../encryption.ts';
import { invalidArgument, invalidRequest } from '../errors.ts';
import { etagOf } from '../etag.ts';
import type {
  GetObjectOutput,
  GetObjectRequest,
  HeadObjectOutput,
  HeadObjectRequest,
  PutObjectOutput,
  PutObjectRequest,
  StorageClass,
} from '../generated/s3.ts';
import { expirationHeader } from '../lifecycle.ts';
import { checkKey, requireBucket, requireVersion, type S3Context } from '../lookup.ts';
import { mailSafeMetadata } from '../mail-safe.ts';
import { systemMembers } from '../metadata.ts';
import type { ObjectVersion } from '../object-index.ts';
import { lockMembers } from '../object-lock.ts';
import { objectSettings } from '../object-settings.ts';
import { BROWSER_POST } from '../post-form.ts';
import { type ContentRange, parseRange } from '../range.ts';
import { requireReadable, restoreHeader } from '../restore.ts';
import { versionMember, writeVersion } from '../versions.ts';

/** What a header of a response cannot carry. */
const NOT_LATIN = /[\u0100-\uffff]/;

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html */
export async function PutObject(input: PutObjectRequest, ctx: S3Context): Promise<PutObjectOutput> {
  const bucket = requireBucket(ctx, input);
  const key = input.Key;
  checkKey(key);
  if (input.WriteOffsetBytes !== undefined) {
    const appended = await appendObject(input, ctx, bucket);
    if (appended) return appended;
  }
  const settings = await objectSettings(ctx, bucket, input);
  checkWriteConditions(input, key, bucket.objects.current(key));
  const body = await receiveBody(ctx, input);
  try {
    // While the body came in, another request may have written the key, or removed the bucket.
    const still = requireBucket(ctx, input);
    checkWriteConditions(input, key, still.objects.current(key));
    const version = writeVersion(ctx, still, {
      ...settings,
      key,
      etag: etagOf(body.md5, settings.encryption.algorithm),
      size: body.segment.size,
      content: [body.segment],
      checksum: body.checksum,
    });
    if (BROWSER_POST in input) afterWrite(ctx, still, version, 'ObjectCreated:Post', 'POST Object');
    else afterWrite(ctx, still, version, 'ObjectCreated:Put', 'PutObject');
    // Filled step by step: this is the hottest path of S3, where copies of copies would show.
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
export async function GetObject(input: GetObjectRequest, ctx: S3Context): Promise<GetObjectOutput> {
  const { head, version, range } = await describeObject(input, ctx);
  requireReadable(version, ctx.clock.now());
  const { start, end } = range;
  return {
    ...head,
    ...(version.tags?.length ? { TagCount: version.tags.length } : {}),
    Body: readContent(ctx.bodies, version.content, start, end),
  };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html */
export async function HeadObject(input: HeadObjectRequest, ctx: S3Context): Promise<HeadObjectOutput> {
  return (await describeObject(input, ctx)).head;
}

/** What GET and HEAD have in common: everything but the bytes. */
async function describeObject(
  input: GetObjectRequest & HeadObjectRequest,
  ctx: S3Context,
): Promise<{ head: HeadObjectOutput; version: ObjectVersion; range: ContentRange }> {
  const bucket = requireBucket(ctx, input);
  const version = requireVersion(ctx, bucket, input.Key, input.VersionId);
  checkReadConditions(input, version, ctx.clock.now());
  checkReadable(version.encryption, input);
  if ('keyId' in version.encryption) await checkKeyUsable(ctx, version.encryption);
  if (input.Range !== undefined && input.PartNumber !== undefined)
    throw invalidRequest('Cannot specify both Range header and partNumber query parameter');
  const partial = partRange(input.PartNumber, version) ?? parseRange(input.Range, version.size);
  const range = partial ?? { start: 0, end: version.size };
  if (partial) ctx.reply.status = 206;
  const head: HeadObjectOutput = {
    AcceptRanges: 'bytes',
    LastModified: new Date(version.lastModified),
    ContentLength: range.end - range.start,
    ETag: `"${version.etag}"`,
    ...systemMembers(version.system),
    ...overrides(input),
    Metadata: mailSafeMetadata(version.metadata),
    ...encryptionMembers(version.encryption),
    ...versionMember(bucket, version),
    ...(version.storageClass === 'STANDARD' ? {} : { StorageClass: version.storageClass as StorageClass }),
    ...(version.websiteRedirectLocation === undefined
      ? {}
      : { WebsiteRedirectLocation: version.websiteRedirectLocation }),
    ...expirationMember(bucket, version),
    ...lockMembers(version),
    ...(version.replicationStatus ? { ReplicationStatus: version.replicationStatus } : {}),
    ...shownRestore(version, ctx.clock.now()),
    ...(partial ? { ContentRange: `bytes ${range.start}-${range.end - 1}/${version.size}` } : {}),
    ...(input.PartNumber !== undefined && version.parts ? { PartsCount: version.parts.length } : {}),
    ...(input.ChecksumMode === 'ENABLED' ? shownChecksum(input, version, partial) : {}),
  };
  return { head, version, range };
}

/** `Expiration`, where a lifecycle rule will remove the version. */
function expirationMember(bucket: Bucket, version: ObjectVersion): { Expiration?: string } {
  const expiration = expirationHeader(bucket, version);
  return expiration === undefined ? {} : { Expiration: expiration };
}

function shownRestore(version: ObjectVersion, now: number): Pick<HeadObjectOutput, 'Restore'> {
  const restore = restoreHeader(version, now);
  return restore === undefined ? {} : { Restore: restore };
}

/** The checksum of what is sent: the object's, or a part's where a part is asked for. */
function shownChecksum(
  input: GetObjectRequest,
  { checksum, parts }: ObjectVersion,
  partial: ContentRange | undefined,
): Pick<HeadObjectOutput, 'ChecksumType'> {
  if (!checksum) return {};
  if (input.PartNumber !== undefined && parts) {
    const part = parts.find(({ number }) => number === input.PartNumber)?.checksum;
    return part === undefined ? {} : { ...checksumMembers(checksum.algorithm, part), ChecksumType: checksum.type };
  }
  if (partial && input.PartNumber === undefined) return {};
  return { ...checksumMembers(checksum.algorithm, checksum.value), ChecksumType: checksum.type };
}

/** The bytes of a part. @throws AwsError `InvalidPartNumber` (416), `InvalidArgument` */
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
  awsError('InvalidPartNumber', 'The requested partnumber is not satisfiable', {
    status: 416,
    members: { PartNumberRequested: String(number), ActualPartCount: String(count) },
  });

/** The `response-*` parameters, which replace an object's own headers. */
function overrides(input: GetObjectRequest): Partial<HeadObjectOutput> {
  for (const [name, value] of [
    ['response-cache-control', input.ResponseCacheControl],
    ['response-content-disposition', input.ResponseContentDisposition],
    ['response-content-encoding', input.ResponseContentEncoding],
    ['response-content-language', input.ResponseContentLanguage],
    ['response-content-type', input.ResponseContentType],
  ] as const)
    if (value !== undefined && NOT_LATIN.test(value))
      throw invalidArgument('Header value cannot be represented using ISO-8859-1.', name, value);
  return {
    ...(input.ResponseCacheControl === undefined ? {} : { CacheControl: input.ResponseCacheControl }),
    ...(input.ResponseContentDisposition === undefined ? {} : { ContentDisposition: input.ResponseContentDisposition }),
    ...(input.ResponseContentEncoding === undefined ? {} : { ContentEncoding: input.ResponseContentEncoding }),
    ...(input.ResponseContentLanguage === undefined ? {} : { ContentLanguage: input.ResponseContentLanguage }),
    ...(input.ResponseContentType === undefined ? {} : { ContentType: input.ResponseContentType }),
    ...(input.ResponseExpires === undefined ? {} : { Expires: new Date(input.ResponseExpires).toUTCString() }),
  };
}
