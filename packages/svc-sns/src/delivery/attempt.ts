import type { DeepReadonly } from '@emu/core';
import { type Confirmation, type EnvelopeAddress, Envelopes } from '../messages/envelope.ts';
import { textFor } from '../messages/message.ts';
import type { Signer } from '../messages/signature.ts';
import type { Platform } from '../mobile/platform.ts';
import { type SmsSender, sendSms } from '../mobile/sms-delivery.ts';
import type { NotificationType, StoredMessage } from '../records.ts';
import type { Subscriber } from '../subscriptions/subscriber.ts';
import type { HttpDeliveries } from './http.ts';
import { type Caller, DELIVERED, deliverByCall, type Outcome } from './outcome.ts';
import { sendToQueue } from './queues.ts';

type Message = DeepReadonly<StoredMessage>;

/** What attempts need of the account and region they are made in. */
export interface AttemptScope extends Caller, SmsSender {
  /** Signs messages; a promise where the key has to be made first. */
  signer(): Signer | Promise<Signer>;
  readonly platform: Platform;
  readonly http: HttpDeliveries;
}

const addressOf = ({ arn, record }: Subscriber): EnvelopeAddress => ({
  subscriptionArn: arn,
  protocol: record.protocol,
});

/** Whether what a subscriber gets is signed: not raw messages, and not those of FIFO topics. */
export function isSigned({ raw, topic, record }: Subscriber): boolean {
  return !topic.fifo && !raw && record.protocol !== 'sms' && record.protocol !== 'application';
}

/** Envelopes of a message for the subscribers of its topic. */
export async function envelopesFor(scope: AttemptScope, message: Message, subscriber: Subscriber, signed: boolean) {
  return new Envelopes(message, signed ? await scope.signer() : undefined, subscriber.topic.signatureVersion);
}

/** What a queue, a stream or an HTTP endpoint gets. */
function bodyFor(subscriber: Subscriber, message: Message, envelopes: Envelopes): string {
  const address = addressOf(subscriber);
  return subscriber.raw ? textFor(message, address.protocol) : envelopes.notification(address);
}

/** Delivers a notification once. Nothing that goes wrong is thrown but defects. */
export function attempt(
  scope: AttemptScope,
  subscriber: Subscriber,
  message: Message,
  envelopes: Envelopes,
): Promise<Outcome> | Outcome {
  const { record, call } = subscriber;
  switch (record.protocol) {
    case 'sqs':
      return sendToQueue(
        scope,
        subscriber.queue!,
        bodyFor(subscriber, message, envelopes),
        message,
        subscriber.raw ? message.attributes : undefined,
      );
    case 'lambda': {
      const input = {
        FunctionName: record.endpoint,
        InvocationType: 'Event' as const,
        Payload: Buffer.from(envelopes.lambdaEvent(addressOf(subscriber))),
      };
      const { traceHeader, cause } = message;
      const options = { ...call, cause, ...(traceHeader !== undefined && { traceHeader }) };
      return deliverByCall(scope, 'lambda', 'Invoke', input, options);
    }
    case 'firehose': {
      const input = {
        DeliveryStreamName: record.endpoint.slice(record.endpoint.lastIndexOf('/') + 1),
        Record: { Data: Buffer.from(bodyFor(subscriber, message, envelopes)) },
      };
      return deliverByCall(scope, 'firehose', 'PutRecord', input, { ...call, cause: message.cause });
    }
    case 'http':
    case 'https':
      return post(scope, subscriber, 'Notification', message, bodyFor(subscriber, message, envelopes));
    case 'sms':
      return sendSms(scope, record.endpoint, message, textFor(message, 'sms'));
    case 'application':
      return scope.platform.refusalOf(record.endpoint) ?? DELIVERED;
    default:
      // Mail is not sent anywhere: that the message is listed is its delivery.
      return DELIVERED;
  }
}

/** Asks an endpoint to confirm its subscription, or tells it that it ended. */
export function attemptConfirmation(
  scope: AttemptScope,
  subscriber: Subscriber,
  message: Message,
  confirmation: Confirmation,
  envelopes: Envelopes,
): Promise<Outcome> | Outcome {
  const body = envelopes.confirmation(confirmation);
  if (subscriber.queue) return sendToQueue(scope, subscriber.queue, body, message, undefined);
  return post(scope, subscriber, confirmation.type, message, body);
}

function post(
  scope: AttemptScope,
  subscriber: Subscriber,
  type: NotificationType,
  message: Message,
  body: string,
): Promise<Outcome> {
  const { record, arn, topic, policy, raw } = subscriber;
  const headers = {
    'content-type': type === 'Notification' ? policy.contentType : 'text/plain; charset=UTF-8',
    'x-amz-sns-message-type': type,
    'x-amz-sns-message-id': message.id,
    'x-amz-sns-topic-arn': topic.arn,
    ...(type !== 'SubscriptionConfirmation' && { 'x-amz-sns-subscription-arn': arn }),
    ...(raw && type === 'Notification' && { 'x-amz-sns-rawdelivery': 'true' }),
  };
  return scope.http.post(record.endpoint, headers, body);
}
