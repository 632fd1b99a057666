import { createHash } from 'node:crypto';
import { CustomerKey, type DeepReadonly, parseArn } from '@emu/core/service';
import type { ServerSideEncryption } from '@emu/service-types/s3';
import { type AwsError, isObject, parseJson } from '@emu/wire';
import type { Bucket } from '../buckets/bucket.ts';
import type { S3Context } from '../context.ts';
import { accessDenied, invalidArgument, invalidRequest, s3Error } from '../errors.ts';
import type { ObjectEncryption } from '../records.ts';
import { bucketArn } from '../resources.ts';

/** Customer key members of a request. */
export interface CustomerKeyInput {
  SSECustomerAlgorithm?: string | undefined;
  SSECustomerKey?: string | undefined;
  SSECustomerKeyMD5?: string | undefined;
}

/** Encryption members of a write request. */
export interface EncryptionInput extends CustomerKeyInput {
  ServerSideEncryption?: ServerSideEncryption | undefined;
  SSEKMSKeyId?: string | undefined;
  SSEKMSEncryptionContext?: string | undefined;
  BucketKeyEnabled?: boolean | undefined;
  /** Key of the object; undefined for a session on a whole bucket. */
  Key?: string | undefined;
}

/** Encryption members of a response. */
export interface EncryptionOutput {
  ServerSideEncryption?: ServerSideEncryption | undefined;
  SSECustomerAlgorithm?: string | undefined;
  SSECustomerKeyMD5?: string | undefined;
  SSEKMSKeyId?: string | undefined;
  BucketKeyEnabled?: boolean | undefined;
}

/** Encryption with keys of S3: shared, because most objects' records refer to it. */
export const S3_MANAGED: ObjectEncryption = Object.freeze({ algorithm: 'AES256' });

const ARGUMENT = 'x-amz-server-side-encryption';
const invalid = (message: string, value?: string): AwsError => invalidArgument(message, ARGUMENT, value);

/**
 * Returns the encryption of a new object, by its request or the bucket's default.
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
    return S3_MANAGED;
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
  if (algorithm !== 'aws:kms' && algorithm !== 'aws:kms:dsse') return S3_MANAGED;
  const bucketKey = input.BucketKeyEnabled ?? rule?.BucketKeyEnabled ?? false;
  return withKms(ctx, bucket, input, { algorithm, keyId, bucketKey, context: undefined });
}

/** KMS parameters for encrypting an object. */
interface KmsSettings {
  algorithm: 'aws:kms' | 'aws:kms:dsse';
  keyId: string | undefined;
  bucketKey: boolean;
  /** As in the header. */
  context: string | undefined;
}

/** Encryption context of a data key: the ARN of an object or bucket, and the caller's context from the header. */
type Binding = { readonly boundTo?: string | undefined; readonly context?: string | undefined };

/** KMS keys for objects. */
const objectKey = new CustomerKey<Binding, S3Context>({
  service: 's3',
  context: contextOf,
  refuse: ({ code, message }) => (code === 'AccessDeniedException' ? accessDenied(message) : kmsError(code, message)),
});

const kmsError = (code: string, message: string): AwsError => s3Error(`KMS.${code}`, message, { status: 400 });

/**
 * Checks that a key ARN is in the request's region.
 * @throws AwsError `KMS.NotFoundException`
 */
function checkRegion(keyId: string | undefined, ctx: S3Context): void {
  const given = keyId === undefined ? undefined : parseArn(keyId);
  if (given?.service === 'kms' && given.region !== ctx.region)
    throw kmsError('NotFoundException', `Invalid arn ${given.region}`);
}

/**
 * Generates the data key of an object as the caller, bound to the object's ARN, or with a bucket key to the bucket's.
 * @throws AwsError `AccessDenied`, `InvalidArgument`; KMS's other errors with S3's prefix
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingKMSEncryption.html
 */
async function withKms(
  ctx: S3Context,
  bucket: Bucket,
  { Key: key }: EncryptionInput,
  { algorithm, keyId, bucketKey: wanted, context }: KmsSettings,
): Promise<ObjectEncryption> {
  checkRegion(keyId, ctx);
  const bucketKey = algorithm === 'aws:kms' && wanted;
  const boundTo = bucketKey || key === undefined ? bucketArn(bucket) : `${bucketArn(bucket)}/${key}`;
  const binding = { boundTo, ...(context !== undefined && { context }) };
  const { keyArn, dataKey } = await objectKey.newDataKey(keyId ?? objectKey.managedAlias, binding, ctx);
  return { algorithm, keyId: keyArn, bucketKey, dataKey, ...binding };
}

/**
 * Returns the encryption context for KMS: the caller's pairs, and the ARN of the encrypted resource.
 * @throws AwsError `InvalidArgument`
 */
function contextOf({ boundTo, context }: Binding): Record<string, string> | undefined {
  if (boundTo === undefined) return undefined;
  const own = { 'aws:s3:arn': boundTo };
  if (context === undefined) return own;
  try {
    const pairs: unknown = parseJson(Buffer.from(context, 'base64').toString('utf8'));
    if (isObject(pairs)) {
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

/**
 * Decrypts the data key of an object as the caller. Synchronous for objects without KMS encryption.
 * @returns undefined if there is nothing to wait for
 * @throws AwsError `AccessDenied`, `KMS.*`
 */
export function openDataKey(ctx: S3Context, encryption: DeepReadonly<ObjectEncryption>): Promise<unknown> | undefined {
  if (!('keyId' in encryption)) return undefined;
  const { keyId, boundTo, dataKey } = encryption;
  checkRegion(keyId, ctx);
  // Objects of earlier emu versions have no data key: generating one requires the same permission.
  if (dataKey === undefined || boundTo === undefined) return objectKey.newWrappedDataKey(keyId, {}, ctx);
  return objectKey.decrypt({ dataKey, under: keyId }, encryption, ctx);
}

/**
 * Returns the customer key of a request.
 * @throws AwsError `InvalidArgument`, `InvalidEncryptionAlgorithmError`
 */
function customerKey(input: CustomerKeyInput): (ObjectEncryption & { algorithm: 'customer' }) | undefined {
  const { SSECustomerAlgorithm: algorithm, SSECustomerKey: key, SSECustomerKeyMD5: md5 } = input;
  if (algorithm === undefined && key === undefined && md5 === undefined) return undefined;
  if (algorithm !== undefined && algorithm !== 'AES256')
    throw s3Error(
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
 * Checks that a part uses the customer key of its upload, or none if the upload has none.
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
 * Checks that a request has the customer key of an object, or none if the object has none.
 * @throws AwsError `InvalidRequest`, `AccessDenied` for a different key
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

/** Returns the encryption of an object as in responses. */
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
