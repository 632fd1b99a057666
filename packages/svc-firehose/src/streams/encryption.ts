import type { DeliveryStreamEncryptionConfigurationInput } from '@emu/service-types/firehose';
import { AwsError, awsError } from '@emu/wire';
import { invalidArgument } from '../errors.ts';
import type { FirehoseContext } from '../lookup.ts';
import type { EncryptionRecord } from '../records.ts';
import type { DeliveryStream } from '../registry.ts';

/** What KMS answers and Firehose passes on, by KMS's codes. */
const KMS_ERRORS = new Set([
  'AccessDeniedException',
  'DisabledException',
  'KMSInvalidStateException',
  'InvalidKeyUsageException',
  'NotFoundException',
]);

async function asked(run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof AwsError) || !KMS_ERRORS.has(error.code)) throw error;
    throw awsError('InvalidKMSResourceException', error.message, { members: { code: error.code } });
  }
}

/**
 * What a delivery stream is to be encrypted with. A key of the customer's is granted to Firehose, as the caller.
 * @throws AwsError `InvalidArgumentException`; `InvalidKMSResourceException` where KMS refuses the key
 */
export async function newEncryption(
  { KeyType = 'AWS_OWNED_CMK', KeyARN }: Partial<DeliveryStreamEncryptionConfigurationInput>,
  ctx: FirehoseContext,
): Promise<EncryptionRecord> {
  if (KeyType === 'AWS_OWNED_CMK') {
    if (KeyARN !== undefined) throw invalidArgument('KeyARN cannot be specified for the key type AWS_OWNED_CMK.');
    return { status: 'ENABLING', keyType: KeyType };
  }
  if (KeyARN === undefined) throw invalidArgument('KeyARN is required for the key type CUSTOMER_MANAGED_CMK.');
  await asked(() =>
    ctx.call(
      'kms',
      'CreateGrant',
      {
        KeyId: KeyARN,
        GranteePrincipal: 'firehose.amazonaws.com',
        Operations: ['Encrypt', 'Decrypt', 'GenerateDataKey', 'DescribeKey'],
      },
      { authorize: {} },
    ),
  );
  return { status: 'ENABLING', keyType: KeyType, keyArn: KeyARN };
}

/**
 * Encrypts what is put into a delivery stream with a key of the customer's.
 * @returns whether the delivery stream is encrypted
 * @throws AwsError `InvalidKMSResourceException` where the key cannot be used
 */
export async function useKey({ name, encryption }: DeliveryStream, ctx: FirehoseContext): Promise<boolean> {
  const { status, keyArn } = encryption;
  if (status !== 'ENABLED') return false;
  if (keyArn !== undefined)
    await asked(() =>
      ctx.call('kms', 'GenerateDataKey', {
        KeyId: keyArn,
        KeySpec: 'AES_256',
        EncryptionContext: { 'aws:firehose:arn': ctx.state.arnOf(name) },
      }),
    );
  return true;
}
