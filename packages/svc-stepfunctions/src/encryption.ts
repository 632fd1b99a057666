import {
  type CallOptions,
  CustomerKey,
  type DeepReadonly,
  type OperationContext,
  type Principal,
  renameRefusals,
} from '@emu/core/service';
import type { EncryptionConfiguration } from '@emu/service-types/stepfunctions';
import type { AwsError } from '@emu/wire';
import { stepfunctionsError } from './errors.ts';
import { isKnown, remember } from './sealing.ts';

/** Customer key of a state machine or activity. */
export interface EncryptionRecord {
  keyId: string;
  /** Seconds for which a decrypted data key is reused. */
  reuse: number;
  /** ARN of the state machine or activity in the encryption context. */
  arn: string;
  /** Encrypted data key in base64. */
  dataKey: string;
}

type Encryption = DeepReadonly<EncryptionRecord>;
type Context = Pick<OperationContext<unknown>, 'call' | 'clock'> & { readonly principal?: Principal };

const DEFAULT_REUSE = 300;

const invalid = (why: string): AwsError =>
  stepfunctionsError('InvalidEncryptionConfiguration', `Invalid Encryption Configuration: '${why}'`);

/** Errors of using an existing key of a state machine or activity. */
const ofUse = renameRefusals({
  AccessDeniedException: 'KmsAccessDeniedException',
  DisabledException: 'KmsInvalidStateException',
  KMSInvalidStateException: 'KmsInvalidStateException',
  NotFoundException: 'KmsInvalidStateException',
  ThrottlingException: 'KmsThrottlingException',
});

/** Customer keys that encrypt state machines and activities, by ARN. */
const machineKey = new CustomerKey({
  service: 'states',
  context: (arn: string) => ({
    [arn.includes(':activity:') ? 'aws:states:activityArn' : 'aws:states:stateMachineArn']: arn,
  }),
  refuse(refusal, { purpose }) {
    if (purpose === 'decrypt') return ofUse(refusal);
    return refusal.code === 'AccessDeniedException' ? ofUse(refusal) : invalid(refusal.message);
  },
});

/**
 * Generates a data key with a customer key, with the caller's identity.
 * @param arn of the state machine or activity
 * @returns undefined for AWS's own key
 * @throws AwsError `InvalidEncryptionConfiguration`, `KmsAccessDeniedException`
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/encryption-at-rest.html
 */
export async function newEncryption(
  given: EncryptionConfiguration | undefined,
  arn: string,
  ctx: Context,
): Promise<EncryptionRecord | undefined> {
  const { type = 'AWS_OWNED_KEY', kmsKeyId: keyId, kmsDataKeyReusePeriodSeconds: reuse = DEFAULT_REUSE } = given ?? {};
  if (type === 'AWS_OWNED_KEY') {
    if (keyId !== undefined) throw invalid('kmsKeyId must not be specified for the type AWS_OWNED_KEY');
    return undefined;
  }
  if (keyId === undefined) throw invalid('kmsKeyId must be specified for the type CUSTOMER_MANAGED_KMS_KEY');
  const { dataKey, plaintext } = await machineKey.newDataKey(keyId, arn, ctx);
  remember(dataKey, plaintext);
  return { keyId, reuse, arn, dataKey };
}

/**
 * Decrypts a data key for reading data or running an execution, once per user within its reuse period.
 * @param encryption of a state machine, execution or activity; undefined for AWS's own key
 * @param options identity; by default the caller of the operation
 * @throws AwsError `KmsAccessDeniedException`, `KmsInvalidStateException`, `KmsThrottlingException`
 */
export async function useKey(encryption: Encryption | undefined, ctx: Context, options?: CallOptions): Promise<void> {
  if (!encryption) return;
  const { arn, dataKey, keyId, reuse } = encryption;
  const user = (options?.principal ?? ctx.principal)?.arn ?? '';
  if (!isKnown(dataKey)) machineKey.uses.discard(encryption);
  await machineKey.uses.once({ owner: encryption, keyId, user, period: reuse * 1000 }, ctx.clock, async () => {
    remember(dataKey, await machineKey.decrypt({ dataKey }, arn, ctx, options));
  });
}

/** Returns the encryption configuration in responses. */
export const describeEncryption = (encryption: Encryption | undefined): EncryptionConfiguration =>
  encryption
    ? { type: 'CUSTOMER_MANAGED_KMS_KEY', kmsKeyId: encryption.keyId, kmsDataKeyReusePeriodSeconds: encryption.reuse }
    : { type: 'AWS_OWNED_KEY' };
