import { CustomerKey, renameRefusals } from '@emu/core/service';
import { type AwsError, awsError } from '@emu/wire';
import type { SqsContext } from '../context.ts';
import type { QueueTarget } from '../lookup.ts';

/** The customers' keys that queues are encrypted with: KMS is called in the account and region of the queue. */
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

/** What a principal does with an encrypted queue. */
type Use = 'send' | 'receive';

/**
 * Makes or decrypts a data key where the queue is encrypted with a customer's key, once in `KmsDataKeyReusePeriodSeconds`
 * for each principal that sends or receives. Senders need `kms:GenerateDataKey` and `kms:Decrypt`, receivers
 * `kms:Decrypt`. Receivers decrypt the latest data key, whichever of them a message was encrypted with. Under the AWS
 * managed key, whose policy lets no service in, the account's principals need nothing; services such as SNS cannot send.
 * @returns undefined where nothing has to be waited for
 * @throws AwsError `KmsNotFound` and its like, where the key cannot be used
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

/** KMS's refusal of a service that the policy of a key does not name. */
const deniedToService = (service: string): AwsError =>
  awsError(
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
