import type { Bucket } from './bucket.ts';
import type { S3Context } from './lookup.ts';
import { stateOf } from './lookup.ts';
import type { ObjectVersion } from './object-index.ts';
import type { VersionRecord } from './records.ts';

const VERSION_ID_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._';

/** The version id of what is written to a bucket now. */
export function nextVersionId(ctx: Pick<S3Context, 'ids'>, bucket: Bucket): string {
  return bucket.record.versioning === 'Enabled' ? ctx.ids.chars(32, VERSION_ID_ALPHABET) : 'null';
}

/** S3 keeps whole seconds. @returns epoch milliseconds */
export const wholeSeconds = (now: number): number => Math.floor(now / 1000) * 1000;

/** What a write adds to a key: everything but its place among the versions. */
export type VersionDraft = Omit<VersionRecord, 'sequence' | 'bucket' | 'versionId' | 'lastModified'>;

/**
 * Puts a version in its bucket. Where versioning is not on, it takes the place of the null version.
 * @param draft becomes the version's record
 * @param versionId given where it must be known before, as for replicas
 */
export function writeVersion(
  ctx: Pick<S3Context, 'ids' | 'clock' | 'handle' | 'region'>,
  bucket: Bucket,
  draft: VersionDraft,
  versionId = nextVersionId(ctx, bucket),
): ObjectVersion {
  const state = stateOf(ctx, bucket);
  const previous = versionId === 'null' ? nullVersion(bucket, draft.key) : undefined;
  const record = draft as { -readonly [Name in keyof VersionRecord]: VersionRecord[Name] };
  record.bucket = bucket.name;
  record.versionId = versionId;
  record.lastModified = wholeSeconds(ctx.clock.now());
  const version = state.addVersion(bucket, record);
  if (previous) state.dropVersion(bucket, previous);
  return version;
}

/** The version of a key that was written without versioning. */
export function nullVersion(bucket: Bucket, key: string): ObjectVersion | undefined {
  return bucket.objects.get(key)?.versions.find(({ versionId }) => versionId === 'null');
}

/** Puts a delete marker on top of a key's versions. */
export function writeDeleteMarker(
  ctx: Pick<S3Context, 'ids' | 'clock' | 'handle' | 'region'>,
  bucket: Bucket,
  key: string,
): ObjectVersion {
  return writeVersion(ctx, bucket, {
    key,
    deleteMarker: true,
    etag: '',
    size: 0,
    content: [],
    system: {},
    metadata: {},
    storageClass: 'STANDARD',
    encryption: { algorithm: 'AES256' },
  });
}

/** `VersionId`, which is absent in buckets that never had versioning. */
export function versionMember(bucket: Bucket, { versionId }: ObjectVersion): { VersionId?: string } {
  return bucket.record.versioning === undefined ? {} : { VersionId: versionId };
}
