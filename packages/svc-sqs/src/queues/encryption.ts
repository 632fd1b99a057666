import { CustomerKey, renameRefusals } from '@emu/core/service';
import type { AwsError } from '@emu/wire';
import type { SqsContext } from '../context.ts';
import { sqsError } from '../errors.ts';
import type { QueueTarget } from '../lookup.ts';

/** Customer keys of queues: KMS is called in the queue's account and region. */
const queueKey = new CustomerKey({
  service: 'sqs',
  context: ({ state, queue }: QueueTarget) => ({ 'aws:sqs:arn': state.arnOf(queue.name) }),
  callOptions: ({ state: { accountId, region } }) => ({ accountId, region, authorize: {} }),
  refuse: renameRefusals({
    AccessDeniedException: 'KmsAccessDenied',
    DisabledException: 'KmsDisabled',
    InvalidKeyUsageException: 'KmsInvalidKeyUsage',
    KMSInvalidStateException: 'KmsInvalidState',
    NotFoundException: 'KmsNotFound',
  }),
});

/** Use of an encrypted queue by a principal. */
type Use = 'send' | 'receive';

/**
 * Generates or decrypts a data key if the queue has a customer key, once per `KmsDataKeyReusePeriodSeconds` and
 * principal. Senders need `kms:GenerateDataKey` and `kms:Decrypt`, receivers `kms:Decrypt`. Receivers decrypt the
 * latest data key, whichever one encrypted their message. Under the AWS managed key, whose policy excludes services,
 * the account's principals need no permission, and services such as SNS cannot send.
 * @returns undefined if there is nothing to wait for
 * @throws AwsError `KmsNotFound` and other KMS errors, if the key is not usable
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-key-management.html
 */
export function useKey(use: Use, target: QueueTarget, ctx: SqsContext): Promise<void> | undefined {
  const { queue } = target;
  const keyId = queue.record.attributes.KmsMasterKeyId;
  if (keyId === undefined) return undefined;
  if (queueKey.isManaged(keyId)) {
    if (use === 'send' && ctx.principal.type === 'service') throw deniedToService(ctx.principal.arn);
    return undefined;
  }
  const { dataKey: latest } = queue.record;
  if (use === 'receive' && latest?.keyId !== keyId) return undefined;
  const period = { owner: queue, keyId, user: `${use} ${ctx.principal.arn}`, period: queue.settings.dataKeyReuse };
  return queueKey.uses.once(period, ctx.clock, () =>
    use === 'send'
      ? replaceDataKey(keyId, target, ctx)
      : queueKey.decrypt({ dataKey: latest!.ciphertext }, target, ctx),
  );
}

/** Returns KMS's error for a service that the key's policy does not permit. */
const deniedToService = (service: string): AwsError =>
  sqsError(
    'KmsAccessDenied',
    `User: ${service} is not authorized to perform: kms:GenerateDataKey on this resource because the resource does not exist in this Region, no resource-based policies allow access, or a resource-based policy explicitly denies access`,
  );

async function replaceDataKey(keyId: string, target: QueueTarget, ctx: SqsContext): Promise<void> {
  const { state, queue } = target;
  const { dataKey } = await queueKey.newDataKey(keyId, target, ctx);
  await queueKey.decrypt({ dataKey }, target, ctx);
  if (state.find(queue.name) !== queue) return;
  state.update(queue, (draft) => {
    draft.dataKey = { keyId, ciphertext: dataKey };
  });
}
