import { formatArn, parseArn } from '@emu/core';
import type {
  CreateBucketMetadataConfigurationRequest,
  CreateBucketMetadataTableConfigurationRequest,
  DeleteBucketMetadataConfigurationRequest,
  DeleteBucketMetadataTableConfigurationRequest,
  GetBucketMetadataConfigurationOutput,
  GetBucketMetadataConfigurationRequest,
  GetBucketMetadataTableConfigurationOutput,
  GetBucketMetadataTableConfigurationRequest,
  RecordExpiration,
  UpdateBucketMetadataInventoryTableConfigurationRequest,
  UpdateBucketMetadataJournalTableConfigurationRequest,
} from '@emu/service-types/s3';
import { awsError } from '@emu/wire';
import { deleteSetting, getSetting, oneOf, putSetting } from '../buckets/documents.ts';
import { requireBucket, type S3Context } from '../buckets/lookup.ts';
import { invalidRequest } from '../errors.ts';

const MISSING = ['MetadataConfigurationNotFound', 'The metadata configuration was not found'] as const;
/** Days that records of the journal may be kept. */
const MIN_DAYS = 7;

/** @throws AwsError `InvalidRequest`, `MalformedXML` */
function checkExpiration({ Expiration: state, Days: days }: RecordExpiration): void {
  oneOf(state, ['ENABLED', 'DISABLED']);
  if (state === 'ENABLED' && (days === undefined || days < MIN_DAYS || days > 2_147_483_647))
    throw invalidRequest('The number of days for record expiration must be between 7 and 2147483647.');
  if (state === 'DISABLED' && days !== undefined)
    throw invalidRequest('Days cannot be specified when record expiration is disabled.');
}

/** @throws AwsError `InvalidBucketState` */
function requireNone(ctx: S3Context, input: { Bucket: string; ExpectedBucketOwner?: string | undefined }): void {
  if (requireBucket(ctx, input).record.configurations.metadata)
    throw awsError('InvalidBucketState', 'A metadata configuration already exists for this bucket.', { status: 409 });
}

/** The AWS managed table bucket of an account. */
const tableBucketArn = (region: string, accountId: string): string =>
  formatArn({ service: 's3tables', region, accountId, resource: 'bucket/aws-s3' });

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateBucketMetadataConfiguration.html */
export function CreateBucketMetadataConfiguration(
  input: CreateBucketMetadataConfigurationRequest,
  ctx: S3Context,
): Record<string, never> {
  requireNone(ctx, input);
  const { JournalTableConfiguration: journal, InventoryTableConfiguration: inventory } = input.MetadataConfiguration;
  checkExpiration(journal.RecordExpiration);
  if (inventory) oneOf(inventory.ConfigurationState, ['ENABLED', 'DISABLED']);
  return putSetting(ctx, input, 'metadata', { journal, ...(inventory ? { inventory } : {}) });
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketMetadataConfiguration.html */
export function GetBucketMetadataConfiguration(
  input: GetBucketMetadataConfigurationRequest,
  ctx: S3Context,
): GetBucketMetadataConfigurationOutput {
  const { journal, inventory } = getSetting(ctx, input, 'metadata', MISSING);
  const bucket = requireBucket(ctx, input);
  const namespace = `b_${bucket.name}`;
  const arn = tableBucketArn(bucket.region, bucket.accountId);
  return {
    GetBucketMetadataConfigurationResult: {
      MetadataConfigurationResult: {
        DestinationResult: { TableBucketType: 'aws', TableBucketArn: arn, TableNamespace: namespace },
        ...(journal
          ? {
              JournalTableConfigurationResult: {
                TableStatus: 'ACTIVE',
                TableName: 'journal',
                TableArn: `${arn}/table/journal`,
                RecordExpiration: journal.RecordExpiration,
              },
            }
          : {}),
        ...(inventory
          ? {
              InventoryTableConfigurationResult: {
                ConfigurationState: inventory.ConfigurationState,
                ...(inventory.ConfigurationState === 'ENABLED'
                  ? { TableStatus: 'ACTIVE', TableName: 'inventory', TableArn: `${arn}/table/inventory` }
                  : {}),
              },
            }
          : {}),
      },
    },
  };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucketMetadataConfiguration.html */
export function DeleteBucketMetadataConfiguration(
  input: DeleteBucketMetadataConfigurationRequest,
  ctx: S3Context,
): Record<string, never> {
  return deleteSetting(ctx, input, 'metadata');
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_UpdateBucketMetadataInventoryTableConfiguration.html */
export function UpdateBucketMetadataInventoryTableConfiguration(
  input: UpdateBucketMetadataInventoryTableConfigurationRequest,
  ctx: S3Context,
): Record<string, never> {
  const current = getSetting(ctx, input, 'metadata', MISSING);
  oneOf(input.InventoryTableConfiguration.ConfigurationState, ['ENABLED', 'DISABLED']);
  return putSetting(ctx, input, 'metadata', { ...current, inventory: input.InventoryTableConfiguration });
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_UpdateBucketMetadataJournalTableConfiguration.html */
export function UpdateBucketMetadataJournalTableConfiguration(
  input: UpdateBucketMetadataJournalTableConfigurationRequest,
  ctx: S3Context,
): Record<string, never> {
  const current = getSetting(ctx, input, 'metadata', MISSING);
  checkExpiration(input.JournalTableConfiguration.RecordExpiration);
  return putSetting(ctx, input, 'metadata', {
    ...current,
    journal: { ...current.journal, RecordExpiration: input.JournalTableConfiguration.RecordExpiration },
  });
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateBucketMetadataTableConfiguration.html */
export function CreateBucketMetadataTableConfiguration(
  input: CreateBucketMetadataTableConfigurationRequest,
  ctx: S3Context,
): Record<string, never> {
  requireNone(ctx, input);
  const destination = input.MetadataTableConfiguration.S3TablesDestination;
  const arn = parseArn(destination.TableBucketArn);
  const isTableBucket =
    arn?.service === 's3tables' &&
    arn.region !== '' &&
    /^\d{12}$/.test(arn.accountId) &&
    /^bucket\/[a-z0-9-]{3,63}$/.test(arn.resource);
  if (!isTableBucket) throw invalidRequest('The specified table bucket ARN is not valid.');
  return putSetting(ctx, input, 'metadata', { destination });
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketMetadataTableConfiguration.html */
export function GetBucketMetadataTableConfiguration(
  input: GetBucketMetadataTableConfigurationRequest,
  ctx: S3Context,
): GetBucketMetadataTableConfigurationOutput {
  const { destination } = getSetting(ctx, input, 'metadata', MISSING);
  if (!destination) throw awsError(MISSING[0], MISSING[1], { status: 404 });
  return {
    GetBucketMetadataTableConfigurationResult: {
      MetadataTableConfigurationResult: {
        S3TablesDestinationResult: {
          ...destination,
          TableArn: `${destination.TableBucketArn}/table/${destination.TableName}`,
          TableNamespace: 'aws_s3_metadata',
        },
      },
      Status: 'ACTIVE',
    },
  };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucketMetadataTableConfiguration.html */
export function DeleteBucketMetadataTableConfiguration(
  input: DeleteBucketMetadataTableConfigurationRequest,
  ctx: S3Context,
): Record<string, never> {
  return deleteSetting(ctx, input, 'metadata');
}
