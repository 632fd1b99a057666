import type { ServiceCaller } from '@emu/core';
import { AwsError, awsError } from '@emu/wire';
import type { Topic } from './topic.ts';

/** The key that AWS manages for SNS, which is always there. */
const MANAGED_KEY = /(^|:)alias\/aws\/sns$/;
/** How long SNS uses one data key, in milliseconds. */
const REUSE = 5 * 60 * 1000;

const ERRORS: Readonly<Record<string, string>> = {
  AccessDeniedException: 'KMSAccessDeniedException',
  DisabledException: 'KMSDisabledException',
  KMSInvalidStateException: 'KMSInvalidStateException',
  InvalidKeyUsageException: 'KMSInvalidStateException',
  NotFoundException: 'KMSNotFoundException',
};

/** Whoever calls KMS for the publisher. */
interface Caller {
  readonly call: ServiceCaller['call'];
  readonly clock: { now(): number };
}

/** When the data key of a topic was made, epoch milliseconds. Changed topics are other objects. */
const dataKeys = new WeakMap<Topic, number>();

/**
 * Has KMS make a data key where the topic is encrypted, as publishing to it does.
 * @throws AwsError `KMSNotFound` and its like, where the key cannot be used
 */
export async function useKey(topic: Topic, caller: Caller): Promise<void> {
  const keyId = topic.record.attributes.KmsMasterKeyId;
  if (keyId === undefined || MANAGED_KEY.test(keyId)) return;
  const now = caller.clock.now();
  const madeAt = dataKeys.get(topic);
  if (madeAt !== undefined && now < madeAt + REUSE) return;
  const authorize = { sourceArn: topic.arn, sourceAccount: topic.accountId };
  try {
    const EncryptionContext = { 'aws:sns:topicArn': topic.arn };
    await caller.call('kms', 'GenerateDataKey', { KeyId: keyId, KeySpec: 'AES_256', EncryptionContext }, { authorize });
  } catch (error) {
    const code = error instanceof AwsError ? ERRORS[error.code] : undefined;
    throw code ? awsError(code, (error as AwsError).message) : error;
  }
  dataKeys.set(topic, now);
}
