import { CustomerKey, type OperationContext, prefixRefusals } from '@emu/core';
import type { Topic } from './topic.ts';

/** Milliseconds for which SNS uses one data key. */
const REUSE = 5 * 60 * 1000;

/** The customers' keys that topics are encrypted with. */
const topicKey = new CustomerKey({
  service: 'sns',
  context: ({ arn }: Topic) => ({ 'aws:sns:topicArn': arn }),
  callOptions: ({ arn, accountId }) => ({ authorize: { sourceArn: arn, sourceAccount: accountId } }),
  refuse: prefixRefusals,
});

/**
 * Makes a data key where the topic is encrypted with a customer's key, as publishing to it does. All publishers share it;
 * a changed topic is another object and needs a new one.
 * @throws AwsError `KMSNotFound` and its like, where the key cannot be used
 */
export async function useKey(topic: Topic, ctx: Pick<OperationContext, 'call' | 'clock'>): Promise<void> {
  const keyId = topic.record.attributes.KmsMasterKeyId;
  if (keyId === undefined || topicKey.isManaged(keyId)) return;
  const period = { owner: topic, keyId, user: 'publishers', period: REUSE };
  await topicKey.uses.once(period, ctx.clock, () => topicKey.newDataKey(keyId, topic, ctx));
}
