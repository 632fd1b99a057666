import { createHash } from 'node:crypto';
import { type DeepReadonly, parseArn } from '@emu/core';
import type { ServerSideEncryption } from '@emu/service-types/s3';
import { AwsError, awsError } from '@emu/wire';
import type { Bucket } from '../buckets/bucket.ts';
import type { S3Context } from '../buckets/lookup.ts';
import { accessDenied, invalidArgument, invalidRequest } from '../errors.ts';
import type { ObjectEncryption } from '../records.ts';
import { bucketArn } from '../resources.ts';

/** The customer key members of a request. */
export interface CustomerKeyInput {
  SSECustomerAlgorithm?: string | undefined;
  SSECustomerKey?: string | undefined;
  SSECustomerKeyMD5?: string | undefined;
}

/** The encryption members of a request that writes an object. */
export interface EncryptionInput extends CustomerKeyInput {
  ServerSideEncryption?: ServerSideEncryption | undefined;
  SSEKMSKeyId?: string | undefined;
  SSEKMSEncryptionContext?: string | undefined;
  BucketKeyEnabled?: boolean | undefined;
  /** Key of the object; undefined for a session, which is for a whole bucket. */
  Key?: string | undefined;
}

/** The encryption members of a response. */
export interface EncryptionOutput {
  ServerSideEncryption?: ServerSideEncryption | undefined;
  SSECustomerAlgorithm?: string | undefined;
  SSECustomerKeyMD5?: string | undefined;
  SSEKMSKeyId?: string | undefined;
  BucketKeyEnabled?: boolean | undefined;
}

const ARGUMENT = 'x-amz-server-side-encryption';
const invalid = (message: string, value?: string): AwsError => invalidArgument(message, ARGUMENT, value);

/**
 * How a new object is encrypted: as its request says, or as its bucket does by default.
 * @throws AwsError `InvalidArgument`, `InvalidEncryptionAlgorithmError`, `KMS.*`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/serv-side-encryption.html
 */
export function encryptionOf(
  ctx: S3Context,
  bucket: Bucket,
  input: EncryptionInput,
): ObjectEncryption | Promise<ObjectEncryption> {
  const customer = customerKey(input);
  const algorithm = input.ServerSideEncryption;
  if (customer) {
    if (algorithm !== undefined)
      throw invalid(
        'Server Side Encryption with Customer provided key is incompatible with the encryption method specified',
        algorithm,
      );
    const blocked = bucket.record.configurations.encryption?.[0]?.BlockedEncryptionTypes?.EncryptionType;
    if (blocked?.includes('SSE-C'))
      throw accessDenied('Server-side encryption with customer-provided keys (SSE-C) is blocked for this bucket.');
    return customer;
  }
  if (algorithm === undefined) {
    if (input.SSEKMSKeyId !== undefined)
      throw invalid(
        'Server Side Encryption with AWS KMS managed key requires HTTP header x-amz-server-side-encryption : aws:kms',
      );
    return byDefault(ctx, bucket, input);
  }
  if (algorithm === 'AES256') {
    if (input.SSEKMSKeyId !== undefined)
      throw invalid(
        'Server Side Encryption with AWS KMS managed key requires HTTP header x-amz-server-side-encryption : aws:kms',
        algorithm,
      );
    return { algorithm };
  }
  if (algorithm !== 'aws:kms' && algorithm !== 'aws:kms:dsse')
    throw invalid('The encryption method specified is not supported', algorithm);
  const byBucket = bucket.record.configurations.encryption?.[0]?.BucketKeyEnabled ?? false;
  return withKms(ctx, bucket, input, {
    algorithm,
    keyId: input.SSEKMSKeyId,
    bucketKey: input.BucketKeyEnabled ?? byBucket,
    context: input.SSEKMSEncryptionContext,
  });
}

function byDefault(
  ctx: S3Context,
  bucket: Bucket,
  input: EncryptionInput,
): ObjectEncryption | Promise<ObjectEncryption> {
  const rule = bucket.record.configurations.encryption?.[0];
  const { SSEAlgorithm: algorithm = 'AES256', KMSMasterKeyID: keyId } = rule?.ApplyServerSideEncryptionByDefault ?? {};
  if (algorithm !== 'aws:kms' && algorithm !== 'aws:kms:dsse') return { algorithm: 'AES256' };
  const bucketKey = input.BucketKeyEnabled ?? rule?.BucketKeyEnabled ?? false;
  return withKms(ctx, bucket, input, { algorithm, keyId, bucketKey, context: undefined });
}

/** How KMS is asked to encrypt an object. */
interface KmsSettings {
  algorithm: 'aws:kms' | 'aws:kms:dsse';
  keyId: string | undefined;
  bucketKey: boolean;
  /** As the header has it. */
  context: string | undefined;
}

/**
 * Has KMS make the data key of an object, as the caller. It is bound to the object's ARN, with a bucket key to the
 * bucket's.
 * @throws AwsError `AccessDenied`, `InvalidArgument`; KMS's other errors, their codes prefixed as S3 does
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingKMSEncryption.html
 */
async function withKms(
  ctx: S3Context,
  bucket: Bucket,
  { Key: key }: EncryptionInput,
  { algorithm, keyId, bucketKey: wanted, context }: KmsSettings,
): Promise<ObjectEncryption> {
  const given = keyId === undefined ? undefined : parseArn(keyId);
  if (given?.service === 'kms' && given.region !== ctx.region)
    throw kmsError('NotFoundException', `Invalid arn ${given.region}`);
  const bucketKey = algorithm === 'aws:kms' && wanted;
  const boundTo = bucketKey || key === undefined ? bucketArn(bucket) : `${bucketArn(bucket)}/${key}`;
  const EncryptionContext = contextOf({ boundTo, context });
  const request = { KeyId: keyId ?? 'alias/aws/s3', KeySpec: 'AES_256' as const, EncryptionContext };
  const { KeyId: arn, CiphertextBlob: dataKey } = await asCaller(() =>
    ctx.call('kms', 'GenerateDataKey', request, { authorize: {} }),
  );
  return {
    algorithm,
    keyId: arn!,
    bucketKey,
    boundTo,
    dataKey: Buffer.from(dataKey!).toString('base64'),
    ...(context !== undefined && { context }),
  };
}

/**
 * The encryption context that KMS gets: the caller's pairs, and the ARN of what is encrypted.
 * @throws AwsError `InvalidArgument`
 */
function contextOf({ boundTo, context }: { boundTo: string; context?: string | undefined }): Record<string, string> {
  const own = { 'aws:s3:arn': boundTo };
  if (context === undefined) return own;
  try {
    const pairs: unknown = JSON.parse(Buffer.from(context, 'base64').toString('utf8'));
    if (typeof pairs === 'object' && pairs !== null && !Array.isArray(pairs)) {
      const entries = Object.entries(pairs);
      if (entries.every((pair): pair is [string, string] => typeof pair[1] === 'string'))
        return { ...Object.fromEntries(entries), ...own };
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw invalidArgument(
    "The header 'x-amz-server-side-encryption-context' shall be Base64-encoded UTF-8 string holding JSON which represents a string-string map",
    `${ARGUMENT}-context`,
    context,
  );
}

/** Calls KMS. @throws AwsError KMS's refusals as S3 passes them on */
async function asCaller<Output>(call: () => Promise<Output>): Promise<Output> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof AwsError) || error.code === 'NotImplemented') throw error;
    throw error.code === 'AccessDeniedException' ? accessDenied(error.message) : kmsError(error.code, error.message);
  }
}

const kmsError = (code: string, message: string): AwsError => awsError(`KMS.${code}`, message, { status: 400 });

/**
 * Has KMS open the data key of what is read, as the caller. What KMS does not encrypt costs nothing.
 * @returns undefined where nothing has to be waited for
 * @throws AwsError `AccessDenied`, `KMS.*`
 */
export function openDataKey(ctx: S3Context, encryption: DeepReadonly<ObjectEncryption>): Promise<unknown> | undefined {
  if (!('keyId' in encryption)) return undefined;
  const { keyId, boundTo, dataKey, context } = encryption;
  const given = parseArn(keyId);
  if (given?.service === 'kms' && given.region !== ctx.region)
    throw kmsError('NotFoundException', `Invalid arn ${given.region}`);
  // Objects that an earlier version of emu has kept have no data key: one can be made where one could be opened.
  if (dataKey === undefined || boundTo === undefined)
    return asCaller(() =>
      ctx.call('kms', 'GenerateDataKeyWithoutPlaintext', { KeyId: keyId, KeySpec: 'AES_256' }, { authorize: {} }),
    );
  const EncryptionContext = contextOf({ boundTo, context });
  const CiphertextBlob = Buffer.from(dataKey, 'base64');
  return asCaller(() =>
    ctx.call('kms', 'Decrypt', { KeyId: keyId, CiphertextBlob, EncryptionContext }, { authorize: {} }),
  );
}

/** The customer's key of a request. @throws AwsError `InvalidArgument`, `InvalidEncryptionAlgorithmError` */
function customerKey(input: CustomerKeyInput): (ObjectEncryption & { algorithm: 'customer' }) | undefined {
  const { SSECustomerAlgorithm: algorithm, SSECustomerKey: key, SSECustomerKeyMD5: md5 } = input;
  if (algorithm === undefined && key === undefined && md5 === undefined) return undefined;
  if (algorithm !== undefined && algorithm !== 'AES256')
    throw awsError(
      'InvalidEncryptionAlgorithmError',
      'The Encryption request you specified is not valid. Supported value: AES256.',
      { status: 400, members: { ArgumentName: ARGUMENT, ArgumentValue: algorithm } },
    );
  if (algorithm === undefined)
    throw invalid(
      'Requests specifying Server Side Encryption with Customer provided keys must provide a valid encryption algorithm.',
    );
  if (key === undefined)
    throw invalid(
      'Requests specifying Server Side Encryption with Customer provided keys must provide an appropriate secret key.',
    );
  const bytes = Buffer.from(key, 'base64');
  if (bytes.length !== 32 || md5 === undefined)
    throw invalid('The secret key was invalid for the specified algorithm.');
  if (createHash('md5').update(bytes).digest('base64') !== md5)
    throw invalid('The calculated MD5 hash of the key did not match the hash that was provided.');
  return { algorithm: 'customer', keyMd5: md5, keyHash: createHash('sha256').update(bytes).digest('base64') };
}

/**
 * Checks that a part is uploaded with the customer's key that the upload was begun with, and without one where it was not.
 * @throws AwsError `InvalidRequest`
 */
export function checkPartKey(encryption: DeepReadonly<ObjectEncryption>, input: CustomerKeyInput): void {
  const given = customerKey(input);
  if ((encryption.algorithm === 'customer') !== (given !== undefined))
    throw invalidRequest(
      'The multipart upload initiate requested encryption. Subsequent part requests must include the appropriate encryption parameters.',
    );
  if (given && encryption.algorithm === 'customer' && given.keyHash !== encryption.keyHash)
    throw invalidRequest('The provided encryption parameters did not match the ones used originally.');
}

/**
 * Checks that a request brings the customer's key that an object needs, and none where it needs none.
 * @throws AwsError `InvalidRequest`, `AccessDenied` for another key
 */
export function checkReadable(encryption: DeepReadonly<ObjectEncryption>, input: CustomerKeyInput): void {
  if (encryption.algorithm !== 'customer') {
    if (input.SSECustomerKey !== undefined || input.SSECustomerAlgorithm !== undefined)
      throw invalidRequest('The encryption parameters are not applicable to this object.');
    return;
  }
  const given = customerKey(input);
  if (!given)
    throw invalidRequest(
      'The object was stored using a form of Server Side Encryption. The correct parameters must be provided to retrieve the object.',
    );
  if (given.keyHash !== encryption.keyHash)
    throw accessDenied(
      'Requests specifying Server Side Encryption with Customer provided keys must provide the correct secret key.',
    );
}

/** How an object is encrypted, as responses say it. */
export function encryptionMembers(encryption: DeepReadonly<ObjectEncryption>): EncryptionOutput {
  switch (encryption.algorithm) {
    case 'AES256':
      return { ServerSideEncryption: 'AES256' };
    case 'customer':
      return { SSECustomerAlgorithm: 'AES256', SSECustomerKeyMD5: encryption.keyMd5 };
    default:
      return {
        ServerSideEncryption: encryption.algorithm,
        SSEKMSKeyId: encryption.keyId,
        ...(encryption.bucketKey && { BucketKeyEnabled: true }),
      };
  }
}
