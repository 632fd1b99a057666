import type { CallOptions, DeepReadonly, ServiceCaller } from '@emu/core';
import { AwsError } from '@emu/wire';
import { invalid } from './errors.ts';
import type { EncryptionRecord } from './records.ts';

/** What binds a data key to its pipe. */
const contextOf = (pipeArn: string) => ({ 'aws:pipe:arn': pipeArn });

/**
 * Has KMS make a data key for a pipe, as the caller.
 * @throws AwsError `ValidationException` with KMS's sentence where the key cannot be used
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-encryption-pipes-cmkey.html
 */
export async function newEncryption(
  keyId: string,
  pipeArn: string,
  caller: Pick<ServiceCaller, 'call'>,
): Promise<EncryptionRecord> {
  const input = { KeyId: keyId, KeySpec: 'AES_256', EncryptionContext: contextOf(pipeArn) } as const;
  try {
    const { CiphertextBlob } = await caller.call('kms', 'GenerateDataKey', input, { authorize: {} });
    return { keyId, dataKey: Buffer.from(CiphertextBlob!).toString('base64') };
  } catch (error) {
    if (!(error instanceof AwsError) || error.code === 'NotImplemented') throw error;
    throw invalid(error.message);
  }
}

/**
 * Has KMS decrypt the data key of a pipe, as reading and running it do.
 * @param options as whom
 * @throws AwsError what KMS answers
 */
export async function useKey(
  { dataKey }: DeepReadonly<EncryptionRecord>,
  pipeArn: string,
  caller: Pick<ServiceCaller, 'call'>,
  options: CallOptions,
): Promise<void> {
  const input = { CiphertextBlob: Buffer.from(dataKey, 'base64'), EncryptionContext: contextOf(pipeArn) };
  await caller.call('kms', 'Decrypt', input, options);
}
