import { CustomerKey } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import type { LogsContext } from './context.ts';
import { invalidParameter } from './errors.ts';

const refused = (arn: string): AwsError =>
  invalidParameter(`The specified KMS key does not exist or is not allowed to be used with LogGroup '${arn}'.`);

/** KMS keys of log groups and lookup tables, by resource ARN. */
const logsKey = new CustomerKey<string>({ service: 'logs', refuse: (_refusal, { subject: arn }) => refused(arn) });

/**
 * Validates the encryption key of a resource.
 * @param keyId ARN of the key
 * @param arn of the resource
 * @returns the key's ARN; `keyId` if KMS is not mounted
 * @throws AwsError `InvalidParameterException` for a missing or unusable key
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
