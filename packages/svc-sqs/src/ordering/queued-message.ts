import type { DeliveryRecord, MessageRecord } from '../records.ts';
import { Chain, type Chained } from './chain.ts';

/** `ready`: can be received; `delayed`: not yet; `inFlight`: received, and invisible until its timeout. */
export type MessageState = 'ready' | 'delayed' | 'inFlight';

/**
 * A message in a queue: its records, and its places in the queue's structures. Everything here can be had again from
 * the records.
 */
export class QueuedMessage implements Chained<QueuedMessage> {
  state: MessageState = 'ready';
  /** Place in the heap of hidden messages, or in that of returned ones. */
  heapIndex = -1;
  /** Place in the heap of expiry. */
  expiryIndex = -1;
  previous: QueuedMessage | undefined = undefined;
  next: QueuedMessage | undefined = undefined;
  chain: object | undefined = undefined;
  /** Its message group in a FIFO queue. */
  group: MessageGroup | undefined = undefined;

  /**
   * @param sequence the key of its records
   * @param order place in the queue: lower comes first
   */
  constructor(
    readonly sequence: string,
    readonly message: Readonly<MessageRecord>,
    public delivery: Readonly<DeliveryRecord> | undefined,
    readonly order: number,
  ) {}

  /** How often it was received since it came into this queue. */
  get receivesHere(): number {
    return this.delivery ? this.delivery.receives - this.delivery.receivesBefore : 0;
  }

  /** Epoch milliseconds its retention counts from. */
  get enqueuedAt(): number {
    return this.delivery?.enqueuedAt ?? this.message.sentAt;
  }
}

/** The messages of one group that are in the queue. */
export class MessageGroup implements Chained<MessageGroup> {
  /** Ready and delayed messages, in order. */
  readonly waiting = new Chain<QueuedMessage>();
  /** Messages in flight: never more than one receive can take, as the group is locked behind them. */
  readonly inFlight: QueuedMessage[] = [];
  previous: MessageGroup | undefined = undefined;
  next: MessageGroup | undefined = undefined;
  chain: object | undefined = undefined;

  constructor(readonly id: string) {}

  /** Messages from this place on are locked by one in flight before them. */
  get lockedFrom(): number {
    let lowest = Number.POSITIVE_INFINITY;
    for (const { order } of this.inFlight) if (order < lowest) lowest = order;
    return lowest;
  }

  /** Whether the group's next message can be received. */
  get open(): boolean {
    const { first } = this.waiting;
    return first !== undefined && first.state === 'ready' && first.order < this.lockedFrom;
  }
}
