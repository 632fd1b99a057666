import type { DefaultRetention, InputOf, OutputOf } from '@emu/service-types/s3';
import { notConfigured, oneOf, shown } from '../buckets/documents.ts';
import type { S3Context } from '../context.ts';
import { malformedXml, s3Error } from '../errors.ts';
import { requireBucket, requireVersion, stateOf } from '../lookup.ts';
import { checkRetentionChange, missingConfiguration, pastDate } from '../objects/lock.ts';
import { replicateChange } from '../objects/replication.ts';

const NOT_LOCKED = [
  'NoSuchObjectLockConfiguration',
  'The specified object does not have a ObjectLock configuration',
] as const;

/** @throws AwsError `MalformedXML`, `InvalidRetentionPeriod` */
function checkRule({ Mode: mode, Days: days, Years: years }: DefaultRetention): void {
  oneOf(mode, ['GOVERNANCE', 'COMPLIANCE']);
  if ((days === undefined) === (years === undefined)) throw malformedXml();
  if ((days ?? years)! <= 0)
    throw s3Error('InvalidArgument', 'Default retention period must be a positive integer value', { status: 400 });
  if ((days ?? 0) > 36_500 || (years ?? 0) > 100)
    throw s3Error('InvalidRetentionPeriod', 'The retention period is too large', { status: 400 });
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObjectLockConfiguration.html */
export function PutObjectLockConfiguration(
  input: InputOf<'PutObjectLockConfiguration'>,
  ctx: S3Context,
): OutputOf<'PutObjectLockConfiguration'> {
  const bucket = requireBucket(ctx, input);
  const given = input.ObjectLockConfiguration;
  if (!given) throw s3Error('MissingRequestBodyError', 'Request Body is empty', { status: 400 });
  if (given.ObjectLockEnabled !== 'Enabled') throw malformedXml();
  if (bucket.record.versioning !== 'Enabled')
    throw s3Error(
      'InvalidBucketState',
      "Versioning must be 'Enabled' on the bucket to apply a Object Lock configuration",
      { status: 409 },
    );
  const rule = given.Rule?.DefaultRetention;
  if (given.Rule && !rule) throw malformedXml();
  if (rule) checkRule(rule);
  stateOf(ctx, bucket).updateBucket(bucket, (draft) => {
    draft.objectLock = true;
    if (rule) draft.configurations.objectLock = rule;
    else delete draft.configurations.objectLock;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectLockConfiguration.html */
export function GetObjectLockConfiguration(
  input: InputOf<'GetObjectLockConfiguration'>,
  ctx: S3Context,
): OutputOf<'GetObjectLockConfiguration'> {
  const bucket = requireBucket(ctx, input);
  const { objectLock, configurations } = bucket.record;
  if (!objectLock)
    throw notConfigured(
      ['ObjectLockConfigurationNotFoundError', 'Object Lock configuration does not exist for this bucket'],
      bucket.name,
    );
  const rule = configurations.objectLock;
  return {
    ObjectLockConfiguration: {
      ObjectLockEnabled: 'Enabled',
      ...(rule && { Rule: { DefaultRetention: shown<DefaultRetention>(rule) } }),
    },
  };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObjectRetention.html */
export function PutObjectRetention(
  input: InputOf<'PutObjectRetention'>,
  ctx: S3Context,
): OutputOf<'PutObjectRetention'> {
  const bucket = requireBucket(ctx, input);
  const version = requireVersion(ctx, bucket, input.Key, input.VersionId, true);
  if (!bucket.record.objectLock) throw missingConfiguration();
  const { Mode: mode, RetainUntilDate: until } = input.Retention ?? {};
  if ((mode === undefined) !== (until === undefined)) throw malformedXml();
  if (mode !== undefined) oneOf(mode, ['GOVERNANCE', 'COMPLIANCE']);
  const now = ctx.clock.now();
  if (until && until.getTime() <= now) throw pastDate('RetainUntilDate', until);
  const next = mode && until ? { mode, until: until.getTime() } : undefined;
  checkRetentionChange(version, next, input.BypassGovernanceRetention === true, now);
  const changed = stateOf(ctx, bucket).updateVersion(bucket, version, (draft) => {
    if (next) draft.retention = next;
    else delete draft.retention;
  });
  replicateChange(ctx, bucket, changed);
  return {};
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectRetention.html */
export function GetObjectRetention(
  input: InputOf<'GetObjectRetention'>,
  ctx: S3Context,
): OutputOf<'GetObjectRetention'> {
  const bucket = requireBucket(ctx, input);
  const { retention } = requireVersion(ctx, bucket, input.Key, input.VersionId, true);
  if (!bucket.record.objectLock) throw missingConfiguration();
  if (!retention) throw notConfigured(NOT_LOCKED);
  return { Retention: { Mode: retention.mode, RetainUntilDate: new Date(retention.until) } };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObjectLegalHold.html */
export function PutObjectLegalHold(
  input: InputOf<'PutObjectLegalHold'>,
  ctx: S3Context,
): OutputOf<'PutObjectLegalHold'> {
  const bucket = requireBucket(ctx, input);
  const version = requireVersion(ctx, bucket, input.Key, input.VersionId, true);
  if (!bucket.record.objectLock) throw missingConfiguration();
  const status = input.LegalHold?.Status;
  oneOf(status, ['ON', 'OFF']);
  const changed = stateOf(ctx, bucket).updateVersion(bucket, version, (draft) => {
    draft.legalHold = status as 'ON' | 'OFF';
  });
  replicateChange(ctx, bucket, changed);
  return {};
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectLegalHold.html */
export function GetObjectLegalHold(
  input: InputOf<'GetObjectLegalHold'>,
  ctx: S3Context,
): OutputOf<'GetObjectLegalHold'> {
  const bucket = requireBucket(ctx, input);
  const { legalHold } = requireVersion(ctx, bucket, input.Key, input.VersionId, true);
  if (!bucket.record.objectLock) throw missingConfiguration();
  if (!legalHold) throw notConfigured(NOT_LOCKED);
  return { LegalHold: { Status: legalHold } };
}
