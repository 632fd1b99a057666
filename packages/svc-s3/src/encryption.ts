import type { DeepReadonly } from '@emu/core';
import type { Bucket } from './bucket.ts';
import type { ServerSideEncryption } from './generated/s3.ts';
import type { S3Context } from './lookup.ts';
import type { ObjectEncryption } from './records.ts';

/** The encryption members of a request that writes an object. */
export interface EncryptionInput {
  ServerSideEncryption?: ServerSideEncryption | undefined;
  SSECustomerAlgorithm?: string | undefined;
  SSECustomerKey?: string | undefined;
  SSECustomerKeyMD5?: string | undefined;
  SSEKMSKeyId?: string | undefined;
  SSEKMSEncryptionContext?: string | undefined;
  BucketKeyEnabled?: boolean | undefined;
}

/** The encryption members of a response. */
export interface EncryptionOutput {
  ServerSideEncryption?: ServerSideEncryption | undefined;
  SSECustomerAlgorithm?: string | undefined;
  SSECustomerKeyMD5?: string | undefined;
  SSEKMSKeyId?: string | undefined;
  BucketKeyEnabled?: boolean | undefined;
}

/** How a new object is encrypted: as its request says, or as its bucket does by default. */
export async function encryptionOf(
  _ctx: S3Context,
  _bucket: Bucket,
  _input: EncryptionInput,
): Promise<ObjectEncryption> {
  return { algorithm: 'AES256' };
}

/** Checks that a reader has what an object's encryption asks for. */
export function checkReadable(_encryption: DeepReadonly<ObjectEncryption>, _input: EncryptionInput): void {}

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
        ...(encryption.bucketKey ? { BucketKeyEnabled: true } : {}),
      };
  }
}
