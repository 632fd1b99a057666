import { AwsError } from '@emu/wire';
import type { Bucket } from '../buckets/bucket.ts';
import { checkReadable, openDataKey } from '../content/encryption.ts';
import type { S3Context } from '../context.ts';
import { parseCopySource } from '../copy-source-header.ts';
import { invalidRequest, noSuchKey, noSuchVersion, preconditionFailed } from '../errors.ts';
import type { ObjectVersion } from '../listing/object-index.ts';
import { checkVersionId, requireBucket } from '../lookup.ts';
import { checkReadConditions } from './conditions.ts';

/** Copy source members. */
export interface CopySourceInput {
  CopySource: string;
  CopySourceIfMatch?: string | undefined;
  CopySourceIfNoneMatch?: string | undefined;
  CopySourceIfModifiedSince?: Date | undefined;
  CopySourceIfUnmodifiedSince?: Date | undefined;
  CopySourceSSECustomerAlgorithm?: string | undefined;
  CopySourceSSECustomerKey?: string | undefined;
  CopySourceSSECustomerKeyMD5?: string | undefined;
  ExpectedSourceBucketOwner?: string | undefined;
}

/** A copy source with verified conditions. */
export interface CopySource {
  readonly bucket: Bucket;
  readonly version: ObjectVersion;
  /** Set if the source's bucket has versions. */
  readonly versionId: string | undefined;
}

/**
 * Returns the object to copy.
 * @throws AwsError `NoSuchBucket`, `NoSuchKey`, `NoSuchVersion`, `InvalidRequest` for a delete marker,
 * `PreconditionFailed`
 */
function findCopySource(ctx: S3Context, input: CopySourceInput): CopySource {
  const { bucket: name, key, versionId } = parseCopySource(input.CopySource);
  const bucket = requireBucket(ctx, { Bucket: name, ExpectedBucketOwner: input.ExpectedSourceBucketOwner });
  const version = bucket.objects.version(key, versionId);
  if (versionId === undefined) {
    if (!version || version.deleteMarker) throw noSuchKey(key);
  } else {
    checkVersionId(versionId);
    if (!version) throw noSuchVersion(key, versionId);
    if (version.deleteMarker)
      throw invalidRequest('The source of a copy request may not specifically refer to a delete marker by version id.');
  }
  checkSourceConditions(input, version, ctx.clock.now());
  checkReadable(version.encryption, {
    SSECustomerAlgorithm: input.CopySourceSSECustomerAlgorithm,
    SSECustomerKey: input.CopySourceSSECustomerKey,
    SSECustomerKeyMD5: input.CopySourceSSECustomerKeyMD5,
  });
  return { bucket, version, versionId: bucket.record.versioning === undefined ? undefined : version.versionId };
}

/**
 * Returns the object to copy, after decrypting its data key, if any.
 * @throws AwsError as `findCopySource`; `AccessDenied`, `KMS.*`
 */
export function openCopySource(ctx: S3Context, input: CopySourceInput): CopySource | Promise<CopySource> {
  const source = findCopySource(ctx, input);
  // The source may be deleted while KMS responds.
  return openDataKey(ctx, source.version.encryption)?.then(() => findCopySource(ctx, input)) ?? source;
}

/** Checks the conditions of a read; an unmodified source is an error here. */
function checkSourceConditions(input: CopySourceInput, version: ObjectVersion, now: number): void {
  try {
    checkReadConditions(
      {
        IfMatch: input.CopySourceIfMatch,
        IfNoneMatch: input.CopySourceIfNoneMatch,
        IfModifiedSince: input.CopySourceIfModifiedSince,
        IfUnmodifiedSince: input.CopySourceIfUnmodifiedSince,
      },
      version,
      now,
    );
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    if (error.code === 'PreconditionFailed')
      throw preconditionFailed(`x-amz-copy-source-${String(error.members?.Condition)}`);
    const header = input.CopySourceIfNoneMatch === undefined ? 'If-Modified-Since' : 'If-None-Match';
    throw preconditionFailed(`x-amz-copy-source-${header}`);
  }
}
