import type { InputOf, OutputOf, ReplicationRule } from '@emu/service-types/s3';
import { deleteSetting, getSetting, oneOf, putSetting } from '../buckets/documents.ts';
import type { S3Context } from '../context.ts';
import { invalidArgument, invalidRequest, malformedXml } from '../errors.ts';
import { findBucket, requireBucket } from '../lookup.ts';
import { isStorageClass } from '../objects/storage-class.ts';
import { bucketNameOf } from '../resources.ts';

const MAX_RULES = 1000;
const STATUSES = ['Enabled', 'Disabled'];

/**
 * Returns the bucket of `arn:aws:s3:::<bucket>`.
 * @throws AwsError `InvalidArgument`
 */
function destinationBucket(arn: string): string {
  const name = bucketNameOf(arn);
  if (name === undefined) throw invalidArgument('Invalid bucket ARN.', 'Bucket', arn);
  return name;
}

/**
 * Validates enumerations in a rule.
 * @throws AwsError `MalformedXML`
 */
function checkValues(rule: ReplicationRule): void {
  const { Destination: destination, SourceSelectionCriteria: criteria } = rule;
  oneOf(rule.Status, STATUSES);
  for (const setting of [
    rule.DeleteMarkerReplication,
    rule.ExistingObjectReplication,
    criteria?.SseKmsEncryptedObjects,
    criteria?.ReplicaModifications,
    destination.ReplicationTime,
    destination.Metrics,
  ])
    if (setting?.Status !== undefined) oneOf(setting.Status, STATUSES);
  if (destination.StorageClass !== undefined && !isStorageClass(destination.StorageClass)) throw malformedXml();
  if (destination.AccessControlTranslation) oneOf(destination.AccessControlTranslation.Owner, ['Destination']);
}

/**
 * Validates combinations in a rule.
 * @throws AwsError `InvalidRequest`, `InvalidArgument`
 */
function checkTogether({ SourceSelectionCriteria: criteria, Destination: destination }: ReplicationRule): void {
  const key = destination.EncryptionConfiguration?.ReplicaKmsKeyID;
  if (criteria?.SseKmsEncryptedObjects && key === undefined)
    throw invalidRequest('ReplicaKmsKeyID must be specified if SseKmsEncryptedObjects tag is present.');
  if (destination.EncryptionConfiguration && !criteria?.SseKmsEncryptedObjects)
    throw invalidRequest('SseKmsEncryptedObjects must be specified if EncryptionConfiguration is present.');
  if (destination.Metrics?.EventThreshold && destination.ReplicationTime?.Status !== 'Enabled')
    throw invalidArgument(
      'Metrics cannot contain an event threshold when ReplicationTime is not specified or Disabled',
    );
}

function check(ctx: S3Context, rule: ReplicationRule, sourceName: string): void {
  checkValues(rule);
  checkTogether(rule);
  if (rule.Filter !== undefined && rule.Prefix !== undefined) throw malformedXml();
  if (rule.Filter && Object.keys(rule.Filter).length > 1) throw malformedXml();
  if (rule.Filter !== undefined && (rule.Priority === undefined || rule.DeleteMarkerReplication === undefined))
    throw invalidRequest(
      'Priority and DeleteMarkerReplication must be specified for this version of Cross Region Replication configuration schema. Please refer to S3 Developer Guide for more information.',
    );
  if (rule.Filter === undefined && rule.Priority !== undefined && rule.Prefix === undefined)
    throw invalidRequest(
      'Priority cannot be used for this version of Cross Region Replication configuration schema. Please refer to S3 Developer Guide for more information.',
    );
  const name = destinationBucket(rule.Destination.Bucket);
  const destination = findBucket(ctx, name);
  if (destination?.record.versioning !== 'Enabled')
    throw invalidRequest('Destination bucket must have versioning enabled.');
  if (name === sourceName) throw invalidRequest('Destination bucket cannot be the same as the source bucket.');
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketReplication.html */
export function PutBucketReplication(
  input: InputOf<'PutBucketReplication'>,
  ctx: S3Context,
): OutputOf<'PutBucketReplication'> {
  const bucket = requireBucket(ctx, input);
  const { Rules: rules, Role: role } = input.ReplicationConfiguration;
  if (bucket.record.versioning !== 'Enabled')
    throw invalidRequest("Versioning must be 'Enabled' on the bucket to apply a replication configuration");
  if (rules.length === 0 || rules.length > MAX_RULES) throw malformedXml();
  for (const rule of rules) check(ctx, rule, bucket.name);
  const priorities = rules.flatMap(({ Priority }) => (Priority === undefined ? [] : [Priority]));
  if (new Set(priorities).size < priorities.length)
    throw invalidRequest('Found duplicate priorities. Please ensure each rule has a unique priority.');
  const withIds = rules.map((rule) => (rule.ID === undefined ? { ...rule, ID: ctx.ids.uuid() } : rule));
  if (new Set(withIds.map(({ ID }) => ID)).size < rules.length)
    throw invalidArgument('Rule Id must be unique. Found same Id for more than one rule', 'ID');
  return putSetting(ctx, input, 'replication', { Role: role, Rules: withIds });
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketReplication.html */
export function GetBucketReplication(
  input: InputOf<'GetBucketReplication'>,
  ctx: S3Context,
): OutputOf<'GetBucketReplication'> {
  return {
    ReplicationConfiguration: getSetting(ctx, input, 'replication', [
      'ReplicationConfigurationNotFoundError',
      'The replication configuration was not found',
    ]),
  };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucketReplication.html */
export function DeleteBucketReplication(
  input: InputOf<'DeleteBucketReplication'>,
  ctx: S3Context,
): OutputOf<'DeleteBucketReplication'> {
  return deleteSetting(ctx, input, 'replication');
}
