import { CustomerKey } from '@emu/core/service';
import type { DeliveryStreamEncryptionConfigurationInput } from '@emu/service-types/firehose';
import { awsError } from '@emu/wire';
import type { FirehoseContext } from '../context.ts';
import { invalidArgument } from '../errors.ts';
import type { EncryptionRecord } from '../records.ts';
import type { DeliveryStream } from '../registry.ts';

/** Codes of KMS's errors that Firehose passes on. */
const KMS_ERRORS = new Set([
  'AccessDeniedException',
  'DisabledException',
  'KMSInvalidStateException',
  'InvalidKeyUsageException',
  'NotFoundException',
]);

/** The customers' keys that delivery streams are encrypted with, by the streams' ARNs. */
const streamKey = new CustomerKey({
  service: 'firehose',
  context: (streamArn: string) => ({ 'aws:firehose:arn': streamArn }),
  refuse: ({ code, message }) =>
    KMS_ERRORS.has(code) ? awsError('InvalidKMSResourceException', message, { members: { code } }) : undefined,
});

/** What Firehose may do with a key by its grant. */
const GRANTED = ['Encrypt', 'Decrypt', 'GenerateDataKey', 'DescribeKey'] as const;

/**
 * What a delivery stream is to be encrypted with. A key of the customer's is granted to Firehose, as the caller.
 * @throws AwsError `InvalidArgumentException`; `InvalidKMSResourceException` where KMS refuses the key
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
 * Encrypts what is put into a delivery stream with a key of the customer's.
 * @returns whether the delivery stream is encrypted
 * @throws AwsError `InvalidKMSResourceException` where the key cannot be used
 */
export async function useKey({ name, encryption }: DeliveryStream, ctx: FirehoseContext): Promise<boolean> {
  const { status, keyArn } = encryption;
  if (status !== 'ENABLED') return false;
  // The grant permits it, whoever puts records.
  if (keyArn !== undefined) await streamKey.newDataKey(keyArn, ctx.state.arnOf(name), ctx, {});
  return true;
}
