import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { ServiceCaller } from '@emu/core';
import { AwsError, awsError } from '@emu/wire';
import type { SealedText } from '../records.ts';

/** The key that AWS manages for Parameter Store. */
export const DEFAULT_KEY = 'alias/aws/ssm';

const CIPHER = 'aes-256-gcm';
const IV = 12;
const TAG = 16;

type Caller = Pick<ServiceCaller, 'call'>;

async function asked<Answer>(run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AwsError) || (error.status ?? 400) >= 500) throw error;
    throw awsError('InvalidKeyId', error.message);
  }
}

/**
 * Encrypts a value, as the caller: that of a standard parameter by the key itself, that of an advanced one by a data key.
 * @param arn of the parameter, which is the encryption context
 * @throws AwsError `InvalidKeyId` in KMS's words
 * @see https://docs.aws.amazon.com/kms/latest/developerguide/services-parameter-store.html
 */
export async function seal(
  text: string,
  keyId: string,
  arn: string,
  advanced: boolean,
  caller: Caller,
): Promise<SealedText> {
  const EncryptionContext = { PARAMETER_ARN: arn };
  const authorize = {};
  if (!advanced) {
    const input = { KeyId: keyId, Plaintext: Buffer.from(text), EncryptionContext };
    const { CiphertextBlob } = await asked(() => caller.call('kms', 'Encrypt', input, { authorize }));
    return { blob: Buffer.from(CiphertextBlob!).toString('base64') };
  }
  const input = { KeyId: keyId, KeySpec: 'AES_256' as const, EncryptionContext };
  const { Plaintext, CiphertextBlob } = await asked(() => caller.call('kms', 'GenerateDataKey', input, { authorize }));
  const iv = randomBytes(IV);
  const cipher = createCipheriv(CIPHER, Plaintext!, iv);
  const bytes = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return { blob: Buffer.from(CiphertextBlob!).toString('base64'), envelope: bytes.toString('base64') };
}

/**
 * Decrypts a value, as the caller.
 * @throws AwsError `InvalidKeyId` in KMS's words
 */
export async function open({ blob, envelope }: Readonly<SealedText>, arn: string, caller: Caller): Promise<string> {
  const input = { CiphertextBlob: Buffer.from(blob, 'base64'), EncryptionContext: { PARAMETER_ARN: arn } };
  const { Plaintext } = await asked(() => caller.call('kms', 'Decrypt', input, { authorize: {} }));
  if (envelope === undefined) return Buffer.from(Plaintext!).toString('utf8');
  const bytes = Buffer.from(envelope, 'base64');
  const cipher = createDecipheriv(CIPHER, Plaintext!, bytes.subarray(0, IV));
  cipher.setAuthTag(bytes.subarray(-TAG));
  return Buffer.concat([cipher.update(bytes.subarray(IV, -TAG)), cipher.final()]).toString('utf8');
}

/** The text that a SecureString shows to who does not have it decrypted. */
export const ciphertextOf = ({ blob, envelope }: Readonly<SealedText>): string => envelope ?? blob;
