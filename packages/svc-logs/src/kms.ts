import { CustomerKey } from '@emu/core';
import { AwsError } from '@emu/wire';
import type { LogsContext } from './context.ts';
import { invalidParameter } from './errors.ts';

const refused = (arn: string): AwsError =>
  invalidParameter(`The specified KMS key does not exist or is not allowed to be used with LogGroup '${arn}'.`);

/** The customers' keys that log groups and lookup tables are encrypted with, by the resources' ARNs. */
const logsKey = new CustomerKey<string>({ service: 'logs', refuse: (_refusal, { subject: arn }) => refused(arn) });

/**
 * Checks the key that a resource is to be encrypted with.
 * @param keyId ARN of the key
 * @param arn of the resource
 * @returns the key's ARN; `keyId` where no KMS is mounted
 * @throws AwsError `InvalidParameterException` for a key that does not exist or may not be used
 */
export async function checkedKey(keyId: string, arn: string, ctx: LogsContext): Promise<string> {
  try {
    const { Arn = keyId, Enabled, KeyUsage } = await logsKey.describe(keyId, arn, ctx);
    if (!Enabled || KeyUsage !== 'ENCRYPT_DECRYPT') throw refused(arn);
    return Arn;
  } catch (error) {
    if (error instanceof AwsError && error.code === 'NotImplemented') return keyId;
    throw error;
  }
}
