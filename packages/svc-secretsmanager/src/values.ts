import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import {
  type DeepReadonly,
  formatArn,
  type OperationContext,
  type OperationInput,
  type OperationName,
  type OperationOutput,
  parseArn,
  type ServiceCaller,
} from '@emu/core';
import { AwsError, awsError } from '@emu/wire';
import { invalidParameter, secretsError } from './errors.ts';
import type { SealedValue, SecretValue } from './records.ts';

/** What can call KMS: an operation, which tells of keys that do not exist, or a state on its own behalf. */
export type Caller = Pick<ServiceCaller, 'call'> & Partial<Pick<OperationContext, 'wouldRefuse'>>;

/** What a value is encrypted for: KMS checks it on the way back. */
export type SealContext = {
  SecretARN: string;
  SecretVersionId: string;
};

const CIPHER = 'aes-256-gcm';
const IV = 12;
const TAG = 16;

/**
 * The value that a request holds; undefined where it has none.
 * @throws AwsError `InvalidParameterException` where it has both kinds
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
    if (Buffer.byteLength(string) > MAX_BYTES)
      throw invalidParameter(`Secret value is longer than ${MAX_BYTES} bytes.`);
    return { string };
  }
  return binary && { binary: Buffer.from(binary).toString('base64') };
}

const MAX_BYTES = 65_536;

/** The members of an answer that tell a value. */
export function describeValue(value: SecretValue): { SecretString?: string; SecretBinary?: Uint8Array } {
  return 'string' in value ? { SecretString: value.string } : { SecretBinary: Buffer.from(value.binary, 'base64') };
}

/** What tells equal values from others, for repeated requests. */
export function fingerprintOf(value: SecretValue): string {
  const [kind, text] = 'string' in value ? ['s', value.string] : ['b', value.binary];
  return createHash('sha256').update(`${kind}${text}`).digest('base64');
}

/** What KMS could not do for a secret. */
const kmsFailure = (failure: 'EncryptionFailure' | 'DecryptionFailure'): AwsError =>
  secretsError(
    failure,
    failure === 'EncryptionFailure'
      ? "Secrets Manager can't encrypt the protected secret text using the provided KMS key. Check that the KMS key is available, enabled, and not in an invalid state."
      : "Secrets Manager can't decrypt the protected secret text using the provided KMS key.",
  );

/** Calls KMS for the caller; its refusals become those of Secrets Manager. */
async function kms<Operation extends OperationName<'kms'>>(
  caller: Caller,
  operation: Operation,
  input: OperationInput<'kms', Operation>,
  failure: 'EncryptionFailure' | 'DecryptionFailure',
): Promise<OperationOutput<'kms', Operation>> {
  try {
    return await caller.call('kms', operation, input, { authorize: {} });
  } catch (error) {
    if (!(error instanceof AwsError) || error.code === 'NotImplemented') throw error;
    if (error.code === 'AccessDeniedException') throw awsError('AccessDeniedException', 'Access to KMS is not allowed');
    throw kmsFailure(failure);
  }
}

/**
 * Encrypts a value with a data key of a customer's key, or of AWS's own for the service. With that it stays as it is where
 * the emulator has no KMS. That the customer's key exists is checked by `OperationContext.wouldRefuse`; where that lets it
 * pass, AWS's own stands in for it.
 * @throws AwsError `EncryptionFailure`, `AccessDeniedException`
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/security-encryption.html
 */
export async function seal(
  caller: Caller,
  kmsKeyId: string | undefined,
  context: SealContext,
  value: SecretValue,
): Promise<SecretValue | SealedValue> {
  if (!usesDefaultKey(kmsKeyId) && (await isThere(caller, keyArnOf(kmsKeyId!, context))))
    return sealWithKms(caller, kmsKeyId!, context, value);
  try {
    return await sealWithKms(caller, DEFAULT_KEY, context, value);
  } catch (error) {
    if (error instanceof AwsError && error.code === 'NotImplemented') return value;
    throw error;
  }
}

/** Whether a customer's key exists, as far as somebody can be told that it does not. */
async function isThere(caller: Caller, KeyId: string): Promise<boolean> {
  if (!caller.wouldRefuse) return true;
  try {
    await caller.call('kms', 'DescribeKey', { KeyId });
  } catch (error) {
    if (!(error instanceof AwsError) || error.code !== 'NotFoundException') throw error;
    caller.wouldRefuse(kmsFailure('EncryptionFailure'));
    return false;
  }
  return true;
}

const DEFAULT_KEY = 'alias/aws/secretsmanager';

/** Whether values are encrypted with AWS's own key for the service. */
export const usesDefaultKey = (kmsKeyId: string | undefined): boolean =>
  kmsKeyId === undefined || kmsKeyId === '' || /(?:^|:)alias\/aws\/secretsmanager$/.test(kmsKeyId);

/** A key as everybody can name it: what is no ARN is of the secret's own account and region. */
function keyArnOf(key: string, { SecretARN }: SealContext): string {
  if (parseArn(key)) return key;
  const { region, accountId } = parseArn(SecretARN)!;
  const resource = key.startsWith('alias/') ? key : `key/${key}`;
  return formatArn({ service: 'kms', region, accountId, resource });
}

async function sealWithKms(
  caller: Caller,
  key: string,
  EncryptionContext: SealContext,
  value: SecretValue,
): Promise<SealedValue> {
  const made = await kms(
    caller,
    'GenerateDataKey',
    { KeyId: keyArnOf(key, EncryptionContext), KeySpec: 'AES_256', EncryptionContext },
    'EncryptionFailure',
  );
  const { KeyId: keyArn, Plaintext, CiphertextBlob } = made;
  const iv = randomBytes(IV);
  const cipher = createCipheriv(CIPHER, Plaintext!, iv);
  const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
  return {
    dataKey: Buffer.from(CiphertextBlob!).toString('base64'),
    keyArn: keyArn!,
    sealed: Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64'),
  };
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

async function openWithKms(caller: Caller, EncryptionContext: SealContext, value: SealedValue): Promise<SecretValue> {
  const { dataKey, keyArn } = value;
  const CiphertextBlob = Buffer.from(dataKey, 'base64');
  const input = { CiphertextBlob, EncryptionContext, ...(keyArn !== undefined && { KeyId: keyArn }) };
  const { Plaintext } = await kms(caller, 'Decrypt', input, 'DecryptionFailure');
  const sealed = Buffer.from(value.sealed, 'base64');
  const decipher = createDecipheriv(CIPHER, Plaintext!, sealed.subarray(0, IV));
  decipher.setAuthTag(sealed.subarray(IV, IV + TAG));
  const text = Buffer.concat([decipher.update(sealed.subarray(IV + TAG)), decipher.final()]);
  return JSON.parse(text.toString('utf8')) as SecretValue;
}
