import type { InputOf, OutputOf } from '@emu/service-types/s3';
import { checkMfa, mfaFor } from '../access-control/mfa-delete.ts';
import type { S3Context } from '../context.ts';
import { accessDenied, invalidRequest, malformedXml, s3Error } from '../errors.ts';
import { requireBucket, stateOf } from '../lookup.ts';

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketVersioning.html */
export async function PutBucketVersioning(
  input: InputOf<'PutBucketVersioning'>,
  ctx: S3Context,
): Promise<OutputOf<'PutBucketVersioning'>> {
  const bucket = requireBucket(ctx, input);
  const { Status: status, MFADelete: mfaDelete } = input.VersioningConfiguration;
  if (status === undefined && mfaDelete === undefined)
    throw s3Error('IllegalVersioningConfigurationException', 'The Versioning element must be specified', {
      status: 400,
    });
  if (status !== undefined && status !== 'Enabled' && status !== 'Suspended') throw malformedXml();
  if (mfaDelete !== undefined && mfaDelete !== 'Enabled' && mfaDelete !== 'Disabled') throw malformedXml();
  if (status === 'Suspended' && bucket.record.objectLock)
    throw s3Error(
      'InvalidBucketState',
      'An Object Lock configuration is present on this bucket, so the versioning state cannot be changed.',
      { status: 409 },
    );
  if (mfaDelete === 'Enabled' && !input.MFA)
    throw invalidRequest('DevPay and Mfa are mutually exclusive authorization methods.');
  if (mfaDelete === 'Enabled') {
    if (ctx.principal.type !== 'root') throw accessDenied();
    await checkMfa(ctx, input.MFA);
  } else await mfaFor(ctx, bucket, input.MFA);
  stateOf(ctx, bucket).updateBucket(bucket, (draft) => {
    if (status !== undefined) draft.versioning = status;
    if (mfaDelete !== undefined) draft.mfaDelete = mfaDelete;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketVersioning.html */
export function GetBucketVersioning(
  input: InputOf<'GetBucketVersioning'>,
  ctx: S3Context,
): OutputOf<'GetBucketVersioning'> {
  const { versioning, mfaDelete } = requireBucket(ctx, input).record;
  return {
    ...(versioning !== undefined && { Status: versioning }),
    ...(mfaDelete !== undefined && { MFADelete: mfaDelete }),
  };
}
