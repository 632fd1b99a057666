import { createHash } from 'node:crypto';
import {
  CustomerKey,
  type DeepReadonly,
  exceedsBytes,
  formatArn,
  type KeyCaller,
  type OperationContext,
  parseArn,
  sealText,
  unsealText,
} from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { invalidParameter, secretsmanagerError } from './errors.ts';
import type { SealedValue, SecretValue } from './records.ts';

/** Caller of KMS: an operation, which reports unknown keys, or a state on its own behalf. */
export type Caller = KeyCaller & Partial<Pick<OperationContext, 'wouldRefuse'>>;

/** Encryption context of a value, which KMS checks at decryption. */
export type SealContext = {
  SecretARN: string;
  SecretVersionId: string;
};

/**
 * Returns the value in a request; undefined without one.
 * @throws AwsError `InvalidParameterException` for a text and a binary value
 */
export function givenValue(input: {
  SecretString?: string | undefined;
  SecretBinary?: Uint8Array | undefined;
}): SecretValue | undefined {
  const { SecretString: string, SecretBinary: binary } = input;
  if (string !== undefined && binary !== undefined)
    throw invalidParameter(
      "You can't specify both a binary secret value and a string secret value in the same secret.",
    );
  if (string !== undefined) {
    if (exceedsBytes(string, MAX_BYTES)) throw invalidParameter(`Secret value is longer than ${MAX_BYTES} bytes.`);
    return { string };
  }
  return binary && { binary: Buffer.from(binary).toString('base64') };
}

const MAX_BYTES = 65_536;

/** Returns the members of a response with the value. */
export function describeValue(value: SecretValue): { SecretString?: string; SecretBinary?: Uint8Array } {
  return 'string' in value ? { SecretString: value.string } : { SecretBinary: Buffer.from(value.binary, 'base64') };
}

/** Returns a digest that identifies equal values in repeated requests. */
export function fingerprintOf(value: SecretValue): string {
  const [kind, text] = 'string' in value ? ['s', value.string] : ['b', value.binary];
  return createHash('sha256').update(`${kind}${text}`).digest('base64');
}

/** Creates the error for a failed encryption or decryption of a secret. */
const kmsFailure = (failure: 'EncryptionFailure' | 'DecryptionFailure'): AwsError =>
  secretsmanagerError(
    failure,
    failure === 'EncryptionFailure'
      ? "Secrets Manager can't encrypt the protected secret text using the provided KMS key. Check that the KMS key is available, enabled, and not in an invalid state."
      : "Secrets Manager can't decrypt the protected secret text using the provided KMS key.",
  );

/** Customer keys that encrypt secrets. */
export const secretKey = new CustomerKey<SealContext, Caller>({
  service: 'secretsmanager',
  context: (context) => context,
  refuse({ code }, { purpose }) {
    if (purpose === 'describe') return undefined;
    if (code === 'AccessDeniedException')
      return secretsmanagerError('AccessDeniedException', 'Access to KMS is not allowed');
    return kmsFailure(purpose === 'encrypt' ? 'EncryptionFailure' : 'DecryptionFailure');
  },
});

/**
 * Encrypts a value with a data key of a customer key or the AWS managed key. With the AWS managed key the value stays
 * unencrypted if KMS is not mounted. `OperationContext.wouldRefuse` checks that the customer key exists; an unknown key
 * that passes is replaced by the AWS managed key.
 * @throws AwsError `EncryptionFailure`, `AccessDeniedException`
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/security-encryption.html
 */
export async function seal(
  caller: Caller,
  kmsKeyId: string | undefined,
  context: SealContext,
  value: SecretValue,
): Promise<SecretValue | SealedValue> {
  if (!usesDefaultKey(kmsKeyId) && (await keyExists(caller, keyArnOf(kmsKeyId!, context), context)))
    return sealWithKms(caller, kmsKeyId!, context, value);
  try {
    return await sealWithKms(caller, secretKey.managedAlias, context, value);
  } catch (error) {
    if (error instanceof AwsError && error.code === 'NotImplemented') return value;
    throw error;
  }
}

/** Whether a customer key exists, if its absence can be known. */
async function keyExists(caller: Caller, keyId: string, context: SealContext): Promise<boolean> {
  if (!caller.wouldRefuse) return true;
  try {
    await secretKey.describe(keyId, context, caller);
  } catch (error) {
    if (!(error instanceof AwsError) || error.code !== 'NotFoundException') throw error;
    caller.wouldRefuse(kmsFailure('EncryptionFailure'));
    return false;
  }
  return true;
}

/** Whether values are encrypted with the AWS managed key. */
export const usesDefaultKey = (kmsKeyId: string | undefined): boolean =>
  kmsKeyId === undefined || kmsKeyId === '' || secretKey.isManaged(kmsKeyId);

/** Returns a key as an ARN. An id or alias belongs to the account and region of the secret. */
function keyArnOf(key: string, { SecretARN }: SealContext): string {
  if (parseArn(key)) return key;
  const { region, accountId } = parseArn(SecretARN)!;
  const resource = key.startsWith('alias/') ? key : `key/${key}`;
  return formatArn({ service: 'kms', region, accountId, resource });
}

async function sealWithKms(
  caller: Caller,
  key: string,
  context: SealContext,
  value: SecretValue,
): Promise<SealedValue> {
  const { keyArn, dataKey, plaintext } = await secretKey.newDataKey(keyArnOf(key, context), context, caller);
  return { dataKey, keyArn, sealed: sealText(plaintext, JSON.stringify(value)).toString('base64') };
}

/**
 * Decrypts a value.
 * @throws AwsError `DecryptionFailure`, `AccessDeniedException`
 */
export function open(
  caller: Caller,
  context: SealContext,
  value: DeepReadonly<SecretValue | SealedValue>,
): SecretValue | Promise<SecretValue> {
  return 'sealed' in value ? openWithKms(caller, context, value) : value;
}

async function openWithKms(caller: Caller, context: SealContext, value: SealedValue): Promise<SecretValue> {
  const { dataKey, keyArn, sealed } = value;
  const plaintext = await secretKey.decrypt({ dataKey, under: keyArn }, context, caller);
  return JSON.parse(unsealText(plaintext, Buffer.from(sealed, 'base64'))) as SecretValue;
}
