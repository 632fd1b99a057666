import { awsError } from '@emu/wire';
import type { ObjectVersion } from './object-index.ts';
import { ARCHIVED } from './storage-class.ts';

/** Milliseconds that a restore takes, by its tier, as AWS states for S3 Glacier Flexible Retrieval. */
export const RESTORE_DURATIONS: Readonly<Record<string, number>> = {
  Expedited: 5 * 60_000,
  Standard: 5 * 3_600_000,
  Bulk: 12 * 3_600_000,
};

/** Whether an archived object's restored copy can be read now. */
export function isRestored({ restore }: ObjectVersion, now: number): boolean {
  return restore !== undefined && !restore.ongoing && (restore.expiry === undefined || restore.expiry > now);
}

/**
 * Refuses to read what is archived and not restored.
 * @throws AwsError `InvalidObjectState`
 */
export function requireReadable(version: ObjectVersion, now: number): void {
  if (!ARCHIVED.has(version.storageClass) || isRestored(version, now)) return;
  throw awsError('InvalidObjectState', "The operation is not valid for the object's storage class", {
    members: { StorageClass: version.storageClass },
  });
}

/** `x-amz-restore`. */
export function restoreHeader({ restore }: ObjectVersion, now: number): string | undefined {
  if (!restore || (restore.expiry !== undefined && restore.expiry <= now)) return undefined;
  if (restore.ongoing) return 'ongoing-request="true"';
  return `ongoing-request="false", expiry-date="${new Date(restore.expiry!).toUTCString()}"`;
}
