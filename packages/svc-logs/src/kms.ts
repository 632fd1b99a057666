import { AwsError } from '@emu/wire';
import { invalidParameter } from './errors.ts';
import type { LogsContext } from './lookup.ts';

/**
 * Checks the key that a resource is to be encrypted with.
 * @param keyId ARN of the key
 * @param arn of the resource
 * @returns the key's ARN; what was given where no KMS is mounted
 * @throws AwsError `InvalidParameterException` where there is no such key, or it may not be used
 */
export async function checkedKey(keyId: string, arn: string, ctx: LogsContext): Promise<string> {
  try {
    const { KeyMetadata } = await ctx.call('kms', 'DescribeKey', { KeyId: keyId });
    if (KeyMetadata?.Enabled && KeyMetadata.KeyUsage === 'ENCRYPT_DECRYPT') return KeyMetadata.Arn ?? keyId;
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    if (error.code === 'NotImplemented') return keyId;
  }
  throw invalidParameter(`The specified KMS key does not exist or is not allowed to be used with LogGroup '${arn}'.`);
}
