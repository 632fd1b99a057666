import type { DeepReadonly } from '@emu/core/service';
import type { IntelligentTieringConfiguration } from '@emu/service-types/s3';
import type { Bucket } from '../buckets/bucket.ts';
import type { S3Context } from '../context.ts';
import type { ObjectVersion } from '../listing/object-index.ts';
import { stateOf } from '../lookup.ts';
import type { ArchiveTier } from '../records.ts';
import { hasTags } from '../tags.ts';

type Tiering = DeepReadonly<IntelligentTieringConfiguration>;

/** Storage class of objects whose access tier depends on their last access. */
export const INTELLIGENT_TIERING = 'INTELLIGENT_TIERING';

const DAY = 86_400_000;
/** Minimum size in bytes of objects whose access S3 monitors. */
const MIN_MONITORED_SIZE = 128 * 1024;
/** Days without access after which objects are in the automatic tiers. */
const INFREQUENT_DAYS = 30;
const INSTANT_DAYS = 90;

/** Archive tiers, the deepest last. */
export const ARCHIVE_TIERS: readonly ArchiveTier[] = ['ARCHIVE_ACCESS', 'DEEP_ARCHIVE_ACCESS'];
/** Minimum days without access for each archive tier. */
export const MIN_TIER_DAYS: Readonly<Record<string, number>> = { ARCHIVE_ACCESS: 90, DEEP_ARCHIVE_ACCESS: 180 };
/** Maximum days without access for each archive tier. */
export const MAX_TIER_DAYS = 730;

/** Returns the enabled configurations of a bucket. */
export const enabledTierings = ({ record }: Bucket): Tiering[] =>
  Object.values(record.configurations.intelligentTiering ?? {}).filter(({ Status }) => Status === 'Enabled');

/** Whether S3 moves a version between access tiers. */
const isMonitored = ({ storageClass, size }: ObjectVersion): boolean =>
  storageClass === INTELLIGENT_TIERING && size >= MIN_MONITORED_SIZE;

/** Returns the last access of a version in epoch milliseconds. */
const accessOf = ({ accessedAt, lastModified }: ObjectVersion): number => accessedAt ?? lastModified;

function selects({ Filter: filter }: Tiering, { key, tags }: ObjectVersion): boolean {
  const and = filter?.And;
  for (const prefix of [filter?.Prefix, and?.Prefix]) if (prefix !== undefined && !key.startsWith(prefix)) return false;
  return hasTags(tags, [...(filter?.Tag ? [filter.Tag] : []), ...(and?.Tags ?? [])]);
}

/**
 * Returns the archive tier that a version must move to; undefined if it stays where it is. Objects return from an
 * archive tier only by a restore.
 * @param dueAfter returns the time in epoch milliseconds after a number of days
 * @param reached whether a time has come
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/intelligent-tiering-overview.html
 */
export function dueTier(
  tierings: readonly Tiering[],
  version: ObjectVersion,
  dueAfter: (start: number, days: number) => number,
  reached: (at: number) => boolean,
): ArchiveTier | undefined {
  if (!isMonitored(version) || version.restore) return undefined;
  const depth = (tier: string | undefined) => ARCHIVE_TIERS.indexOf(tier as ArchiveTier);
  let deepest = version.archiveTier;
  for (const tiering of tierings) {
    if (!selects(tiering, version)) continue;
    for (const { Days: days, AccessTier: tier } of tiering.Tierings)
      if (depth(tier) > depth(deepest) && reached(dueAfter(accessOf(version), days))) deepest = tier;
  }
  return deepest === version.archiveTier ? undefined : deepest;
}

/**
 * Returns the access tier of a version in inventories; undefined in other storage classes.
 * @param now epoch milliseconds
 */
export function accessTierOf(version: ObjectVersion, now: number): string | undefined {
  if (version.storageClass !== INTELLIGENT_TIERING) return undefined;
  if (version.archiveTier) return version.archiveTier.replace('_ACCESS', '');
  const days = isMonitored(version) ? (now - accessOf(version)) / DAY : 0;
  if (days >= INSTANT_DAYS) return 'ARCHIVE_INSTANT_ACCESS';
  return days >= INFREQUENT_DAYS ? 'INFREQUENT' : 'FREQUENT';
}

/** Records a read of a version's content, which returns it to the frequent access tier. One per day suffices. */
export function noteAccess(ctx: Pick<S3Context, 'clock' | 'handle'>, bucket: Bucket, version: ObjectVersion): void {
  if (!isMonitored(version)) return;
  const now = ctx.clock.now();
  if (Math.floor(accessOf(version) / DAY) === Math.floor(now / DAY)) return;
  stateOf(ctx, bucket).updateVersion(bucket, version, (draft) => {
    draft.accessedAt = now;
  });
}
