import type { CallOptions } from '@emu/core';
import { AwsError, awsError } from '@emu/wire';
import type { QueueTarget, SqsContext } from '../operations/context.ts';
import type { Queue } from './queue.ts';

/** The key that AWS manages for SQS, which is always there. Its policy, which nobody can change, lets no service in. */
const MANAGED_KEY = /(^|:)alias\/aws\/sqs$/;
/** Principals of one queue whose data keys are remembered. */
const MOST_PRINCIPALS = 1000;

/** KMS's errors as SQS passes them on. */
const ERRORS: Readonly<Record<string, string>> = {
  AccessDeniedException: 'KmsAccessDenied',
  DisabledException: 'KmsDisabled',
  InvalidKeyUsageException: 'KmsInvalidKeyUsage',
  KMSInvalidStateException: 'KmsInvalidState',
  NotFoundException: 'KmsNotFound',
};

/** What a principal does with an encrypted queue. */
type Use = 'send' | 'receive';

/** Until when a principal needs no KMS, by its use and ARN: epoch milliseconds. Of a key that is replaced, nothing stays. */
interface KeptKeys {
  keyId: string;
  until: Map<string, number>;
}

const kept = new WeakMap<Queue, KeptKeys>();

/**
 * Has KMS make, or open, a data key where the queue is encrypted with a customer's key: for each principal that sends or
 * receives once in `KmsDataKeyReusePeriodSeconds`. Senders need `kms:GenerateDataKey` and `kms:Decrypt`, receivers
 * `kms:Decrypt`. Receivers open the latest data key, whichever of them a message was encrypted with. Under the key that AWS
 * manages, the account's principals need nothing; services such as SNS cannot send.
 * @returns undefined where nothing has to be waited for
 * @throws AwsError `KmsNotFound` and its like, where the key cannot be used
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-key-management.html
 */
export function useKey(use: Use, target: QueueTarget, ctx: SqsContext): Promise<void> | undefined {
  const { queue } = target;
  const keyId = queue.record.attributes.KmsMasterKeyId;
  if (keyId === undefined) return undefined;
  if (MANAGED_KEY.test(keyId)) {
    if (use === 'send' && ctx.principal.type === 'service') throw deniedToService(ctx.principal.arn);
    return undefined;
  }
  const { dataKey } = queue.record;
  if (use === 'receive' && dataKey?.keyId !== keyId) return undefined;
  let keys = kept.get(queue);
  if (keys?.keyId !== keyId) {
    keys = { keyId, until: new Map() };
    kept.set(queue, keys);
  }
  const who = `${use} ${ctx.principal.arn}`;
  if ((keys.until.get(who) ?? 0) > ctx.clock.now()) return undefined;
  return use === 'send' ? seal(keys, who, target, ctx) : open(keys, who, dataKey!.ciphertext, target, ctx);
}

/** KMS's refusal of a service that the policy of a key does not name. */
const deniedToService = (service: string): AwsError =>
  awsError(
    'KmsAccessDenied',
    `User: ${service} is not authorized to perform: kms:GenerateDataKey on this resource because the resource does not exist in this Region, no resource-based policies allow access, or a resource-based policy explicitly denies access`,
  );

async function seal(keys: KeptKeys, who: string, target: QueueTarget, ctx: SqsContext): Promise<void> {
  const { keyId } = keys;
  const { state, queue } = target;
  const { CiphertextBlob } = await kms(target, (EncryptionContext, options) =>
    ctx.call('kms', 'GenerateDataKey', { KeyId: keyId, KeySpec: 'AES_256', EncryptionContext }, options),
  );
  const ciphertext = Buffer.from(CiphertextBlob!).toString('base64');
  await open(keys, who, ciphertext, target, ctx);
  if (state.find(queue.name) !== queue) return;
  state.update(queue, (draft) => {
    draft.dataKey = { keyId, ciphertext };
  });
}

async function open(
  keys: KeptKeys,
  who: string,
  ciphertext: string,
  target: QueueTarget,
  ctx: SqsContext,
): Promise<void> {
  const CiphertextBlob = Buffer.from(ciphertext, 'base64');
  await kms(target, (EncryptionContext, options) =>
    ctx.call('kms', 'Decrypt', { CiphertextBlob, EncryptionContext }, options),
  );
  if (keys.until.size >= MOST_PRINCIPALS) keys.until.clear();
  keys.until.set(who, ctx.clock.now() + target.queue.settings.dataKeyReuse);
}

/** Calls KMS as the principal, in the account and region of the queue. @throws AwsError KMS's refusals as SQS words them */
async function kms<Output>(
  { state, queue }: QueueTarget,
  call: (context: Record<string, string>, options: CallOptions) => Promise<Output>,
): Promise<Output> {
  const { accountId, region } = state;
  try {
    return await call({ 'aws:sqs:arn': state.arnOf(queue.name) }, { accountId, region, authorize: {} });
  } catch (error) {
    const code = error instanceof AwsError ? ERRORS[error.code] : undefined;
    throw code ? awsError(code, (error as AwsError).message) : error;
  }
}
