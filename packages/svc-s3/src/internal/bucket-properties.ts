import type { DeepReadonly } from '@emu/core/service';
import type { ReplicationRule } from '@emu/service-types/s3';
import type { Bucket } from '../buckets/bucket.ts';
import { bucketNameOf } from '../resources.ts';

/** Bucket settings for S3 Storage Lens, by metric name and the option that enables them. */
export interface BucketProperties {
  readonly free: Readonly<Record<string, number>>;
  readonly costOptimization: Readonly<Record<string, number>>;
  readonly dataProtection: Readonly<Record<string, number>>;
}

const one = (condition: boolean): number => (condition ? 1 : 0);

/**
 * Counts a bucket's settings.
 * @param find returns a bucket of any account by name
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage_lens_metrics_glossary.html
 */
export function propertiesOf(bucket: Bucket, find: (name: string) => Bucket | undefined): BucketProperties {
  const { versioning, mfaDelete, configurations } = bucket.record;
  const { encryption, ownership, accelerate, notification } = configurations;
  const defaultAlgorithm = encryption?.[0]?.ApplyServerSideEncryptionByDefault?.SSEAlgorithm;
  return {
    free: {
      VersioningEnabledBucketCount: one(versioning === 'Enabled'),
      MFADeleteEnabledBucketCount: one(mfaDelete === 'Enabled'),
      SSEKMSEnabledBucketCount: one(defaultAlgorithm?.startsWith('aws:kms') === true),
      ObjectOwnershipBucketOwnerEnforcedBucketCount: one(ownership === 'BucketOwnerEnforced'),
      ObjectOwnershipBucketOwnerPreferredBucketCount: one(ownership === 'BucketOwnerPreferred'),
      // Default.
      ObjectOwnershipObjectWriterBucketCount: one(ownership === undefined || ownership === 'ObjectWriter'),
      TransferAccelerationEnabledBucketCount: one(accelerate?.Status === 'Enabled'),
      EventNotificationEnabledBucketCount: one(
        Object.values(notification ?? {}).some(
          (value) => value !== undefined && !(Array.isArray(value) && !value.length),
        ),
      ),
    },
    costOptimization: lifecycleCounts(bucket),
    dataProtection: replicationCounts(bucket, find),
  };
}

function lifecycleCounts(bucket: Bucket): Record<string, number> {
  const rules = bucket.record.configurations.lifecycle?.rules ?? [];
  const count = (test: (rule: (typeof rules)[number]) => boolean): number => rules.filter(test).length;
  return {
    TransitionLifecycleRuleCount: count(({ Transitions }) => (Transitions?.length ?? 0) > 0),
    ExpirationLifecycleRuleCount: count(
      ({ Expiration }) => Expiration?.Days !== undefined || Expiration?.Date !== undefined,
    ),
    NoncurrentVersionTransitionLifecycleRuleCount: count(
      ({ NoncurrentVersionTransitions }) => (NoncurrentVersionTransitions?.length ?? 0) > 0,
    ),
    NoncurrentVersionExpirationLifecycleRuleCount: count((rule) => rule.NoncurrentVersionExpiration !== undefined),
    AbortIncompleteMPULifecycleRuleCount: count((rule) => rule.AbortIncompleteMultipartUpload !== undefined),
    ExpiredObjectDeleteMarkerLifecycleRuleCount: count(
      ({ Expiration }) => Expiration?.ExpiredObjectDeleteMarker === true,
    ),
    TotalLifecycleRuleCount: rules.length,
  };
}

function replicationCounts(bucket: Bucket, find: (name: string) => Bucket | undefined): Record<string, number> {
  const rules: readonly DeepReadonly<ReplicationRule>[] = bucket.record.configurations.replication?.Rules ?? [];
  const targets = rules.map(({ Destination }) => find(bucketNameOf(Destination.Bucket) ?? ''));
  const known = targets.filter((target) => target !== undefined);
  const sameRegion = known.filter(({ region }) => region === bucket.region).length;
  const sameAccount = known.filter(({ accountId }) => accountId === bucket.accountId).length;
  return {
    SameRegionReplicationRuleCount: sameRegion,
    CrossRegionReplicationRuleCount: known.length - sameRegion,
    SameAccountReplicationRuleCount: sameAccount,
    CrossAccountReplicationRuleCount: known.length - sameAccount,
    InvalidDestinationReplicationRuleCount: targets.length - known.length,
  };
}
