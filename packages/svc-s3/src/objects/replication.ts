import { type DeepReadonly, type InterruptedWork, interruptedRecords } from '@emu/core/service';
import type { ReplicationRule } from '@emu/service-types/s3';
import type { Bucket } from '../buckets/bucket.ts';
import { s3Error } from '../errors.ts';
import { type Actor, actorOf } from '../events/actor.ts';
import { eventOf } from '../events/messages.ts';
import { emit } from '../events/notifications.ts';
import type { ObjectVersion } from '../listing/object-index.ts';
import { findIn, stateOf } from '../lookup.ts';
import type { ReplicationRecord } from '../records.ts';
import { bucketNameOf } from '../resources.ts';
import type { S3State } from '../state.ts';
import { hasTags } from '../tags.ts';

type Rule = DeepReadonly<ReplicationRule>;

/** Whether a rule's filter selects a version. */
function matches({ Filter: filter, Prefix: prefix }: Rule, version: ObjectVersion): boolean {
  const prefixes = [prefix, filter?.Prefix, filter?.And?.Prefix].filter((one) => one !== undefined);
  if (!prefixes.every((one) => version.key.startsWith(one))) return false;
  const tags = [...(filter?.Tag ? [filter.Tag] : []), ...(filter?.And?.Tags ?? [])];
  return hasTags(version.tags, tags);
}

/**
 * Returns the rules for a version: per destination the one with the highest priority.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/replication-what-is-isnt-replicated.html
 */
function rulesFor(bucket: Bucket, version: ObjectVersion): Rule[] {
  const { replication } = bucket.record.configurations;
  if (!replication || version.encryption.algorithm === 'customer') return [];
  const byDestination = new Map<string, Rule>();
  for (const rule of replication.Rules) {
    if (rule.Status !== 'Enabled' || !matches(rule, version)) continue;
    if (version.deleteMarker && rule.DeleteMarkerReplication?.Status !== 'Enabled' && rule.Filter !== undefined)
      continue;
    const encrypted = version.encryption.algorithm !== 'AES256';
    if (encrypted && rule.SourceSelectionCriteria?.SseKmsEncryptedObjects?.Status !== 'Enabled') continue;
    const other = byDestination.get(rule.Destination.Bucket);
    if (!other || (rule.Priority ?? 0) > (other.Priority ?? 0)) byDestination.set(rule.Destination.Bucket, rule);
  }
  return [...byDestination.values()];
}

/** Returns a bucket of any account by ARN. */
function findDestination(actor: Actor, arn: string): Bucket | undefined {
  const name = bucketNameOf(arn);
  return name === undefined ? undefined : findIn(actor.handle, name);
}

/**
 * Replicates a new version to the destinations of its bucket's rules, with version id, metadata and tags. The source's
 * status is `PENDING` until then, and a record persists the pending replication.
 */
export function replicate(actor: Actor, bucket: Bucket, version: ObjectVersion): void {
  if (!bucket.record.configurations.replication || version.replicationStatus === 'REPLICA') return;
  begin(actor, bucket, version, rulesFor(bucket, version));
}

/**
 * Replicates changed tags, ACL and lock of a replicated version to its replicas. Changes of a replica are replicated
 * back if a rule of its bucket requests it.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/replication-for-metadata-changes.html
 */
export function replicateChange(actor: Actor, bucket: Bucket, version: ObjectVersion): void {
  if (!bucket.record.configurations.replication || version.replicationStatus === undefined) return;
  const rules = rulesFor(bucket, version);
  const isReplica = version.replicationStatus === 'REPLICA';
  begin(
    actor,
    bucket,
    version,
    isReplica
      ? rules.filter((rule) => rule.SourceSelectionCriteria?.ReplicaModifications?.Status === 'Enabled')
      : rules,
  );
}

function begin(actor: Actor, bucket: Bucket, version: ObjectVersion, rules: readonly Rule[]): void {
  if (rules.length === 0) return;
  const source = stateOf(actor, bucket);
  if (hasStatus(version))
    source.updateVersion(bucket, version, (draft) => {
      draft.replicationStatus = 'PENDING';
    });
  const { key, sequence } = version;
  source.replications.put(String(sequence), { bucket: bucket.name, key, sequence, cause: actor.requestId });
  schedule(actor, source, bucket, version, rules);
}

/** Whether a version has a replication status: delete markers have none, and replicas keep theirs. */
const hasStatus = ({ deleteMarker, replicationStatus }: ObjectVersion): boolean =>
  !deleteMarker && replicationStatus !== 'REPLICA';

/** Returns replications that a restart interrupted; they continue by the current rules. */
export function interruptedReplications(state: S3State): InterruptedWork[] {
  const find = ({ bucket: name, key, sequence }: DeepReadonly<ReplicationRecord>) => {
    const bucket = state.bucket(name);
    const version = bucket?.objects.get(key)?.versions.find((one) => one.sequence === sequence);
    return bucket && version && { bucket, version };
  };
  return interruptedRecords(state.replications, {
    name: ({ sequence }) => `replication ${sequence}`,
    resume: (record, id) => {
      const found = find(record);
      if (found) {
        const { bucket, version } = found;
        schedule(actorOf(state, record.cause), state, bucket, version, rulesFor(bucket, version));
        return undefined;
      }
      state.replications.delete(id);
      return Promise.resolve();
    },
    fail: (record, _reason, id) => {
      const found = find(record);
      if (found && hasStatus(found.version))
        state.updateVersion(found.bucket, found.version, (draft) => {
          draft.replicationStatus = 'FAILED';
        });
      state.replications.delete(id);
    },
  });
}

/**
 * Schedules a replication. Like on AWS, the response does not wait for replication, which follows the emulated clock so
 * that tests control it.
 */
function schedule(actor: Actor, source: S3State, bucket: Bucket, version: ObjectVersion, rules: readonly Rule[]): void {
  source.scope.clock.after(0, () => {
    source.replications.delete(String(version.sequence));
    const current = bucket.objects.get(version.key)?.versions.find(({ sequence }) => sequence === version.sequence);
    if (!current || source.bucket(bucket.name) !== bucket) return;
    const copied = rules.map((rule) => copy(actor, bucket, current, rule));
    if (hasStatus(current))
      source.updateVersion(bucket, current, (draft) => {
        draft.replicationStatus = copied.every(Boolean) ? 'COMPLETED' : 'FAILED';
      });
  });
}

/**
 * Replicates an existing version, as S3 Batch Replication does, including replicas from other buckets.
 * @throws AwsError `ReplicationConfigurationNotFoundError`, `InvalidRequest` without a matching rule,
 * `DstBucketNotFound`, `DstBucketUnversioned`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-batch-replication-batch.html
 */
export function replicateExisting(actor: Actor, bucket: Bucket, version: ObjectVersion): void {
  if (!bucket.record.configurations.replication)
    throw s3Error('ReplicationConfigurationNotFoundError', 'The replication configuration was not found', {
      status: 404,
    });
  const rules = rulesFor(bucket, version);
  if (rules.length === 0)
    throw s3Error('InvalidRequest', 'The object is not eligible for replication by any rule', { status: 400 });
  const copied = rules.map((rule) => copy(actor, bucket, version, rule));
  if (hasStatus(version))
    stateOf(actor, bucket).updateVersion(bucket, version, (draft) => {
      draft.replicationStatus = copied.every(Boolean) ? 'COMPLETED' : 'FAILED';
    });
  const refused = rules[copied.indexOf(false)];
  if (!refused) return;
  const exists = findDestination(actor, refused.Destination.Bucket) !== undefined;
  throw s3Error(
    exists ? 'DstBucketUnversioned' : 'DstBucketNotFound',
    exists ? 'The destination bucket has no versioning' : 'The destination bucket was not found',
    { status: exists ? 400 : 404 },
  );
}

/** @returns whether the destination has it now */
function copy(actor: Actor, bucket: Bucket, version: ObjectVersion, { Destination: destination }: Rule): boolean {
  const found = findDestination(actor, destination.Bucket);
  if (found?.record.versioning !== 'Enabled') {
    emit(actor, bucket, { ...eventOf(bucket, version), name: 'Replication:OperationFailedReplication' });
    return false;
  }
  const state = stateOf(actor, found);
  const access = accessOf(bucket, found, version, destination);
  const present = found.objects.get(version.key)?.versions.find(({ versionId }) => versionId === version.versionId);
  if (present) {
    follow(state, found, present, { ...version, acl: access.acl });
    return true;
  }
  const {
    sequence: _sequence,
    owner: _owner,
    acl: _acl,
    accessedAt: _accessedAt,
    archiveTier: _archiveTier,
    restore: _restore,
    parts,
    ...rest
  } = version;
  state.addVersion(found, {
    ...rest,
    ...access,
    bucket: found.name,
    ...(parts && { parts }),
    storageClass: destination.StorageClass ?? version.storageClass,
    replicationStatus: 'REPLICA',
    ...(destination.EncryptionConfiguration?.ReplicaKmsKeyID && {
      encryption: {
        algorithm: 'aws:kms' as const,
        keyId: destination.EncryptionConfiguration.ReplicaKmsKeyID,
        bucketKey: false,
      },
    }),
  });
  return true;
}

/** Replicated mutable settings of a version. */
type Changeable = Pick<ObjectVersion, 'tags' | 'acl' | 'retention' | 'legalHold'>;

/** Applies its source's settings to a replica. */
function follow(
  state: S3State,
  bucket: Bucket,
  replica: ObjectVersion,
  { tags, acl, retention, legalHold }: Changeable,
): void {
  state.updateVersion(bucket, replica, (draft) => {
    for (const name of ['tags', 'acl', 'retention', 'legalHold'] as const) delete draft[name];
    Object.assign(draft, tags && { tags }, acl && { acl }, retention && { retention }, legalHold && { legalHold });
  });
}

/**
 * Returns the owner and ACL of a replica: the source's, or the destination account's if the rule says so or that bucket
 * has no ACLs.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/replication-change-owner.html
 */
function accessOf(
  source: Bucket,
  found: Bucket,
  version: ObjectVersion,
  destination: Rule['Destination'],
): Pick<ObjectVersion, 'owner' | 'acl'> {
  const translated = destination.AccessControlTranslation?.Owner === 'Destination';
  if (translated || found.record.configurations.ownership === 'BucketOwnerEnforced') return {};
  const owner = version.owner ?? source.accountId;
  return { ...(owner !== found.accountId && { owner }), ...(version.acl && { acl: version.acl }) };
}
