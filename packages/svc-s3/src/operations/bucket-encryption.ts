import type { InputOf, OutputOf, ServerSideEncryptionRule } from '@emu/service-types/s3';
import { deleteSetting, oneOf, putSetting, shown } from '../buckets/documents.ts';
import type { S3Context } from '../context.ts';
import { invalidArgument, malformedXml } from '../errors.ts';
import { requireBucket } from '../lookup.ts';

/** Default encryption of all buckets, restored by deletion of the setting. */
const DEFAULT: ServerSideEncryptionRule = {
  ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' },
  BucketKeyEnabled: false,
};

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketEncryption.html */
export function PutBucketEncryption(
  input: InputOf<'PutBucketEncryption'>,
  ctx: S3Context,
): OutputOf<'PutBucketEncryption'> {
  const { Rules: rules } = input.ServerSideEncryptionConfiguration;
  if (rules.length !== 1) throw malformedXml();
  const rule = rules[0]!;
  const byDefault = rule.ApplyServerSideEncryptionByDefault;
  if (!byDefault && rule.BlockedEncryptionTypes === undefined && rule.BucketKeyEnabled === undefined)
    throw malformedXml();
  if (byDefault) {
    oneOf(byDefault.SSEAlgorithm, ['AES256', 'aws:kms', 'aws:kms:dsse']);
    if (byDefault.SSEAlgorithm === 'AES256' && byDefault.KMSMasterKeyID !== undefined)
      throw invalidArgument(
        'a KMSMasterKeyID is not applicable if the default sse algorithm is not aws:kms or aws:kms:dsse',
        'ApplyServerSideEncryptionByDefault',
      );
  }
  return putSetting(ctx, input, 'encryption', [
    {
      ...rule,
      ApplyServerSideEncryptionByDefault: byDefault ?? { SSEAlgorithm: 'AES256' },
      BucketKeyEnabled: rule.BucketKeyEnabled ?? false,
    },
  ]);
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketEncryption.html */
export function GetBucketEncryption(
  input: InputOf<'GetBucketEncryption'>,
  ctx: S3Context,
): OutputOf<'GetBucketEncryption'> {
  const rules = requireBucket(ctx, input).record.configurations.encryption ?? [DEFAULT];
  return { ServerSideEncryptionConfiguration: { Rules: shown(rules) as ServerSideEncryptionRule[] } };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucketEncryption.html */
export function DeleteBucketEncryption(
  input: InputOf<'DeleteBucketEncryption'>,
  ctx: S3Context,
): OutputOf<'DeleteBucketEncryption'> {
  return deleteSetting(ctx, input, 'encryption');
}
