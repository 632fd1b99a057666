import { notEmulated } from '@emu/core/service';
import type { InputOf, OutputOf, RestoreRequest } from '@emu/service-types/s3';
import { oneOf } from '../buckets/documents.ts';
import type { S3Context } from '../context.ts';
import { malformedXml, s3Error } from '../errors.ts';
import { eventOf } from '../events/messages.ts';
import { emit } from '../events/notifications.ts';
import {
  isArchived,
  isRestored,
  RESTORE_DURATION,
  restoreExpiry,
  storageMembers,
  watchRestore,
} from '../lifecycle/restore.ts';
import { requireBucket, requireVersion, stateOf } from '../lookup.ts';

const TIERS = ['Standard', 'Bulk', 'Expedited'];

/**
 * Validates that a request has exactly the members of its kind: days for a copy, or a query with an output location.
 * @throws AwsError `MalformedXML`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_RestoreRequest.html
 */
function checkKind(request: RestoreRequest): void {
  const { Type: type, Days: days, GlacierJobParameters: glacier } = request;
  const { SelectParameters: select, OutputLocation: location } = request;
  if (type !== undefined) oneOf(type, ['SELECT']);
  const query = type === 'SELECT';
  if (query !== (select !== undefined) || query !== (location?.S3 !== undefined)) throw malformedXml();
  if (query && (days !== undefined || glacier !== undefined)) throw malformedXml();
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_RestoreObject.html */
export function RestoreObject(input: InputOf<'RestoreObject'>, ctx: S3Context): OutputOf<'RestoreObject'> {
  const bucket = requireBucket(ctx, input);
  const version = requireVersion(ctx, bucket, input.Key, input.VersionId);
  const request = input.RestoreRequest ?? {};
  const { Days: days, Tier, GlacierJobParameters: glacier, Type: type } = request;
  checkKind(request);
  if (type === 'SELECT') throw notEmulated('s3.RestoreObject with a query');
  const tier = glacier?.Tier ?? Tier ?? 'Standard';
  if (!TIERS.includes(tier)) throw malformedXml();
  if (version.storageClass === 'INTELLIGENT_TIERING' && days !== undefined)
    throw s3Error(
      'InvalidArgument',
      'INTELLIGENT_TIERING objects are not subject to restore expiry. Do not specify Days when restoring this object',
      { status: 400 },
    );
  if (!isArchived(version))
    throw s3Error('InvalidObjectState', "Restore is not allowed for the object's current storage class", {
      members: storageMembers(version),
    });
  // Objects restored from an archive tier stay in the frequent access tier.
  const { archiveTier } = version;
  if (!archiveTier && (days === undefined || days < 1)) throw malformedXml();
  if (tier === 'Expedited' && (version.storageClass === 'DEEP_ARCHIVE' || archiveTier === 'DEEP_ARCHIVE_ACCESS'))
    throw s3Error('InvalidArgument', 'Expedited retrievals are not supported for this storage class', { status: 400 });
  const now = ctx.clock.now();
  const { restore } = version;
  if (restore && restore.completesAt > now)
    throw s3Error('RestoreAlreadyInProgress', 'Object restore is already in progress', { status: 409 });
  const again = isRestored(version, now);
  const state = stateOf(ctx, bucket);
  const completesAt = again ? restore!.completesAt : now + RESTORE_DURATION;
  const stored = state.updateVersion(bucket, version, (draft) => {
    const expiresAt = days === undefined ? completesAt : restoreExpiry(again ? now : completesAt, days);
    draft.restore = { ...(again && restore), completesAt, expiresAt };
  });
  watchRestore(state, bucket, stored);
  // A repeated request only changes the copy's lifetime.
  if (again) return {};
  emit(ctx, bucket, {
    ...eventOf(bucket, stored),
    name: 'ObjectRestore:Post',
    detail: { 'source-storage-class': stored.storageClass },
  });
  ctx.reply.status = 202;
  return {};
}
