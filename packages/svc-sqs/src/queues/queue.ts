import type { Clock, Collection, DeepReadonly, RegionMetrics, Timer } from '@emu/core/service';
import { DeduplicationWindow } from '../messages/deduplication.ts';
import { Waiters } from '../messages/long-poll.ts';
import { ReceiveAttempts } from '../messages/receive-attempts.ts';
import type { SequenceNumbers } from '../messages/sequence-numbers.ts';
import type { DeliveryOrder } from '../ordering/delivery-order.ts';
import { FifoOrder } from '../ordering/fifo.ts';
import { IndexedHeap } from '../ordering/indexed-heap.ts';
import { QueuedMessage } from '../ordering/queued-message.ts';
import { StandardOrder } from '../ordering/standard.ts';
import type { DeduplicationRecord, DeliveryRecord, MessageRecord, QueueRecord } from '../records.ts';
import { QueueMetrics } from './metrics.ts';
import { type QueueSettings, settingsOf } from './settings.ts';

/** What the queues of one account and region share. */
export interface QueueStorage {
  readonly clock: Clock;
  readonly messages: Collection<MessageRecord>;
  readonly deliveries: Collection<DeliveryRecord>;
  readonly deduplications: Collection<DeduplicationRecord>;
  readonly sequences: SequenceNumbers;
  /** Where metrics are reported; undefined where nobody shows any. */
  readonly reported: RegionMetrics | undefined;
}

/** Messages that one run of the expiration processor removes before it lets others have the event loop. */
const EXPIRY_BATCH = 10_000;

/**
 * A queue at work: which of its messages are ready, delayed and in flight, and the one timer that moves them between
 * these states. The records in the storage are the truth; everything here follows them.
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
  /** Delayed messages and those in flight, by when they become visible. */
  private readonly hidden = new IndexedHeap<'heapIndex', QueuedMessage>('heapIndex');
  /** Every message, by when its retention began. */
  private readonly expiry = new IndexedHeap<'expiryIndex', QueuedMessage>('expiryIndex');
  /** Messages that were received, which receipt handles may name. */
  private readonly received = new Map<string, QueuedMessage>();
  private timer: Timer | undefined;

  /** @param dispatch hands ready messages to waiting receives; called when time made some ready */
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

  /** What is reported of it; undefined where nobody shows any. */
  get metrics(): QueueMetrics | undefined {
    const { reported } = this.storage;
    if (reported) this.reports ??= new QueueMetrics(reported, this.record.name);
    return this.reports;
  }

  /** Messages in the queue, in whatever state. */
  get size(): number {
    return this.expiry.size;
  }

  /** Messages that are neither delayed nor in flight. */
  get visible(): number {
    return this.expiry.size - this.inFlight - this.delayed;
  }

  /** Epoch milliseconds at which the oldest message came; undefined where there is none. */
  get oldest(): number | undefined {
    return this.expiry.first?.enqueuedAt;
  }

  /** Whether a receive would get something. */
  get available(): boolean {
    return this.order.available;
  }

  /** Every message, in no particular order; the queue must not change meanwhile. */
  messages(): IterableIterator<QueuedMessage> {
    return this.expiry.values();
  }

  /** The message that a receipt handle of this queue names; undefined where it is gone. */
  receivedMessage(sequence: string): QueuedMessage | undefined {
    return this.received.get(sequence);
  }

  /** Takes over changed attributes. */
  change(record: DeepReadonly<QueueRecord>): void {
    const { delay } = this.settings;
    this.record = record;
    this.settings = settingsOf(record);
    // A FIFO queue applies a new delay to the messages it has; a standard queue to new ones only.
    if (this.settings.fifo && delay !== this.settings.delay) this.rebuild();
    this.arm();
  }

  /** Puts a message in: one that was just sent or moved here, or, after a restart, as its records say. */
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
   * Takes the next messages out, for `deliver`, `giveBack` or `remove` to follow at once.
   * @param limit most messages taken
   */
  take(limit: number): QueuedMessage[] {
    return this.order.take(limit);
  }

  /**
   * Counts a taken message as received and hides it.
   * @param visibilityTimeout milliseconds; with zero it can be received again at once, after `giveBack`
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

  /** Hides a message in flight until another time, or makes it ready where that is now. */
  hideUntil(message: QueuedMessage, visibleAt: number, now: number): void {
    this.write(message, { ...message.delivery!, visibleAt });
    this.unhide(message);
    if (visibleAt > now) {
      message.state = 'inFlight';
      this.hide(message, visibleAt);
      this.arm();
    } else this.order.giveBack(message);
  }

  /** Takes a message out for good, with its records. */
  remove(message: QueuedMessage): void {
    this.release(message);
    this.storage.messages.delete(message.sequence);
    if (message.delivery) this.storage.deliveries.delete(message.sequence);
  }

  /** Takes a message out and leaves its records, for another queue to take over. */
  release(message: QueuedMessage): void {
    this.order.leave(message);
    if (message.state !== 'ready') this.unhide(message);
    this.expiry.remove(message);
    this.received.delete(message.sequence);
  }

  /** Whether a message's retention is over. */
  isExpired(message: QueuedMessage, now: number): boolean {
    return message.enqueuedAt + this.settings.retention <= now;
  }

  /** Brings the queue to a point in time: makes due messages ready and removes expired ones. @returns how many */
  settle(now: number): number {
    if (this.hidden.firstKey <= now) this.ripen(now);
    let expired = 0;
    for (; expired < EXPIRY_BATCH && this.expiry.firstKey + this.settings.retention <= now; expired++)
      this.remove(this.expiry.first!);
    this.deduplication.expire(now);
    return expired;
  }

  /**
   * Runs what is due, and waiting receives with it: the processor of the timer and of its control route. A long backlog
   * of expired messages is removed in several runs.
   * @returns how many messages expired
   */
  tick(): number {
    const expired = this.settle(this.storage.clock.now());
    this.dispatch(this);
    this.arm();
    return expired;
  }

  /** Removes every message, and forgets the deduplication ids with them. */
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

  /** Ends waits and the timer. @param error what waiting receives are told; nothing where undefined */
  close(error?: Error): void {
    this.timer?.cancel();
    this.timer = undefined;
    this.waiters.end(error);
  }

  /** When a message can be received: FIFO queues delay by their own setting, standard ones as each message says. */
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

  private ripen(now: number): void {
    const due: QueuedMessage[] = [];
    while (this.hidden.firstKey <= now) due.push(this.hidden.shift()!);
    // Of those that were received together, the first comes back first.
    due.sort((a, b) => this.visibleAt(a) - this.visibleAt(b) || a.order - b.order);
    for (const message of due) {
      const wasDelayed = message.state === 'delayed';
      this.unhide(message);
      if (wasDelayed) this.order.ripen(message);
      else this.order.giveBack(message);
    }
  }

  /** Sorts the messages in anew, after a change that concerns all of them. */
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

  /** Sets the timer for what happens next; one that is due earlier already stays and sets itself anew. */
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

/** Makes a message of its records. */
export function queuedMessage(
  sequence: string,
  message: DeepReadonly<MessageRecord>,
  delivery: DeepReadonly<DeliveryRecord> | undefined,
): QueuedMessage {
  return new QueuedMessage(sequence, message, delivery, delivery?.order ?? Number(sequence));
}
