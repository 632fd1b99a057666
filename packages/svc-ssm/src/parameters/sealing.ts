import { CustomerKey, type KeyCaller, sealText, unsealText } from '@emu/core/service';
import { ssmError } from '../errors.ts';
import type { SealedText } from '../records.ts';

/**
 * Customer keys that encrypt parameters, by parameter ARN.
 * @see https://docs.aws.amazon.com/kms/latest/developerguide/services-parameter-store.html
 */
export const parameterKey = new CustomerKey({
  service: 'ssm',
  context: (parameterArn: string) => ({ PARAMETER_ARN: parameterArn }),
  refuse: ({ message, status = 400 }) => (status < 500 ? ssmError('InvalidKeyId', message) : undefined),
});

// Layout of an envelope: initialization vector, ciphertext, authentication tag.
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a value with the caller's identity: a standard parameter with the key itself, an advanced one with a data
 * key.
 * @param arn of the parameter
 * @throws AwsError `InvalidKeyId` with the message of KMS
 */
export async function seal(
  text: string,
  keyId: string,
  arn: string,
  advanced: boolean,
  caller: KeyCaller,
): Promise<SealedText> {
  if (!advanced) return { blob: await parameterKey.encrypt(keyId, Buffer.from(text), arn, caller) };
  const { dataKey, plaintext } = await parameterKey.newDataKey(keyId, arn, caller);
  const sealed = sealText(plaintext, text);
  const [iv, tag] = [sealed.subarray(0, IV_BYTES), sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
  const envelope = Buffer.concat([iv, sealed.subarray(IV_BYTES + TAG_BYTES), tag]);
  return { blob: dataKey, envelope: envelope.toString('base64') };
}

/**
 * Decrypts a value with the caller's identity.
 * @throws AwsError `InvalidKeyId` with the message of KMS
 */
export async function open({ blob, envelope }: Readonly<SealedText>, arn: string, caller: KeyCaller): Promise<string> {
  const plaintext = await parameterKey.decrypt({ dataKey: blob }, arn, caller);
  if (envelope === undefined) return Buffer.from(plaintext).toString('utf8');
  const bytes = Buffer.from(envelope, 'base64');
  const sealed = [bytes.subarray(0, IV_BYTES), bytes.subarray(-TAG_BYTES), bytes.subarray(IV_BYTES, -TAG_BYTES)];
  return unsealText(plaintext, Buffer.concat(sealed));
}

/** Returns the ciphertext of a SecureString, for callers that do not decrypt it. */
export const ciphertextOf = ({ blob, envelope }: Readonly<SealedText>): string => envelope ?? blob;
