import type { Clock, Collection, DeepReadonly, RegionMetrics, Timer } from '@emu/core/service';
import type { DeliveryOrder } from '../ordering/delivery-order.ts';
import { FifoOrder } from '../ordering/fifo.ts';
import { IndexedHeap } from '../ordering/indexed-heap.ts';
import { QueuedMessage } from '../ordering/queued-message.ts';
import { StandardOrder } from '../ordering/standard.ts';
import type { DeduplicationRecord, DeliveryRecord, MessageRecord, QueueRecord } from '../records.ts';
import { DeduplicationWindow } from './deduplication.ts';
import { Waiters } from './long-poll.ts';
import { QueueMetrics } from './metrics.ts';
import { ReceiveAttempts } from './receive-attempts.ts';
import type { SequenceNumbers } from './sequence-numbers.ts';
import { type QueueSettings, settingsOf } from './settings.ts';

/** Resources shared by the queues of one account and region. */
export interface QueueStorage {
  readonly clock: Clock;
  readonly messages: Collection<MessageRecord>;
  readonly deliveries: Collection<DeliveryRecord>;
  readonly deduplications: Collection<DeduplicationRecord>;
  readonly sequences: SequenceNumbers;
  /** Metrics recorder; undefined if no mounted service shows metrics. */
  readonly reported: RegionMetrics | undefined;
}

/** Number of messages that one run of the expiration processor removes before it yields. */
const EXPIRY_BATCH = 10_000;

/**
 * A running queue: the state of its messages (ready, delayed, in flight), and the single timer that changes it. Derived
 * from the stored records, which are authoritative.
 */
export class Queue {
  readonly waiters: Waiters;
  readonly attempts = new ReceiveAttempts();
  readonly deduplication: DeduplicationWindow;
  private reports: QueueMetrics | undefined;
  record: DeepReadonly<QueueRecord>;
  settings: QueueSettings;
  inFlight = 0;
  delayed = 0;
  private order: DeliveryOrder;
  /** Delayed and in-flight messages, by the time they become visible. */
  private readonly hidden = new IndexedHeap<'heapIndex', QueuedMessage>('heapIndex');
  /** All messages, by start of retention. */
  private readonly expiry = new IndexedHeap<'expiryIndex', QueuedMessage>('expiryIndex');
  /** Received messages, for receipt handles. */
  private readonly received = new Map<string, QueuedMessage>();
  private timer: Timer | undefined;

  /** @param dispatch passes ready messages to waiting receivers; called when time makes some ready */
  constructor(
    readonly storage: QueueStorage,
    record: DeepReadonly<QueueRecord>,
    private readonly dispatch: (queue: Queue) => void,
  ) {
    this.record = record;
    this.settings = settingsOf(record);
    this.order = this.settings.fifo ? new FifoOrder() : new StandardOrder();
    this.waiters = new Waiters(storage.clock);
    this.deduplication = new DeduplicationWindow(record.name, record.deduplicationScope, storage.deduplications);
  }

  get name(): string {
    return this.record.name;
  }

  /** Reported metrics; undefined if no mounted service shows them. */
  get metrics(): QueueMetrics | undefined {
    const { reported } = this.storage;
    if (reported) this.reports ??= new QueueMetrics(reported, this.record.name);
    return this.reports;
  }

  /** Number of messages in any state. */
  get size(): number {
    return this.expiry.size;
  }

  /** Number of messages neither delayed nor in flight. */
  get visible(): number {
    return this.expiry.size - this.inFlight - this.delayed;
  }

  /** Arrival of the oldest message in epoch milliseconds; undefined if empty. */
  get oldest(): number | undefined {
    return this.expiry.first?.enqueuedAt;
  }

  /** Whether a receive would return a message. */
  get available(): boolean {
    return this.order.available;
  }

  /** Yields all messages in no particular order; the queue must not change meanwhile. */
  messages(): IterableIterator<QueuedMessage> {
    return this.expiry.values();
  }

  /** Returns the message of a receipt handle of this queue; undefined if deleted. */
  receivedMessage(sequence: string): QueuedMessage | undefined {
    return this.received.get(sequence);
  }

  /** Applies changed attributes. */
  change(record: DeepReadonly<QueueRecord>): void {
    const { delay } = this.settings;
    this.record = record;
    this.settings = settingsOf(record);
    // A new delay applies to existing messages in a FIFO queue, but only to new ones in a standard queue.
    if (this.settings.fifo && delay !== this.settings.delay) this.rebuild();
    this.arm();
  }

  /** Adds a message: sent, moved, or restored from its records. */
  enter(message: QueuedMessage, now: number): void {
    const visibleAt = this.visibleAt(message);
    if (visibleAt <= now) message.state = 'ready';
    else if (message.receivesHere > 0) message.state = 'inFlight';
    else message.state = 'delayed';
    this.expiry.push(message, message.enqueuedAt);
    if (message.delivery) this.received.set(message.sequence, message);
    if (message.state !== 'ready') this.hide(message, visibleAt);
    this.order.enter(message);
    this.arm();
  }

  /**
   * Takes the next messages; `deliver`, `giveBack` or `remove` must follow immediately.
   * @param limit maximum number of messages
   */
  take(limit: number): QueuedMessage[] {
    return this.order.take(limit);
  }

  /**
   * Counts a receive of a taken message and hides it.
   * @param visibilityTimeout milliseconds; with zero the message is available again after `giveBack`
   */
  deliver(message: QueuedMessage, now: number, visibilityTimeout: number): void {
    const { delivery } = message;
    this.write(message, {
      queue: this.name,
      order: message.order,
      visibleAt: now + visibilityTimeout,
      receives: (delivery?.receives ?? 0) + 1,
      receivesBefore: delivery?.receivesBefore ?? 0,
      firstReceivedAt: delivery?.firstReceivedAt ?? now,
      receivedAt: now,
      enqueuedAt: delivery?.enqueuedAt,
      deadLetteredBy: delivery?.deadLetteredBy,
    });
    this.received.set(message.sequence, message);
    if (visibilityTimeout === 0) return;
    message.state = 'inFlight';
    this.hide(message, now + visibilityTimeout);
    this.arm();
  }

  /** Makes a taken message ready again. */
  giveBack(message: QueuedMessage): void {
    this.order.giveBack(message);
  }

  /** Changes when an in-flight message becomes visible; a time that has come makes it ready. */
  hideUntil(message: QueuedMessage, visibleAt: number, now: number): void {
    this.write(message, { ...message.delivery!, visibleAt });
    this.unhide(message);
    if (visibleAt > now) {
      message.state = 'inFlight';
      this.hide(message, visibleAt);
      this.arm();
    } else this.order.giveBack(message);
  }

  /** Removes a message with its records. */
  remove(message: QueuedMessage): void {
    this.release(message);
    this.storage.messages.delete(message.sequence);
    if (message.delivery) this.storage.deliveries.delete(message.sequence);
  }

  /** Removes a message but keeps its records, for another queue. */
  release(message: QueuedMessage): void {
    this.order.leave(message);
    if (message.state !== 'ready') this.unhide(message);
    this.expiry.remove(message);
    this.received.delete(message.sequence);
  }

  /** Whether a message has expired. */
  isExpired(message: QueuedMessage, now: number): boolean {
    return message.enqueuedAt + this.settings.retention <= now;
  }

  /**
   * Advances the queue to a time: makes due messages ready and removes expired ones.
   * @returns number of expired messages
   */
  settle(now: number): number {
    if (this.hidden.firstKey <= now) this.makeReady(now);
    let expired = 0;
    for (; expired < EXPIRY_BATCH && this.expiry.firstKey + this.settings.retention <= now; expired++)
      this.remove(this.expiry.first!);
    this.deduplication.expire(now);
    return expired;
  }

  /**
   * Runs due changes and serves waiting receivers: the processor of the timer and its control route. Many expired
   * messages are removed in several runs.
   * @returns number of expired messages
   */
  tick(): number {
    const expired = this.settle(this.storage.clock.now());
    this.dispatch(this);
    this.arm();
    return expired;
  }

  /** Removes all messages and deduplication ids. */
  clear(): void {
    for (const message of [...this.expiry.values()]) {
      this.storage.messages.delete(message.sequence);
      if (message.delivery) this.storage.deliveries.delete(message.sequence);
    }
    this.expiry.clear();
    this.hidden.clear();
    this.received.clear();
    this.inFlight = 0;
    this.delayed = 0;
    this.order = this.settings.fifo ? new FifoOrder() : new StandardOrder();
    this.attempts.clear();
    this.deduplication.clear();
  }

  /**
   * Ends waits and the timer.
   * @param error error for waiting receivers; none if undefined
   */
  close(error?: Error): void {
    this.timer?.cancel();
    this.timer = undefined;
    this.waiters.end(error);
  }

  /**
   * Returns the time at which a message becomes available: by the queue's delay in FIFO queues, by its own in standard
   * queues.
   */
  private visibleAt({ message, delivery }: QueuedMessage): number {
    if (delivery) return delivery.visibleAt;
    return this.settings.fifo ? message.sentAt + this.settings.delay : (message.delayedUntil ?? 0);
  }

  private write(message: QueuedMessage, delivery: DeliveryRecord): void {
    message.delivery = this.storage.deliveries.put(message.sequence, delivery);
  }

  private hide(message: QueuedMessage, until: number): void {
    if (message.state === 'inFlight') this.inFlight++;
    else this.delayed++;
    this.hidden.push(message, until);
  }

  private unhide(message: QueuedMessage): void {
    if (message.state === 'inFlight') this.inFlight--;
    else this.delayed--;
    this.hidden.remove(message);
    message.state = 'ready';
  }

  private makeReady(now: number): void {
    const due: QueuedMessage[] = [];
    while (this.hidden.firstKey <= now) due.push(this.hidden.shift()!);
    // Messages received together return in their order.
    due.sort((a, b) => this.visibleAt(a) - this.visibleAt(b) || a.order - b.order);
    for (const message of due) {
      const wasDelayed = message.state === 'delayed';
      this.unhide(message);
      if (wasDelayed) this.order.makeReady(message);
      else this.order.giveBack(message);
    }
  }

  /** Rebuilds the structures after a change that affects all messages. */
  private rebuild(): void {
    const now = this.storage.clock.now();
    const messages = [...this.expiry.values()].sort((a, b) => a.order - b.order);
    this.expiry.clear();
    this.hidden.clear();
    this.inFlight = 0;
    this.delayed = 0;
    this.order = new FifoOrder();
    for (const message of messages) {
      message.chain = undefined;
      this.enter(message, now);
    }
  }

  /** Sets the timer for the next change; an earlier timer stays and resets itself. */
  private arm(): void {
    const next = Math.min(
      this.hidden.firstKey,
      this.expiry.firstKey + this.settings.retention,
      this.deduplication.nextExpiry,
    );
    if (next === Number.POSITIVE_INFINITY || (this.timer && this.timer.dueAt <= next)) return;
    this.timer?.cancel();
    this.timer = this.storage.clock.at(next, () => {
      this.timer = undefined;
      this.tick();
    });
  }
}

/** Creates a message from its records. */
export function queuedMessage(
  sequence: string,
  message: DeepReadonly<MessageRecord>,
  delivery: DeepReadonly<DeliveryRecord> | undefined,
): QueuedMessage {
  return new QueuedMessage(sequence, message, delivery, delivery?.order ?? Number(sequence));
}
