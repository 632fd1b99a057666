import type { DeepReadonly } from '@emu/core/service';
import type { Bucket } from '../buckets/bucket.ts';
import { stateOf } from '../buckets/lookup.ts';
import type { S3Context } from '../context.ts';
import type { ObjectVersion } from '../listing/object-index.ts';
import type { ObjectSettings, VersionRecord } from '../records.ts';
import { newVersionId } from './version-ids.ts';

/** The version id of what is written to a key now. */
function nextVersionId(ctx: Pick<S3Context, 'ids'>, bucket: Bucket, key: string): string {
  return bucket.record.versioning === 'Enabled' ? newVersionId(ctx, key) : 'null';
}

/** S3 keeps whole seconds. @returns epoch milliseconds */
export const wholeSeconds = (now: number): number => Math.floor(now / 1000) * 1000;

/** What a write adds to a key, besides its settings. */
export type VersionContent = Pick<
  VersionRecord,
  'key' | 'deleteMarker' | 'etag' | 'size' | 'content' | 'parts' | 'checksum' | 'uploadId'
>;

/**
 * Puts a version in its bucket. Where versioning is not on, it takes the place of the null version.
 * @param versionId given where it must be known before, as for replicas
 */
export function writeVersion(
  ctx: Pick<S3Context, 'ids' | 'clock' | 'handle' | 'region'>,
  bucket: Bucket,
  settings: DeepReadonly<ObjectSettings>,
  written: DeepReadonly<VersionContent>,
  versionId = nextVersionId(ctx, bucket, written.key),
): ObjectVersion {
  const state = stateOf(ctx, bucket);
  const previous = versionId === 'null' ? nullVersion(bucket, written.key) : undefined;
  const record = recordOf(bucket.name, versionId, wholeSeconds(ctx.clock.now()), settings, written);
  const version = state.addVersion(bucket, record as VersionRecord);
  if (previous) state.dropVersion(bucket, previous);
  return version;
}

/** Built in one piece, and not of copies of parts: this is on the hottest path of S3. */
function recordOf(
  bucket: string,
  versionId: string,
  lastModified: number,
  settings: DeepReadonly<ObjectSettings>,
  written: DeepReadonly<VersionContent>,
): DeepReadonly<VersionRecord> {
  const record: { -readonly [Name in keyof VersionRecord]: DeepReadonly<VersionRecord>[Name] } = {
    bucket,
    key: written.key,
    versionId,
    sequence: 0,
    lastModified,
    etag: written.etag,
    size: written.size,
    content: written.content,
    system: settings.system,
    metadata: settings.metadata,
    storageClass: settings.storageClass,
    encryption: settings.encryption,
    checksum: written.checksum,
  };
  const { websiteRedirectLocation, tags, owner, acl, retention, legalHold } = settings;
  if (written.deleteMarker) record.deleteMarker = true;
  if (written.parts) record.parts = written.parts;
  if (written.uploadId !== undefined) record.uploadId = written.uploadId;
  if (websiteRedirectLocation !== undefined) record.websiteRedirectLocation = websiteRedirectLocation;
  if (tags) record.tags = tags;
  if (owner !== undefined) record.owner = owner;
  if (acl) record.acl = acl;
  if (retention) record.retention = retention;
  if (legalHold) record.legalHold = legalHold;
  return record;
}

/** The version of a key that was written without versioning. */
export function nullVersion(bucket: Bucket, key: string): ObjectVersion | undefined {
  const versions = bucket.objects.get(key)?.versions;
  if (versions) for (const version of versions) if (version.versionId === 'null') return version;
  return undefined;
}

/** Puts a delete marker on top of a key's versions. */
export function writeDeleteMarker(
  ctx: Pick<S3Context, 'ids' | 'clock' | 'handle' | 'region'>,
  bucket: Bucket,
  key: string,
): ObjectVersion {
  const settings: ObjectSettings = {
    system: {},
    metadata: {},
    storageClass: 'STANDARD',
    encryption: { algorithm: 'AES256' },
  };
  return writeVersion(ctx, bucket, settings, { key, deleteMarker: true, etag: '', size: 0, content: [] });
}

/** `VersionId`, which is absent in buckets that never had versioning. */
export function versionMember(bucket: Bucket, { versionId }: ObjectVersion): { VersionId?: string } {
  return bucket.record.versioning === undefined ? {} : { VersionId: versionId };
}
