import type { Bucket } from '../buckets/bucket.ts';
import type { S3Context } from '../context.ts';
import { s3Error } from '../errors.ts';
import { actorOf } from '../events/actor.ts';
import { eventOf } from '../events/messages.ts';
import { emit } from '../events/notifications.ts';
import type { ObjectVersion } from '../listing/object-index.ts';
import { ARCHIVED } from '../objects/storage-class.ts';
import type { S3State } from '../state.ts';
import { noteAccess } from './access-tiers.ts';
import { dueAfter } from './evaluation.ts';

/** Duration of a restore in milliseconds; AWS needs minutes to hours. */
export const RESTORE_DURATION = 1000;

/**
 * Returns the expiry of a restored copy: the midnight (UTC) after its days.
 * @returns epoch milliseconds
 */
export const restoreExpiry = (from: number, days: number): number => dueAfter(from, days);

/** Whether an archived object's restored copy is readable. */
export function isRestored({ restore }: ObjectVersion, now: number): boolean {
  return restore !== undefined && restore.completesAt <= now && restore.expiresAt > now;
}

/** Whether an object is in an archive class, or in an archive tier of S3 Intelligent-Tiering. */
export const isArchived = ({ storageClass, archiveTier }: ObjectVersion): boolean =>
  archiveTier !== undefined || ARCHIVED.has(storageClass);

/** Returns the members of an error that name where an object is stored. */
export const storageMembers = ({ storageClass, archiveTier }: ObjectVersion): Record<string, string> => ({
  StorageClass: storageClass,
  ...(archiveTier && { AccessTier: archiveTier }),
});

/**
 * Rejects reading an archived object that is not restored, and records the access to others.
 * @throws AwsError `InvalidObjectState`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html#API_GetObject_Examples
 */
export function requireReadable(
  ctx: Pick<S3Context, 'clock' | 'handle'>,
  bucket: Bucket,
  version: ObjectVersion,
): void {
  if (isArchived(version) && !isRestored(version, ctx.clock.now()))
    throw s3Error(
      'InvalidObjectState',
      version.archiveTier
        ? "The operation is not valid for the object's access tier"
        : "The operation is not valid for the object's storage class",
      { members: storageMembers(version) },
    );
  noteAccess(ctx, bucket, version);
}

/** `x-amz-restore`. */
export function restoreHeader({ restore }: ObjectVersion, now: number): string | undefined {
  if (!restore || restore.expiresAt <= now) return undefined;
  if (restore.completesAt > now) return 'ongoing-request="true"';
  return `ongoing-request="false", expiry-date="${new Date(restore.expiresAt).toUTCString()}"`;
}

/**
 * Schedules the completion of a restore and the expiry of its copy.
 * @param state state of the bucket's account
 */
export function watchRestore(state: S3State, bucket: Bucket, version: ObjectVersion): void {
  const { completesAt, expiresAt, announced } = version.restore!;
  const key = String(version.sequence);
  if (announced) state.restores.set(key, expiresAt, () => endRestore(state, bucket, version));
  else state.restores.set(key, completesAt, () => completeRestore(state, bucket, version));
}

/** Returns the current record of the version; undefined if deleted meanwhile. */
const present = (bucket: Bucket, { key, sequence }: ObjectVersion): ObjectVersion | undefined =>
  bucket.objects.get(key)?.versions.find((version) => version.sequence === sequence);

function completeRestore(state: S3State, bucket: Bucket, version: ObjectVersion): void {
  // The object may be deleted meanwhile; the event is sent nevertheless.
  const current = present(bucket, version);
  if (version.archiveTier) {
    completeTierRestore(state, bucket, version, current);
    return;
  }
  if (current)
    watchRestore(
      state,
      bucket,
      state.updateVersion(bucket, current, (draft) => {
        draft.restore = { ...draft.restore!, announced: true };
      }),
    );
  const expiry = new Date(version.restore!.expiresAt).toISOString();
  emit(actorOf(state), bucket, {
    ...eventOf(bucket, version),
    name: 'ObjectRestore:Completed',
    extra: {
      glacierEventData: {
        restoreEventData: {
          lifecycleRestorationExpiryTime: expiry,
          lifecycleRestoreStorageClass: version.storageClass,
        },
      },
    },
    detail: { 'restore-expiry-time': expiry, 'source-storage-class': version.storageClass },
  });
}

/** Moves a restored object back to the frequent access tier, where it stays. */
function completeTierRestore(
  state: S3State,
  bucket: Bucket,
  version: ObjectVersion,
  current: ObjectVersion | undefined,
): void {
  if (current)
    state.updateVersion(bucket, current, (draft) => {
      delete draft.restore;
      delete draft.archiveTier;
      draft.accessedAt = version.restore!.completesAt;
    });
  emit(actorOf(state), bucket, {
    ...eventOf(bucket, version),
    name: 'ObjectRestore:Completed',
    extra: { glacierEventData: { restoreEventData: { lifecycleRestoreStorageClass: version.storageClass } } },
    detail: { 'source-storage-class': version.storageClass },
  });
}

/** Removes the restored copy of an existing version. */
function endRestore(state: S3State, bucket: Bucket, version: ObjectVersion): void {
  const current = present(bucket, version);
  if (!current) return;
  state.updateVersion(bucket, current, (draft) => {
    delete draft.restore;
  });
  emit(actorOf(state), bucket, { ...eventOf(bucket, current), name: 'ObjectRestore:Delete' });
}

/** Resumes restores after a restart. */
export function watchRestores(state: S3State): void {
  for (const bucket of state.buckets())
    for (const { versions } of bucket.objects.from(''))
      for (const version of versions) if (version.restore) watchRestore(state, bucket, version);
}
