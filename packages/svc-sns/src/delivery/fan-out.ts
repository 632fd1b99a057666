import { setImmediate } from 'node:timers/promises';
import type { SnsDelivery } from '@emu/control-client';
import { Envelopes } from '../messages/envelope.ts';
import type { LoggedMessage } from '../messages/log.ts';
import { textFor } from '../messages/message.ts';
import { DELIVERED, type Outcome } from '../messages/outcome.ts';
import type { StoredMessage } from '../records.ts';
import type { SnsState } from '../state.ts';
import { FilterableMessage } from '../subscriptions/filter-policy.ts';
import type { Subscriber } from '../subscriptions/subscriber.ts';
import { applyDataProtection } from '../topics/data-protection-policy.ts';
import type { Topic } from '../topics/topic.ts';
import { attempt, isSigned } from './attempt.ts';

/**
 * Number of subscribers after which other requests are handled. FIFO topics do not yield, to keep the order of
 * messages.
 */
const TURN = 500;

/**
 * Delivers a message to every subscriber of its topic. Resolves after all queues and functions have received it. HTTP
 * endpoints receive it in the background.
 * @param entry shows the outcome to observers
 */
export async function fanOut(
  state: SnsState,
  topic: Topic,
  message: StoredMessage,
  entry: LoggedMessage,
): Promise<void> {
  const subscribers = state.subscribersOf(topic.name);
  if (!subscribers.length) return;
  const pendingSigner = subscribers.some(isSigned) ? state.signer() : undefined;
  const signer = pendingSigner instanceof Promise ? await pendingSigner : pendingSigner;
  const envelopes = new Envelopes(message, signer, topic.signatureVersion);
  const filterable = new FilterableMessage(message.attributes);
  const pending: Promise<void>[] = [];
  let served = 0;
  for (const subscriber of subscribers) {
    if (++served % TURN === 0 && !topic.fifo) {
      await Promise.all(pending.splice(0));
      await setImmediate();
    }
    const own = outbound(subscriber, message);
    const parts = own === message ? envelopes : own && new Envelopes(own, signer, topic.signatureVersion);
    const delivery = deliver(state, subscriber, own, { entry, envelopes: parts, filterable });
    if (delivery) pending.push(delivery);
  }
  if (pending.length) await Promise.all(pending);
}

/** Returns the message that the topic's data protection policy allows for a subscriber; undefined if it is denied. */
function outbound({ topic, record }: Subscriber, message: StoredMessage): StoredMessage | undefined {
  const policy = topic.record.dataProtectionPolicy;
  if (!policy) return message;
  const text = textFor(message, record.protocol);
  const result = applyDataProtection(policy, 'Outbound', record.principal, text);
  if (result.denied) return undefined;
  if (result.text === text) return message;
  const { texts: _texts, ...others } = message;
  return { ...others, text: result.text };
}

interface FanOut {
  entry: LoggedMessage;
  /** Undefined if the policy denies the message to the subscriber. */
  envelopes: Envelopes | undefined;
  filterable: FilterableMessage;
}

function deliver(
  state: SnsState,
  subscriber: Subscriber,
  message: StoredMessage | undefined,
  { entry, envelopes, filterable }: FanOut,
): Promise<void> | undefined {
  const { protocol, endpoint, id } = subscriber.record;
  const { filter, filterScope } = subscriber;
  const shown: SnsDelivery = { subscriptionArn: subscriber.arn, protocol, endpoint, status: 'delivered' };
  entry.deliveries.push(shown);
  if (!message || !envelopes) {
    shown.status = 'failed';
    shown.error = "the topic's data protection policy denies it";
    return undefined;
  }
  if (filter && !filterable.matches(filter, filterScope, textFor(message, protocol))) {
    shown.status = 'filtered';
    const { name } = subscriber.topic;
    const reason = filterable.reasonOf(filterScope, textFor(message, protocol));
    state.report(name, 'NumberOfNotificationsFilteredOut');
    state.report(name, `NumberOfNotificationsFilteredOut-${reason}`);
    return undefined;
  }
  if (protocol === 'http' || protocol === 'https') {
    // Not counted before the endpoint has responded.
    shown.status = 'failed';
    shown.error = 'the endpoint has not answered yet';
    state.deliveries.begin(subscriber, { subscription: id, type: 'Notification', message }, shown);
    return undefined;
  }
  const outcome = attempt(state, subscriber, message, envelopes);
  const settle = (settled: Outcome): Promise<void> | undefined => {
    if (settled.delivered) state.report(subscriber.topic.name, 'NumberOfNotificationsDelivered');
    return settled === DELIVERED ? undefined : state.deliveries.settle(subscriber, message, settled, shown, envelopes);
  };
  return outcome instanceof Promise ? outcome.then(settle) : settle(outcome);
}
