import {
  type CallOptions,
  CustomerKey,
  type DeepReadonly,
  type OperationContext,
  type Principal,
  renameRefusals,
} from '@emu/core/service';
import type { EncryptionConfiguration } from '@emu/service-types/stepfunctions';
import { type AwsError, awsError } from '@emu/wire';
import { isKnown, remember } from './sealing.ts';

/** The customer's key of a state machine or activity. */
export interface EncryptionRecord {
  keyId: string;
  /** For how many seconds a data key is used that KMS has decrypted. */
  reuse: number;
  /** ARN of the state machine or activity, which the data key is bound to. */
  arn: string;
  /** The data key that KMS made, encrypted, in base64. */
  dataKey: string;
}

type Encryption = DeepReadonly<EncryptionRecord>;
type Context = Pick<OperationContext<unknown>, 'call' | 'clock'> & { readonly principal?: Principal };

const DEFAULT_REUSE = 300;

const invalid = (why: string): AwsError =>
  awsError('InvalidEncryptionConfiguration', `Invalid Encryption Configuration: '${why}'`);

/** Errors of using a key that a state machine or activity has already. */
const ofUse = renameRefusals({
  AccessDeniedException: 'KmsAccessDeniedException',
  DisabledException: 'KmsInvalidStateException',
  KMSInvalidStateException: 'KmsInvalidStateException',
  NotFoundException: 'KmsInvalidStateException',
  ThrottlingException: 'KmsThrottlingException',
});

/** The customers' keys that state machines and activities are encrypted with, by their ARNs. */
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
 * Makes a data key of a customer's key, as the caller.
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
 * Decrypts a data key, as reading what it protects and running an execution do, once per user in the data key's period.
 * @param encryption of a state machine, execution or activity; undefined where AWS's own key is used
 * @param options as whom; the caller of the operation by default
 * @throws AwsError `KmsAccessDeniedException`, `KmsInvalidStateException`, `KmsThrottlingException`
 */
export async function useKey(encryption: Encryption | undefined, ctx: Context, options?: CallOptions): Promise<void> {
  if (!encryption) return;
  const { arn, dataKey, keyId, reuse } = encryption;
  const user = (options?.principal ?? ctx.principal)?.arn ?? '';
  if (!isKnown(dataKey)) machineKey.uses.forget(encryption);
  await machineKey.uses.once({ owner: encryption, keyId, user, period: reuse * 1000 }, ctx.clock, async () => {
    remember(dataKey, await machineKey.decrypt({ dataKey }, arn, ctx, options));
  });
}

/** The key of a state machine, execution or activity, as answers have it. */
export const describeEncryption = (encryption: Encryption | undefined): EncryptionConfiguration =>
  encryption
    ? { type: 'CUSTOMER_MANAGED_KMS_KEY', kmsKeyId: encryption.keyId, kmsDataKeyReusePeriodSeconds: encryption.reuse }
    : { type: 'AWS_OWNED_KEY' };
