import { type Clock, type DeepReadonly, type Ids, whenReady } from '@emu/core/service';
import { type Confirmation, type EnvelopeAddress, Envelopes } from '../messages/envelope.ts';
import { textFor } from '../messages/message.ts';
import { type Caller, DELIVERED, deliverByCall, type Outcome } from '../messages/outcome.ts';
import type { Signer } from '../messages/signature.ts';
import type { Platform } from '../mobile/platform.ts';
import { type SmsSender, sendSms } from '../mobile/sms-delivery.ts';
import type { NotificationType, StoredMessage } from '../records.ts';
import type { Subscriber } from '../subscriptions/subscriber.ts';
import type { HttpDeliveries } from './http.ts';
import { sendToQueue } from './queues.ts';

type Message = DeepReadonly<StoredMessage>;

/** Account and region of delivery attempts. */
export interface AttemptScope extends Caller, SmsSender {
  /** Signs messages; a promise until the key exists. */
  signer(): Signer | Promise<Signer>;
  readonly platform: Platform;
  readonly http: HttpDeliveries;
  readonly clock: Clock;
  readonly ids: Ids;
}

const addressOf = ({ arn, record }: Subscriber): EnvelopeAddress => ({
  subscriptionArn: arn,
  protocol: record.protocol,
});

/** Whether messages for a subscription are signed: all except raw messages and those of FIFO topics. */
export function isSigned({ raw, topic, record }: Subscriber): boolean {
  return !topic.fifo && !raw && record.protocol !== 'sms' && record.protocol !== 'application';
}

/** Envelopes of a message for the subscribers of its topic. */
export async function envelopesFor(scope: AttemptScope, message: Message, subscriber: Subscriber, signed: boolean) {
  return new Envelopes(message, signed ? await scope.signer() : undefined, subscriber.topic.signatureVersion);
}

/** Returns the body for a queue, a stream or an HTTP endpoint. */
function bodyFor(subscriber: Subscriber, message: Message, envelopes: Envelopes): string {
  const address = addressOf(subscriber);
  return subscriber.raw ? textFor(message, address.protocol) : envelopes.notification(address);
}

/** Delivers a notification once. Throws for internal errors only. */
export function attempt(
  scope: AttemptScope,
  subscriber: Subscriber,
  message: Message,
  envelopes: Envelopes,
): Promise<Outcome> | Outcome {
  if (!subscriber.feedback) return deliver(scope, subscriber, message, envelopes, undefined);
  const sentAt = scope.clock.now();
  return whenReady(deliver(scope, subscriber, message, envelopes, scope.ids.uuid()), (outcome) => ({
    ...outcome,
    sentAt,
  }));
}

/** @param requestId id of a call whose response is logged */
function deliver(
  scope: AttemptScope,
  subscriber: Subscriber,
  message: Message,
  envelopes: Envelopes,
  requestId: string | undefined,
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
        requestId,
      );
    case 'lambda': {
      const input = {
        FunctionName: record.endpoint,
        InvocationType: 'Event' as const,
        Payload: Buffer.from(envelopes.lambdaEvent(addressOf(subscriber))),
      };
      const { traceHeader, cause } = message;
      const options = { ...call, cause, ...(traceHeader !== undefined && { traceHeader }) };
      return deliverByCall(scope, 'lambda', 'Invoke', input, options, requestId);
    }
    case 'firehose': {
      const input = {
        DeliveryStreamName: record.endpoint.slice(record.endpoint.lastIndexOf('/') + 1),
        Record: { Data: Buffer.from(bodyFor(subscriber, message, envelopes)) },
      };
      return deliverByCall(scope, 'firehose', 'PutRecord', input, { ...call, cause: message.cause }, requestId);
    }
    case 'http':
    case 'https':
      return post(scope, subscriber, 'Notification', message, bodyFor(subscriber, message, envelopes));
    case 'sms':
      return sendSms(scope, record.endpoint, message, textFor(message, 'sms'));
    case 'application':
      // The platform application may have a role that logs successes, which a bare `DELIVERED` are not.
      return scope.platform.refusalOf(record.endpoint) ?? { ...DELIVERED };
    default:
      // Mail is not sent. Listing the message is its delivery.
      return DELIVERED;
  }
}

/** Sends an endpoint the request to confirm its subscription, or the notice that it ended. */
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
  return scope.http.post(record.endpoint, headers, body, type === 'Notification' && subscriber.feedback !== undefined);
}
