import { createHash } from 'node:crypto';
import type { CopyObjectRequest, InputOf, OutputOf } from '@emu/service-types/s3';
import { checkContent, readContent } from '../content/body.ts';
import { algorithmNamed, type ChecksumAlgorithm, checksumMembers, createHasher } from '../content/checksums.ts';
import { encryptionMembers } from '../content/encryption.ts';
import { etagOf } from '../content/etag.ts';
import type { S3Context } from '../context.ts';
import { invalidArgument, invalidRequest, s3Error } from '../errors.ts';
import { requireReadable } from '../lifecycle/restore.ts';
import { checkKey, requireBucket } from '../lookup.ts';
import { afterWrite } from '../objects/after-write.ts';
import { checkWriteConditions } from '../objects/conditions.ts';
import { type CopySource, openCopySource } from '../objects/copy-source.ts';
import { objectSettings } from '../objects/settings.ts';
import { versionMember, writeVersion } from '../objects/versions.ts';
import type { ObjectSettings, StoredChecksum } from '../records.ts';

/** Maximum bytes copied by one request. */
const MAX_COPY = 5 * 1024 ** 3;

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html */
export async function CopyObject(input: InputOf<'CopyObject'>, ctx: S3Context): Promise<OutputOf<'CopyObject'>> {
  const bucket = requireBucket(ctx, input);
  checkKey(input.Key);
  const metadataDirective = directive(input.MetadataDirective, 'x-amz-metadata-directive', 'metadata');
  const taggingDirective = directive(input.TaggingDirective, 'x-amz-tagging-directive', 'tagging');
  const source = await openCopySource(ctx, input);
  const { version } = source;
  requireReadable(ctx, source.bucket, version);
  if (version.size > MAX_COPY)
    throw invalidRequest(
      'The specified copy source is larger than the maximum allowable size for a copy source: 5368709120',
    );
  checkInPlace(input, source, metadataDirective);
  const settings = copiedSettings(
    source,
    await objectSettings(ctx, bucket, input),
    metadataDirective,
    taggingDirective,
  );
  checkWriteConditions(input, input.Key, bucket.objects.current(input.Key));
  const algorithm = input.ChecksumAlgorithm === undefined ? undefined : algorithmNamed(input.ChecksumAlgorithm);
  // Retains the source's bodies while they are read.
  const bodies = version.content.map(({ body }) => body);
  for (const body of bodies) ctx.bodies.retain(body);
  try {
    const { md5, checksum } = await digestsOf(ctx, source, algorithm);
    const still = requireBucket(ctx, input);
    checkWriteConditions(input, input.Key, still.objects.current(input.Key));
    const copy = writeVersion(ctx, still, settings, {
      key: input.Key,
      etag: etagOf(md5, settings.encryption.algorithm),
      size: version.size,
      content: version.content,
      checksum,
    });
    afterWrite(ctx, still, copy, 'ObjectCreated:Copy', 'CopyObject');
    return {
      CopyObjectResult: {
        ETag: `"${copy.etag}"`,
        LastModified: new Date(copy.lastModified),
        ...checksumMembers(checksum.algorithm, checksum.value),
        ChecksumType: checksum.type,
      },
      ...(source.versionId !== undefined && { CopySourceVersionId: source.versionId }),
      ...encryptionMembers(settings.encryption),
      ...versionMember(still, copy),
    };
  } finally {
    for (const body of bodies) ctx.bodies.release(body);
  }
}

/** @throws AwsError `InvalidArgument` */
function directive(value: string | undefined, header: string, name: string): 'COPY' | 'REPLACE' {
  if (value === undefined || value === 'COPY') return 'COPY';
  if (value === 'REPLACE') return 'REPLACE';
  throw invalidArgument(`Unknown ${name} directive.`, header, value);
}

/**
 * Rejects a copy of an object to itself without changes.
 * @throws AwsError `InvalidRequest`
 */
function checkInPlace(input: CopyObjectRequest, { bucket, version }: CopySource, metadata: 'COPY' | 'REPLACE'): void {
  const same =
    bucket.name === input.Bucket && version.key === input.Key && bucket.objects.current(version.key) === version;
  if (!same) return;
  const changes =
    metadata === 'REPLACE' ||
    input.StorageClass !== undefined ||
    input.WebsiteRedirectLocation !== undefined ||
    input.ServerSideEncryption !== undefined ||
    input.SSECustomerKey !== undefined ||
    input.CopySourceSSECustomerKey !== undefined ||
    input.ChecksumAlgorithm !== undefined ||
    version.encryption.algorithm !== 'AES256' ||
    'encryption' in bucket.record.configurations;
  if (!changes)
    throw invalidRequest(
      "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
    );
}

/** Returns the settings of the copy: the request's, with the source's metadata and tags unless replaced. */
function copiedSettings(
  { version }: CopySource,
  requested: ObjectSettings,
  metadata: 'COPY' | 'REPLACE',
  tagging: 'COPY' | 'REPLACE',
): ObjectSettings {
  const { tags, ...rest } = requested;
  const kept = tagging === 'COPY' ? version.tags?.map((tag) => ({ ...tag })) : tags;
  return {
    ...rest,
    ...(metadata === 'COPY' && { system: version.system, metadata: version.metadata }),
    ...(kept?.length && { tags: kept }),
  };
}

/**
 * Returns the MD5 and checksum of the copy: the source's if they are content digests in the requested algorithm;
 * otherwise the content is read.
 */
async function digestsOf(
  ctx: S3Context,
  { version }: CopySource,
  algorithm: ChecksumAlgorithm | undefined,
): Promise<{ md5: string; checksum: StoredChecksum }> {
  const { checksum, etag, parts, encryption, content, size } = version;
  const wanted = algorithm ?? checksum?.algorithm ?? 'CRC64NVME';
  const known = checksum?.algorithm === wanted && checksum.type === 'FULL_OBJECT' ? checksum.value : undefined;
  const knownMd5 = !parts && encryption.algorithm === 'AES256' ? etag : undefined;
  // Unread content is verified as well, so that damage is not copied.
  if (known !== undefined && knownMd5 !== undefined) {
    await checkContent(ctx.bodies, content);
    return { md5: knownMd5, checksum: { algorithm: wanted, value: known, type: 'FULL_OBJECT' } };
  }
  const hasher = await createHasher(wanted);
  const md5 = createHash('md5');
  let read = 0;
  for await (const chunk of readContent(ctx.bodies, content, 0, size)) {
    hasher.update(chunk);
    md5.update(chunk);
    read += chunk.length;
  }
  if (read !== size)
    throw s3Error('InternalError', 'We encountered an internal error. Please try again.', { status: 500 });
  return { md5: md5.digest('hex'), checksum: { algorithm: wanted, value: await hasher.digest(), type: 'FULL_OBJECT' } };
}
