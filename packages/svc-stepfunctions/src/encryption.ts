import type { CallOptions, DeepReadonly, OperationContext, Principal } from '@emu/core';
import type { EncryptionConfiguration } from '@emu/service-types/stepfunctions';
import { AwsError, awsError } from '@emu/wire';
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

/** Until when callers may use the key of a record, by their ARNs; a changed key is another record. */
const uses = new WeakMap<Encryption, Map<string, number>>();

/** What binds a data key to its state machine or activity. */
const contextOf = (arn: string): Record<string, string> => ({
  [arn.includes(':activity:') ? 'aws:states:activityArn' : 'aws:states:stateMachineArn']: arn,
});

const invalid = (why: string): AwsError =>
  awsError('InvalidEncryptionConfiguration', `Invalid Encryption Configuration: '${why}'`);

/** KMS's errors as Step Functions has them: of what is there already. */
const ERRORS: Readonly<Record<string, string>> = {
  AccessDeniedException: 'KmsAccessDeniedException',
  DisabledException: 'KmsInvalidStateException',
  KMSInvalidStateException: 'KmsInvalidStateException',
  NotFoundException: 'KmsInvalidStateException',
  ThrottlingException: 'KmsThrottlingException',
};

/** As who has called the operation. */
const AS_CALLER: CallOptions = { authorize: {} };

/**
 * Has KMS make a data key of a customer's key, as the caller.
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
  try {
    const input = { KeyId: keyId, KeySpec: 'AES_256', EncryptionContext: contextOf(arn) } as const;
    const { CiphertextBlob, Plaintext } = await ctx.call('kms', 'GenerateDataKey', input, AS_CALLER);
    const dataKey = Buffer.from(CiphertextBlob!).toString('base64');
    remember(dataKey, Plaintext!);
    return { keyId, reuse, arn, dataKey };
  } catch (error) {
    if (!(error instanceof AwsError) || error.code === 'NotImplemented') throw error;
    if (error.code === 'AccessDeniedException') throw awsError('KmsAccessDeniedException', error.message);
    throw invalid(error.message);
  }
}

/**
 * Has KMS decrypt a data key, as reading what it protects and running an execution do; who was allowed to is asked again
 * when the data key's time is over.
 * @param encryption of a state machine, execution or activity; undefined where AWS's own key is used
 * @param options as whom; the caller of the operation by default
 * @throws AwsError `KmsAccessDeniedException`, `KmsInvalidStateException`, `KmsThrottlingException`
 */
export async function useKey(
  encryption: Encryption | undefined,
  ctx: Context,
  options: CallOptions = AS_CALLER,
): Promise<void> {
  if (!encryption) return;
  const users = uses.get(encryption) ?? new Map<string, number>();
  uses.set(encryption, users);
  const user = (options.principal ?? ctx.principal)?.arn ?? '';
  const now = ctx.clock.now();
  if ((users.get(user) ?? 0) > now && isKnown(encryption.dataKey)) return;
  const { arn, dataKey, reuse } = encryption;
  try {
    const input = { CiphertextBlob: Buffer.from(dataKey, 'base64'), EncryptionContext: contextOf(arn) };
    const { Plaintext } = await ctx.call('kms', 'Decrypt', input, options);
    remember(dataKey, Plaintext!);
  } catch (error) {
    const code = error instanceof AwsError ? ERRORS[error.code] : undefined;
    throw code === undefined ? error : awsError(code, (error as AwsError).message);
  }
  users.set(user, now + reuse * 1000);
}

/** The key of a state machine, execution or activity, as answers have it. */
export const describeEncryption = (encryption: Encryption | undefined): EncryptionConfiguration =>
  encryption
    ? { type: 'CUSTOMER_MANAGED_KMS_KEY', kmsKeyId: encryption.keyId, kmsDataKeyReusePeriodSeconds: encryption.reuse }
    : { type: 'AWS_OWNED_KEY' };
