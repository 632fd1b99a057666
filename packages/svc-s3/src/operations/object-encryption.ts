import { parseArn } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/s3';
import { encryptionOf } from '../content/encryption.ts';
import type { S3Context } from '../context.ts';
import { invalidRequest, malformedXml, s3Error } from '../errors.ts';
import { requireBucket, requireVersion, stateOf } from '../lookup.ts';

/**
 * Changes the encryption of a version in place: ETag and date stay the same.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_UpdateObjectEncryption.html
 */
export async function UpdateObjectEncryption(
  input: InputOf<'UpdateObjectEncryption'>,
  ctx: S3Context,
): Promise<OutputOf<'UpdateObjectEncryption'>> {
  const bucket = requireBucket(ctx, input);
  const version = requireVersion(ctx, bucket, input.Key, input.VersionId, true);
  const { SSEKMS: kms } = input.ObjectEncryption;
  if (!kms) throw malformedXml();
  const key = parseArn(kms.KMSKeyArn);
  if (key?.service !== 'kms' || key.region === '' || key.accountId === '' || !/^key\/./.test(key.resource))
    throw invalidRequest('The KMS key must be given by its ARN.');
  const { algorithm } = version.encryption;
  if (algorithm === 'customer' || algorithm === 'aws:kms:dsse')
    throw invalidRequest(
      'The encryption of objects that are encrypted with customer-provided keys or with DSSE-KMS cannot be updated.',
    );
  const encryption = await encryptionOf(ctx, bucket, {
    ServerSideEncryption: 'aws:kms',
    SSEKMSKeyId: kms.KMSKeyArn,
    BucketKeyEnabled: kms.BucketKeyEnabled ?? false,
    Key: input.Key,
  });
  const current = requireVersion(ctx, requireBucket(ctx, input), input.Key, version.versionId, true);
  stateOf(ctx, bucket).updateVersion(bucket, current, (draft) => {
    draft.encryption = encryption;
  });
  return {};
}

/**
 * Rejects the request: S3 no longer supports BitTorrent.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectTorrent.html
 */
export function GetObjectTorrent(input: InputOf<'GetObjectTorrent'>, ctx: S3Context): never {
  requireVersion(ctx, requireBucket(ctx, input), input.Key, undefined);
  throw s3Error('MethodNotAllowed', 'The specified method is not allowed against this resource.', {
    status: 405,
    members: { Method: 'GET', ResourceType: 'TORRENT' },
  });
}
