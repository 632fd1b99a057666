import type { DeepReadonly } from '@emu/core/service';
import type { Bucket } from '../buckets/bucket.ts';
import { S3_MANAGED } from '../content/encryption.ts';
import type { S3Context } from '../context.ts';
import type { ObjectVersion } from '../listing/object-index.ts';
import { stateOf } from '../lookup.ts';
import type { ObjectSettings, VersionRecord } from '../records.ts';
import { newVersionId } from './version-ids.ts';

/** Returns the version id of a write to a key. */
function nextVersionId(ctx: Pick<S3Context, 'ids'>, bucket: Bucket, key: string): string {
  return bucket.record.versioning === 'Enabled' ? newVersionId(ctx, key) : 'null';
}

/**
 * Rounds down to a second. S3 stores whole seconds.
 * @returns epoch milliseconds
 */
export const wholeSeconds = (now: number): number => Math.floor(now / 1000) * 1000;

/** Data of a new version besides its settings. */
export type VersionContent = Pick<
  VersionRecord,
  'key' | 'deleteMarker' | 'etag' | 'size' | 'content' | 'parts' | 'checksum' | 'uploadId'
>;

/**
 * Adds a version to its bucket. Unless versioning is enabled, it replaces the null version.
 * @param versionId given if it must be known in advance, as for replicas
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

/** Creates the record of a version. Built without object spreads: this is S3's hottest path. */
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

/** Returns the null version of a key. */
export function nullVersion(bucket: Bucket, key: string): ObjectVersion | undefined {
  const versions = bucket.objects.get(key)?.versions;
  if (versions) for (const version of versions) if (version.versionId === 'null') return version;
  return undefined;
}

/** Adds a delete marker to a key. */
export function writeDeleteMarker(
  ctx: Pick<S3Context, 'ids' | 'clock' | 'handle' | 'region'>,
  bucket: Bucket,
  key: string,
): ObjectVersion {
  const settings: ObjectSettings = {
    system: {},
    metadata: {},
    storageClass: 'STANDARD',
    encryption: S3_MANAGED,
  };
  return writeVersion(ctx, bucket, settings, { key, deleteMarker: true, etag: '', size: 0, content: [] });
}

/** Returns `VersionId`, absent in never versioned buckets. */
export function versionMember(bucket: Bucket, { versionId }: ObjectVersion): { VersionId?: string } {
  return bucket.record.versioning === undefined ? {} : { VersionId: versionId };
}
