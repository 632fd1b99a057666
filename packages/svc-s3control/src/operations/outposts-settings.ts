import { checkS3Policy } from '@emu/core/service';
import type { InputOf, LifecycleRule, OutputOf, ReplicationConfiguration } from '@emu/service-types/s3control';
import type { S3controlContext } from '../context.ts';
import { invalidRequest, malformedXml, s3controlError } from '../errors.ts';
import { changeOutpostsBucket, checkLifecycle, checkReplication, findOutpostsBucket } from '../outposts/buckets.ts';
import { outpostsBucketType } from '../resources.ts';
import { tagging } from '../tags.ts';

/**
 * Returns a required setting of a bucket.
 * @throws AwsError with the given code if it is missing
 */
function required<T>(value: T | undefined, code: Parameters<typeof s3controlError>[0], message: string): T {
  if (value === undefined) throw s3controlError(code, message, { status: 404 });
  return value;
}

/** @throws AwsError `NoSuchBucket`, `MalformedPolicy` */
export function PutBucketPolicy(input: InputOf<'PutBucketPolicy'>, ctx: S3controlContext): OutputOf<'PutBucketPolicy'> {
  const { bucket } = findOutpostsBucket(ctx, input);
  const arn = outpostsBucketType.arn(bucket, ctx);
  checkS3Policy(input.Policy, { covers: (resource) => resource === arn || resource.startsWith(`${arn}/`) });
  return changeOutpostsBucket(ctx, input, (draft) => {
    draft.policy = input.Policy;
  });
}

/** @throws AwsError `NoSuchBucket`, `NoSuchBucketPolicy` */
export function GetBucketPolicy(input: InputOf<'GetBucketPolicy'>, ctx: S3controlContext): OutputOf<'GetBucketPolicy'> {
  const { policy } = findOutpostsBucket(ctx, input).bucket;
  return { Policy: required(policy, 'NoSuchBucketPolicy', 'The bucket policy does not exist') };
}

/** @throws AwsError `NoSuchBucket` */
export function DeleteBucketPolicy(
  input: InputOf<'DeleteBucketPolicy'>,
  ctx: S3controlContext,
): OutputOf<'DeleteBucketPolicy'> {
  return changeOutpostsBucket(ctx, input, (draft) => {
    delete draft.policy;
  });
}

/** @throws AwsError `NoSuchBucket`, `InvalidRequest`, `InvalidArgument`, `MalformedXML` */
export function PutBucketLifecycleConfiguration(
  input: InputOf<'PutBucketLifecycleConfiguration'>,
  ctx: S3controlContext,
): OutputOf<'PutBucketLifecycleConfiguration'> {
  findOutpostsBucket(ctx, input);
  const rules = input.LifecycleConfiguration?.Rules;
  if (!rules) throw malformedXml();
  checkLifecycle(rules);
  const named = rules.map((rule) => ({ ...rule, ID: rule.ID || ctx.ids.uuid() }));
  return changeOutpostsBucket(ctx, input, (draft) => {
    draft.lifecycle = JSON.stringify(named);
  });
}

/** @throws AwsError `NoSuchBucket`, `NoSuchLifecycleConfiguration` */
export function GetBucketLifecycleConfiguration(
  input: InputOf<'GetBucketLifecycleConfiguration'>,
  ctx: S3controlContext,
): OutputOf<'GetBucketLifecycleConfiguration'> {
  const { lifecycle } = findOutpostsBucket(ctx, input).bucket;
  const text = required(lifecycle, 'NoSuchLifecycleConfiguration', 'The lifecycle configuration does not exist');
  const Rules = JSON.parse(text, (key, value: unknown) =>
    key === 'Date' ? new Date(value as string) : value,
  ) as LifecycleRule[];
  return { Rules };
}

/** @throws AwsError `NoSuchBucket` */
export function DeleteBucketLifecycleConfiguration(
  input: InputOf<'DeleteBucketLifecycleConfiguration'>,
  ctx: S3controlContext,
): OutputOf<'DeleteBucketLifecycleConfiguration'> {
  return changeOutpostsBucket(ctx, input, (draft) => {
    delete draft.lifecycle;
  });
}

/** @throws AwsError `NoSuchBucket`, `InvalidRequest`, `InvalidArgument` */
export function PutBucketReplication(
  input: InputOf<'PutBucketReplication'>,
  ctx: S3controlContext,
): OutputOf<'PutBucketReplication'> {
  const { bucket } = findOutpostsBucket(ctx, input);
  checkReplication(input.ReplicationConfiguration, bucket);
  return changeOutpostsBucket(ctx, input, (draft) => {
    draft.replication = input.ReplicationConfiguration;
  });
}

/** @throws AwsError `NoSuchBucket`, `ReplicationConfigurationNotFoundError` */
export function GetBucketReplication(
  input: InputOf<'GetBucketReplication'>,
  ctx: S3controlContext,
): OutputOf<'GetBucketReplication'> {
  const { replication } = findOutpostsBucket(ctx, input).bucket;
  const found = required(
    replication,
    'ReplicationConfigurationNotFoundError',
    'The replication configuration was not found',
  );
  return { ReplicationConfiguration: structuredClone(found) as ReplicationConfiguration };
}

/** @throws AwsError `NoSuchBucket` */
export function DeleteBucketReplication(
  input: InputOf<'DeleteBucketReplication'>,
  ctx: S3controlContext,
): OutputOf<'DeleteBucketReplication'> {
  return changeOutpostsBucket(ctx, input, (draft) => {
    delete draft.replication;
  });
}

/** @throws AwsError `NoSuchBucket`, `InvalidTag`, `TooManyTags` */
export function PutBucketTagging(
  input: InputOf<'PutBucketTagging'>,
  ctx: S3controlContext,
): OutputOf<'PutBucketTagging'> {
  const tags = tagging.merge(undefined, input.Tagging.TagSet);
  return changeOutpostsBucket(ctx, input, (draft) => {
    draft.tags = tags;
  });
}

/** @throws AwsError `NoSuchBucket`, `NoSuchTagSet` */
export function GetBucketTagging(
  input: InputOf<'GetBucketTagging'>,
  ctx: S3controlContext,
): OutputOf<'GetBucketTagging'> {
  const { tags } = findOutpostsBucket(ctx, input).bucket;
  const present = tags?.length ? tags : undefined;
  return { TagSet: [...required(present, 'NoSuchTagSet', 'The TagSet does not exist')] };
}

/** @throws AwsError `NoSuchBucket` */
export function DeleteBucketTagging(
  input: InputOf<'DeleteBucketTagging'>,
  ctx: S3controlContext,
): OutputOf<'DeleteBucketTagging'> {
  return changeOutpostsBucket(ctx, input, (draft) => {
    delete draft.tags;
  });
}

/** @throws AwsError `NoSuchBucket`, `MalformedXML`, `InvalidRequest` for MFA delete, which Outposts do not have */
export function PutBucketVersioning(
  input: InputOf<'PutBucketVersioning'>,
  ctx: S3controlContext,
): OutputOf<'PutBucketVersioning'> {
  const { Status: status, MFADelete: mfaDelete } = input.VersioningConfiguration;
  if (status !== 'Enabled' && status !== 'Suspended') throw malformedXml();
  if (mfaDelete === 'Enabled') throw invalidRequest('MFA delete is not supported for buckets on Outposts.');
  return changeOutpostsBucket(ctx, input, (draft) => {
    draft.versioning = status;
  });
}

/**
 * Returns the versioning status; none for a never versioned bucket.
 * @throws AwsError `NoSuchBucket`
 */
export function GetBucketVersioning(
  input: InputOf<'GetBucketVersioning'>,
  ctx: S3controlContext,
): OutputOf<'GetBucketVersioning'> {
  const { versioning } = findOutpostsBucket(ctx, input).bucket;
  return versioning === undefined ? {} : { Status: versioning };
}
