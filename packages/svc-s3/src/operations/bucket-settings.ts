import type { InputOf, LoggingEnabled, OutputOf } from '@emu/service-types/s3';
import { noEmail } from '../access-control/acl.ts';
import { deleteSetting, oneOf, putSetting, shown } from '../buckets/documents.ts';
import type { S3Context } from '../context.ts';
import { invalidRequest, malformedXml, s3Error } from '../errors.ts';
import { findBucket, requireBucket } from '../lookup.ts';

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketRequestPayment.html */
export function PutBucketRequestPayment(
  input: InputOf<'PutBucketRequestPayment'>,
  ctx: S3Context,
): OutputOf<'PutBucketRequestPayment'> {
  oneOf(input.RequestPaymentConfiguration.Payer, ['Requester', 'BucketOwner']);
  return putSetting(ctx, input, 'requestPayment', input.RequestPaymentConfiguration);
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketRequestPayment.html */
export function GetBucketRequestPayment(
  input: InputOf<'GetBucketRequestPayment'>,
  ctx: S3Context,
): OutputOf<'GetBucketRequestPayment'> {
  return { Payer: requireBucket(ctx, input).record.configurations.requestPayment?.Payer ?? 'BucketOwner' };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketAccelerateConfiguration.html */
export function PutBucketAccelerateConfiguration(
  input: InputOf<'PutBucketAccelerateConfiguration'>,
  ctx: S3Context,
): OutputOf<'PutBucketAccelerateConfiguration'> {
  const bucket = requireBucket(ctx, input);
  if (bucket.name.includes('.'))
    throw invalidRequest('S3 Transfer Acceleration is not supported for buckets with periods (.) in their names');
  oneOf(input.AccelerateConfiguration.Status, ['Enabled', 'Suspended']);
  return putSetting(ctx, input, 'accelerate', input.AccelerateConfiguration);
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketAccelerateConfiguration.html */
export function GetBucketAccelerateConfiguration(
  input: InputOf<'GetBucketAccelerateConfiguration'>,
  ctx: S3Context,
): OutputOf<'GetBucketAccelerateConfiguration'> {
  return { ...requireBucket(ctx, input).record.configurations.accelerate };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketAbac.html */
export function PutBucketAbac(input: InputOf<'PutBucketAbac'>, ctx: S3Context): OutputOf<'PutBucketAbac'> {
  oneOf(input.AbacStatus.Status, ['Enabled', 'Disabled']);
  return putSetting(ctx, input, 'abac', input.AbacStatus);
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketAbac.html */
export function GetBucketAbac(input: InputOf<'GetBucketAbac'>, ctx: S3Context): OutputOf<'GetBucketAbac'> {
  return {
    AbacStatus: { ...(requireBucket(ctx, input).record.configurations.abac ?? { Status: 'Disabled' as const }) },
  };
}

/**
 * Checks the target of access logs.
 * @throws AwsError `InvalidTargetBucketForLogging`, `CrossLocationLoggingProhibitted`, `MalformedXML`,
 * `MethodNotAllowed` for a grantee by e-mail address
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketLogging.html
 */
function checkLogging(ctx: S3Context, sourceRegion: string, logging: LoggingEnabled): void {
  for (const { Grantee: grantee, Permission: permission } of logging.TargetGrants ?? []) {
    oneOf(permission, ['FULL_CONTROL', 'READ', 'WRITE', 'READ_ACP', 'WRITE_ACP']);
    if (grantee?.Type === 'AmazonCustomerByEmail') throw noEmail();
  }
  const target = findBucket(ctx, logging.TargetBucket);
  const { TargetObjectKeyFormat: format } = logging;
  if (format && (format.SimplePrefix === undefined) === (format.PartitionedPrefix === undefined)) throw malformedXml();
  if (!target || target.accountId !== ctx.accountId)
    throw s3Error('InvalidTargetBucketForLogging', 'The target bucket for logging does not exist', {
      status: 400,
      members: { TargetBucket: logging.TargetBucket },
    });
  if (target.region !== sourceRegion)
    throw s3Error('CrossLocationLoggingProhibitted', 'Cross S3 location logging not allowed. ', {
      status: 403,
      members: {
        ...(sourceRegion !== 'us-east-1' && { SourceBucketLocation: sourceRegion }),
        TargetBucketLocation: target.region,
      },
    });
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketLogging.html */
export function PutBucketLogging(input: InputOf<'PutBucketLogging'>, ctx: S3Context): OutputOf<'PutBucketLogging'> {
  const bucket = requireBucket(ctx, input);
  const { LoggingEnabled: logging } = input.BucketLoggingStatus;
  if (!logging) return deleteSetting(ctx, input, 'logging');
  checkLogging(ctx, bucket.region, logging);
  return putSetting(ctx, input, 'logging', logging);
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketLogging.html */
export function GetBucketLogging(input: InputOf<'GetBucketLogging'>, ctx: S3Context): OutputOf<'GetBucketLogging'> {
  const { logging } = requireBucket(ctx, input).record.configurations;
  return logging ? { LoggingEnabled: shown<LoggingEnabled>(logging) } : {};
}
