import type {
  GetBucketAbacOutput,
  GetBucketAbacRequest,
  GetBucketAccelerateConfigurationOutput,
  GetBucketAccelerateConfigurationRequest,
  GetBucketLoggingOutput,
  GetBucketLoggingRequest,
  GetBucketRequestPaymentOutput,
  GetBucketRequestPaymentRequest,
  LoggingEnabled,
  PutBucketAbacRequest,
  PutBucketAccelerateConfigurationRequest,
  PutBucketLoggingRequest,
  PutBucketRequestPaymentRequest,
} from '@emu/service-types/s3';
import { awsError } from '@emu/wire';
import { deleteSetting, oneOf, putSetting, shown } from '../buckets/documents.ts';
import { findBucket, requireBucket, type S3Context } from '../buckets/lookup.ts';
import { invalidRequest, malformedXml } from '../errors.ts';

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketRequestPayment.html */
export function PutBucketRequestPayment(input: PutBucketRequestPaymentRequest, ctx: S3Context): Record<string, never> {
  oneOf(input.RequestPaymentConfiguration.Payer, ['Requester', 'BucketOwner']);
  return putSetting(ctx, input, 'requestPayment', input.RequestPaymentConfiguration);
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketRequestPayment.html */
export function GetBucketRequestPayment(
  input: GetBucketRequestPaymentRequest,
  ctx: S3Context,
): GetBucketRequestPaymentOutput {
  return { Payer: requireBucket(ctx, input).record.configurations.requestPayment?.Payer ?? 'BucketOwner' };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketAccelerateConfiguration.html */
export function PutBucketAccelerateConfiguration(
  input: PutBucketAccelerateConfigurationRequest,
  ctx: S3Context,
): Record<string, never> {
  const bucket = requireBucket(ctx, input);
  if (bucket.name.includes('.'))
    throw invalidRequest('S3 Transfer Acceleration is not supported for buckets with periods (.) in their names');
  oneOf(input.AccelerateConfiguration.Status, ['Enabled', 'Suspended']);
  return putSetting(ctx, input, 'accelerate', input.AccelerateConfiguration);
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketAccelerateConfiguration.html */
export function GetBucketAccelerateConfiguration(
  input: GetBucketAccelerateConfigurationRequest,
  ctx: S3Context,
): GetBucketAccelerateConfigurationOutput {
  return { ...requireBucket(ctx, input).record.configurations.accelerate };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketAbac.html */
export function PutBucketAbac(input: PutBucketAbacRequest, ctx: S3Context): Record<string, never> {
  oneOf(input.AbacStatus.Status, ['Enabled', 'Disabled']);
  return putSetting(ctx, input, 'abac', input.AbacStatus);
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketAbac.html */
export function GetBucketAbac(input: GetBucketAbacRequest, ctx: S3Context): GetBucketAbacOutput {
  return {
    AbacStatus: { ...(requireBucket(ctx, input).record.configurations.abac ?? { Status: 'Disabled' as const }) },
  };
}

/** @throws AwsError `InvalidTargetBucketForLogging`, `CrossLocationLoggingProhibitted`, `MalformedXML` */
function checkLogging(ctx: S3Context, sourceRegion: string, logging: LoggingEnabled): void {
  for (const { Permission: permission } of logging.TargetGrants ?? [])
    oneOf(permission, ['FULL_CONTROL', 'READ', 'WRITE', 'READ_ACP', 'WRITE_ACP']);
  const target = findBucket(ctx, logging.TargetBucket);
  const { TargetObjectKeyFormat: format } = logging;
  if (format && (format.SimplePrefix === undefined) === (format.PartitionedPrefix === undefined)) throw malformedXml();
  if (!target || target.accountId !== ctx.accountId)
    throw awsError('InvalidTargetBucketForLogging', 'The target bucket for logging does not exist', {
      status: 400,
      members: { TargetBucket: logging.TargetBucket },
    });
  if (target.region !== sourceRegion)
    throw awsError('CrossLocationLoggingProhibitted', 'Cross S3 location logging not allowed. ', {
      status: 403,
      members: {
        ...(sourceRegion !== 'us-east-1' && { SourceBucketLocation: sourceRegion }),
        TargetBucketLocation: target.region,
      },
    });
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketLogging.html */
export function PutBucketLogging(input: PutBucketLoggingRequest, ctx: S3Context): Record<string, never> {
  const bucket = requireBucket(ctx, input);
  const { LoggingEnabled: logging } = input.BucketLoggingStatus;
  if (!logging) return deleteSetting(ctx, input, 'logging');
  checkLogging(ctx, bucket.region, logging);
  return putSetting(ctx, input, 'logging', logging);
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketLogging.html */
export function GetBucketLogging(input: GetBucketLoggingRequest, ctx: S3Context): GetBucketLoggingOutput {
  const { logging } = requireBucket(ctx, input).record.configurations;
  return logging ? { LoggingEnabled: shown<LoggingEnabled>(logging) } : {};
}
