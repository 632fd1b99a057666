import type { DeliveryRecord, MessageRecord } from '../records.ts';
import { Chain, type Chained } from './chain.ts';

/** `ready`: available; `delayed`: not yet available; `inFlight`: received, and invisible until its timeout. */
export type MessageState = 'ready' | 'delayed' | 'inFlight';

/**
 * A message in a queue: its records, and its positions in the queue's structures. Everything here is derived from the
 * records.
 */
export class QueuedMessage implements Chained<QueuedMessage> {
  state: MessageState = 'ready';
  /** Position in the heap of hidden or of returned messages. */
  heapIndex = -1;
  /** Position in the expiry heap. */
  expiryIndex = -1;
  previous: QueuedMessage | undefined = undefined;
  next: QueuedMessage | undefined = undefined;
  chain: object | undefined = undefined;
  /** Its message group in a FIFO queue. */
  group: MessageGroup | undefined = undefined;

  /**
   * @param sequence key of its records
   * @param order position in the queue, lowest first
   */
  constructor(
    readonly sequence: string,
    readonly message: Readonly<MessageRecord>,
    public delivery: Readonly<DeliveryRecord> | undefined,
    readonly order: number,
  ) {}

  /** Number of receives in this queue. */
  get receivesHere(): number {
    return this.delivery ? this.delivery.receives - this.delivery.receivesBefore : 0;
  }

  /** Start of its retention in epoch milliseconds. */
  get enqueuedAt(): number {
    return this.delivery?.enqueuedAt ?? this.message.sentAt;
  }
}

/** Messages of one group in the queue. */
export class MessageGroup implements Chained<MessageGroup> {
  /** Ready and delayed messages, in order. */
  readonly waiting = new Chain<QueuedMessage>();
  /** Messages in flight: at most as many as one receive can take, because they lock the group. */
  readonly inFlight: QueuedMessage[] = [];
  previous: MessageGroup | undefined = undefined;
  next: MessageGroup | undefined = undefined;
  chain: object | undefined = undefined;

  constructor(readonly id: string) {}

  /** Messages from this position on are locked by an earlier one in flight. */
  get lockedFrom(): number {
    let lowest = Number.POSITIVE_INFINITY;
    for (const { order } of this.inFlight) if (order < lowest) lowest = order;
    return lowest;
  }

  /** Whether the group's next message is available. */
  get open(): boolean {
    const { first } = this.waiting;
    return first !== undefined && first.state === 'ready' && first.order < this.lockedFrom;
  }
}
