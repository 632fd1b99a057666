import { CustomerKey } from '@emu/core/service';
import type { DeliveryStreamEncryptionConfigurationInput } from '@emu/service-types/firehose';
import type { FirehoseContext } from '../context.ts';
import { firehoseError, invalidArgument } from '../errors.ts';
import type { EncryptionRecord } from '../records.ts';
import type { DeliveryStream } from '../registry.ts';

/** KMS error codes that Firehose returns. */
const KMS_ERRORS = new Set([
  'AccessDeniedException',
  'DisabledException',
  'KMSInvalidStateException',
  'InvalidKeyUsageException',
  'NotFoundException',
]);

/** Customer keys of delivery streams, by stream ARN. */
const streamKey = new CustomerKey({
  service: 'firehose',
  context: (streamArn: string) => ({ 'aws:firehose:arn': streamArn }),
  refuse: ({ code, message }) =>
    KMS_ERRORS.has(code) ? firehoseError('InvalidKMSResourceException', message, { members: { code } }) : undefined,
});

/** Operations of Firehose's grant on a key. */
const GRANTED = ['Encrypt', 'Decrypt', 'GenerateDataKey', 'DescribeKey'] as const;

/**
 * Returns the encryption of a delivery stream. Grants Firehose the use of a customer key, as the caller.
 * @throws AwsError `InvalidArgumentException`; `InvalidKMSResourceException` if KMS rejects the key
 */
export async function newEncryption(
  { KeyType = 'AWS_OWNED_CMK', KeyARN }: Partial<DeliveryStreamEncryptionConfigurationInput>,
  name: string,
  ctx: FirehoseContext,
): Promise<EncryptionRecord> {
  if (KeyType === 'AWS_OWNED_CMK') {
    if (KeyARN !== undefined) throw invalidArgument('KeyARN cannot be specified for the key type AWS_OWNED_CMK.');
    return { status: 'ENABLING', keyType: KeyType };
  }
  if (KeyARN === undefined) throw invalidArgument('KeyARN is required for the key type CUSTOMER_MANAGED_CMK.');
  await streamKey.grant(KeyARN, GRANTED, ctx.state.arnOf(name), ctx);
  return { status: 'ENABLING', keyType: KeyType, keyArn: KeyARN };
}

/**
 * Encrypts data put into a delivery stream with a customer key.
 * @returns whether the delivery stream is encrypted
 * @throws AwsError `InvalidKMSResourceException` if the key is not usable
 */
export async function useKey({ name, encryption }: DeliveryStream, ctx: FirehoseContext): Promise<boolean> {
  const { status, keyArn } = encryption;
  if (status !== 'ENABLED') return false;
  // Permitted by the grant, whatever the caller's permissions.
  if (keyArn !== undefined) await streamKey.newDataKey(keyArn, ctx.state.arnOf(name), ctx, {});
  return true;
}
