import { CustomerKey, type OperationContext, prefixRefusals } from '@emu/core/service';
import type { Topic } from './topic.ts';

/** Milliseconds for which SNS uses one data key. */
const REUSE = 5 * 60 * 1000;

/** Customer keys that encrypt topics. */
const topicKey = new CustomerKey({
  service: 'sns',
  context: ({ arn }: Topic) => ({ 'aws:sns:topicArn': arn }),
  callOptions: ({ arn, accountId }) => ({ authorize: { sourceArn: arn, sourceAccount: accountId } }),
  refuse: prefixRefusals,
});

/**
 * Generates a data key for a topic with a customer key, as a publication does. All publishers share it. A changed topic
 * is a new object and needs a new data key.
 * @throws AwsError `KMSNotFound` or a similar error if the key cannot be used
 */
export async function useKey(topic: Topic, ctx: Pick<OperationContext, 'call' | 'clock'>): Promise<void> {
  const keyId = topic.record.attributes.KmsMasterKeyId;
  if (keyId === undefined || topicKey.isManaged(keyId)) return;
  const period = { owner: topic, keyId, user: 'publishers', period: REUSE };
  await topicKey.uses.once(period, ctx.clock, () => topicKey.newDataKey(keyId, topic, ctx));
}
