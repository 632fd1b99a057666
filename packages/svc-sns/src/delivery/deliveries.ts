import type { SnsDelivery } from '@emu/control-client';
import {
  type Collection,
  type DeepReadonly,
  DueTimers,
  type InterruptedWork,
  interruptedRecords,
  type Worker,
} from '@emu/core/service';
import type { Envelopes } from '../messages/envelope.ts';
import { textFor } from '../messages/message.ts';
import type { Outcome } from '../messages/outcome.ts';
import type { DeliveryRecord, StoredMessage } from '../records.ts';
import type { Subscriber } from '../subscriptions/subscriber.ts';
import type { Subscriptions } from '../subscriptions/subscriptions.ts';
import { retryDelay } from '../topics/delivery-policy.ts';
import { type AttemptScope, attempt, attemptConfirmation, envelopesFor, isSigned } from './attempt.ts';
import { sendToQueue } from './queues.ts';
import type { FinishedDelivery, StatusLog } from './status-log.ts';

type Message = DeepReadonly<StoredMessage>;

/** Limit of deliveries in progress per account and region. */
const MAX_RUNNING = 50;
/** Limit in bytes of messages that wait for delivery, because of endpoints that never respond. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
const RECORD_BYTES = 1000;
const MAX_SLOTS = 1000;
/** Limit of message attributes of an SQS message. */
const MAX_QUEUE_ATTRIBUTES = 10;

/** Account and region of the topics. */
export interface DeliveryScope extends AttemptScope {
  /** Counts a metric of a topic. */
  report(topic: string, metric: string): void;
  readonly statusLog: StatusLog;
  readonly subscriptions: Subscriptions;
  /** Returns a subscription, including pending and cancelled ones. */
  anySubscriber(id: string): Subscriber | undefined;
}

/** A delivery that is due immediately. */
export type NewDelivery = Pick<DeliveryRecord, 'subscription' | 'type' | 'message' | 'token'>;

/**
 * Deliveries that outlive their request: to HTTP endpoints, and retries. They are recorded, so that a restart does not
 * lose them.
 */
export class Deliveries implements Worker {
  private readonly timers: DueTimers;
  private readonly running = new Set<string>();
  /** Due deliveries that wait for a free slot. */
  private readonly queue = new Set<string>();
  /** Entries for observers. Deliveries from before a restart have none. */
  private readonly shown = new Map<string, SnsDelivery>();
  /**
   * Earliest time in epoch milliseconds of the next delivery to each endpoint with a throttle policy, by subscription.
   */
  private readonly slots = new Map<string, number>();
  private bytes = 0;
  private closed = false;

  constructor(
    private readonly scope: DeliveryScope,
    private readonly records: Collection<DeliveryRecord>,
  ) {
    this.timers = new DueTimers(scope.clock);
  }

  resume(): void {
    for (const { message } of this.records.values()) this.bytes += sizeOf(message);
  }

  /** Continues deliveries interrupted by a restart. */
  interrupted(): InterruptedWork[] {
    return interruptedRecords(this.records, {
      name: ({ id }) => `delivery ${id}`,
      resume: ({ id, dueAt }) => {
        if (dueAt <= this.scope.clock.now()) return this.start(id);
        this.schedule(id, dueAt);
        return Promise.resolve();
      },
      fail: (record, reason) => this.giveUp(record, reason),
    });
  }

  private async giveUp(record: DeepReadonly<DeliveryRecord>, error: string): Promise<void> {
    const subscriber = this.scope.anySubscriber(record.subscription);
    if (subscriber && record.type === 'Notification') {
      const { message } = record;
      const envelopes = await envelopesFor(this.scope, message, subscriber, isSigned(subscriber));
      const outcome = { delivered: false, error, retriable: false } as const;
      await this.fail(subscriber, { message, outcome, attempts: record.attempts }, undefined, envelopes);
    }
    this.drop(record.id);
  }

  /** Deliveries in progress have no effect any more. */
  close(): void {
    this.closed = true;
    this.queue.clear();
  }

  /**
   * Starts a delivery without waiting for its outcome.
   * @param shown entry that shows the outcome to observers
   */
  begin(subscriber: Subscriber, delivery: NewDelivery, shown?: SnsDelivery): void {
    const dueAt = this.slotFor(subscriber);
    const record: DeliveryRecord = { ...delivery, id: this.scope.ids.uuid(), attempts: 0, dueAt };
    if (!this.keep(record, shown)) return;
    if (dueAt <= this.scope.clock.now()) this.start(record.id);
    else this.schedule(record.id, dueAt);
  }

  /**
   * Handles the outcome of a first attempt. A failure leads to a later retry, to the dead-letter queue, or to nothing.
   */
  async settle(subscriber: Subscriber, message: Message, outcome: Outcome, shown: SnsDelivery, envelopes: Envelopes) {
    show(shown, outcome);
    const delivery = { message, outcome, attempts: 1 };
    if (outcome.delivered) return this.scope.statusLog.add(subscriber, delivery);
    const delay = outcome.retriable ? retryDelay(subscriber.policy.retry, 1) : undefined;
    if (delay === undefined) return this.fail(subscriber, delivery, shown, envelopes);
    const { id: subscription } = subscriber.record;
    const record: DeliveryRecord = {
      id: this.scope.ids.uuid(),
      subscription,
      type: 'Notification',
      message: message as StoredMessage,
      attempts: 1,
      dueAt: this.scope.clock.now() + delay,
    };
    if (this.keep(record, shown)) this.schedule(record.id, record.dueAt);
  }

  private keep(record: DeliveryRecord, shown: SnsDelivery | undefined): boolean {
    const size = sizeOf(record.message);
    if (this.bytes + size > MAX_WAITING_BYTES) {
      if (shown) show(shown, { delivered: false, error: 'too many deliveries are waiting', retriable: false });
      this.scope.log.warn('an SNS delivery is dropped because too many are waiting', {
        subscription: record.subscription,
      });
      return false;
    }
    this.bytes += size;
    this.records.put(record.id, record);
    if (shown) this.shown.set(record.id, shown);
    return true;
  }

  private drop(id: string): void {
    const record = this.records.get(id);
    if (record) this.bytes -= sizeOf(record.message);
    this.records.delete(id);
    this.shown.delete(id);
  }

  private slotFor({ record, policy }: Subscriber): number {
    const now = this.scope.clock.now();
    const rate = policy.maxReceivesPerSecond;
    if (rate === undefined) return now;
    const slot = Math.max(now, this.slots.get(record.id) ?? 0);
    // Deleted and idle subscriptions need no slot.
    if (this.slots.size > MAX_SLOTS) for (const [id, time] of this.slots) if (time <= now) this.slots.delete(id);
    this.slots.set(record.id, slot + 1000 / rate);
    return slot;
  }

  private schedule(id: string, dueAt: number): void {
    this.timers.set(id, dueAt, () => this.start(id));
  }

  /** Runs a delivery, or queues it while the limit is reached. */
  private start(id: string): Promise<void> | undefined {
    if (this.closed) return undefined;
    if (this.running.size >= MAX_RUNNING) {
      this.queue.add(id);
      return undefined;
    }
    this.running.add(id);
    return this.run(id)
      .catch((error: unknown) => {
        this.scope.log.error('an SNS delivery failed unexpectedly', { error });
        if (!this.closed) this.drop(id);
      })
      .finally(() => {
        this.running.delete(id);
        const [next] = this.queue;
        if (next === undefined) return;
        this.queue.delete(next);
        void this.start(next);
      });
  }

  private async run(id: string): Promise<void> {
    const record = this.records.get(id);
    const subscriber = record && this.scope.anySubscriber(record.subscription);
    // A deleted subscription receives nothing except the notice of its deletion.
    const ended = record?.type === 'Notification' && !this.scope.subscriptions.get(record.subscription);
    if (!subscriber || ended) return this.drop(id);
    const signed = record.type === 'Notification' ? isSigned(subscriber) : true;
    const envelopes = await envelopesFor(this.scope, record.message, subscriber, signed);
    if (this.closed) return;
    const { message, type, token } = record;
    const outcome =
      type === 'Notification'
        ? await attempt(this.scope, subscriber, message, envelopes)
        : await attemptConfirmation(this.scope, subscriber, message, { type, token: token! }, envelopes);
    if (!this.closed && this.records.has(id)) await this.conclude(record, subscriber, outcome, envelopes);
  }

  private async conclude(
    record: DeepReadonly<DeliveryRecord>,
    subscriber: Subscriber,
    outcome: Outcome,
    envelopes: Envelopes,
  ): Promise<void> {
    const { id, message, type } = record;
    const shown = this.shown.get(id);
    if (shown) show(shown, outcome);
    const attempts = record.attempts + 1;
    const delay = !outcome.delivered && outcome.retriable ? retryDelay(subscriber.policy.retry, attempts) : undefined;
    if (delay !== undefined) {
      const dueAt = this.scope.clock.now() + delay;
      // Replaced instead of updated, because an update would copy the message.
      this.records.put(id, { ...(record as DeliveryRecord), attempts, dueAt });
      this.schedule(id, dueAt);
      return;
    }
    if (type === 'Notification') {
      const delivery = { message, outcome, attempts };
      if (outcome.delivered) {
        this.scope.report(subscriber.topic.name, 'NumberOfNotificationsDelivered');
        await this.scope.statusLog.add(subscriber, delivery);
      } else await this.fail(subscriber, delivery, shown, envelopes);
    }
    if (!this.closed) this.drop(id);
  }

  /** Logs an undeliverable message, and sends it to the dead-letter queue, if configured. */
  private async fail(
    subscriber: Subscriber,
    delivery: FinishedDelivery,
    shown: SnsDelivery | undefined,
    envelopes: Envelopes,
  ): Promise<void> {
    const { deadLetterQueue: queue, raw, arn, record, topic } = subscriber;
    const { message, outcome: failure } = delivery;
    this.scope.report(topic.name, 'NumberOfNotificationsFailed');
    await this.scope.statusLog.add(subscriber, delivery);
    if (!queue) return;
    const { protocol } = record;
    const body = raw ? textFor(message, protocol) : envelopes.notification({ subscriptionArn: arn, protocol });
    const attributes =
      Object.keys(message.attributes ?? {}).length <= MAX_QUEUE_ATTRIBUTES ? message.attributes : undefined;
    const outcome = await sendToQueue(this.scope, queue, body, message, attributes);
    if (outcome.delivered) {
      this.scope.report(topic.name, 'NumberOfNotificationsRedrivenToDlq');
      if (shown) shown.status = 'dead-lettered';
      return;
    }
    this.scope.report(topic.name, 'NumberOfNotificationsFailedToRedriveToDlq');
    this.scope.log.warn(`a dead-letter queue did not take a message of SNS: ${outcome.error}`, { subscription: arn });
    if (shown && !failure.delivered) shown.error = `${failure.error}; dead-letter queue: ${outcome.error}`;
  }
}

function show(shown: SnsDelivery, outcome: Outcome): void {
  shown.status = outcome.delivered ? 'delivered' : 'failed';
  if (outcome.statusCode === undefined) delete shown.statusCode;
  else shown.statusCode = outcome.statusCode;
  if (outcome.delivered) delete shown.error;
  else shown.error = outcome.error;
}

const sizeOf = (message: Message): number => message.text.length + RECORD_BYTES;
