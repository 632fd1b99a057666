import type { CallOptions, DeepReadonly, ServiceCaller } from '@emu/core';
import { AwsError } from '@emu/wire';
import { invalid } from './errors.ts';
import type { EncryptionRecord } from './records.ts';

/** What binds a data key to its schedule. */
const contextOf = (scheduleArn: string) => ({ 'aws:scheduler:schedule:arn': scheduleArn });

/**
 * Has KMS make a data key for a schedule, as the caller.
 * @throws AwsError `ValidationException` with KMS's sentence where the key cannot be used
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/encryption-rest.html
 */
export async function newEncryption(
  keyArn: string,
  scheduleArn: string,
  caller: Pick<ServiceCaller, 'call'>,
): Promise<EncryptionRecord> {
  try {
    const { CiphertextBlob } = await caller.call(
      'kms',
      'GenerateDataKey',
      { KeyId: keyArn, KeySpec: 'AES_256', EncryptionContext: contextOf(scheduleArn) },
      { authorize: {} },
    );
    return { keyArn, dataKey: Buffer.from(CiphertextBlob!).toString('base64') };
  } catch (error) {
    if (!(error instanceof AwsError) || error.code === 'NotImplemented') throw error;
    throw invalid(error.message);
  }
}

/**
 * Has KMS decrypt the data key of a schedule, as reading and running it do.
 * @param options as whom
 * @throws AwsError what KMS answers
 */
export async function useKey(
  { dataKey }: DeepReadonly<EncryptionRecord>,
  scheduleArn: string,
  caller: Pick<ServiceCaller, 'call'>,
  options: CallOptions,
): Promise<void> {
  const input = { CiphertextBlob: Buffer.from(dataKey, 'base64'), EncryptionContext: contextOf(scheduleArn) };
  await caller.call('kms', 'Decrypt', input, options);
}
