import type { DeepReadonly } from '@emu/core/service';
import type { NotificationType, StoredMessage, SubscriptionRecord } from '../records.ts';
import type { SnsState } from '../state.ts';

const TOKEN_LENGTH = 288;

/** Creates a confirmation token: 288 hexadecimal digits. */
export const newToken = (state: SnsState): string => state.ids.hex(TOKEN_LENGTH);

/** Whether a text has the form of a token. */
export const isToken = (text: string): boolean => /^[\da-f]{288}$/.test(text);

/** Whether an endpoint is asked to confirm. Mail is not sent; its tokens are listed. */
const needsConfirmation = (protocol: string): boolean =>
  protocol === 'http' || protocol === 'https' || protocol === 'sqs';

const TEXTS = {
  SubscriptionConfirmation: (topicArn: string) =>
    `You have chosen to subscribe to the topic ${topicArn}.\nTo confirm the subscription, visit the SubscribeURL included in this message.`,
  UnsubscribeConfirmation: (_topicArn: string, subscriptionArn: string) =>
    `You have chosen to deactivate subscription ${subscriptionArn}.\nTo cancel this operation and restore the subscription, visit the SubscribeURL included in this message.`,
};

/**
 * Sends an endpoint the token that confirms or restores its subscription.
 * @param baseUrl base URL of the links in the message
 * @param cause id of the request
 */
export function sendToken(
  state: SnsState,
  record: DeepReadonly<SubscriptionRecord>,
  type: Exclude<NotificationType, 'Notification'>,
  token: string,
  baseUrl: string,
  cause: string,
): void {
  const subscriber = needsConfirmation(record.protocol) ? state.anySubscriber(record.id) : undefined;
  if (!subscriber) return;
  const { arn, topic } = subscriber;
  const message: StoredMessage = {
    id: state.ids.uuid(),
    topicArn: topic.arn,
    text: TEXTS[type](topic.arn, arn),
    publishedAt: state.clock.now(),
    baseUrl,
    cause,
  };
  state.deliveries.begin(subscriber, { subscription: record.id, type, message, token });
}
