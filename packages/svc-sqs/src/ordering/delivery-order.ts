import type { QueuedMessage } from './queued-message.ts';

/**
 * The order in which a queue hands out its messages: that of standard queues or that of FIFO queues. It knows the
 * messages that can be received, and what a FIFO queue must hold back because of others.
 */
export interface DeliveryOrder {
  /** A message came into the queue; `ready` or `delayed`. */
  enter(message: QueuedMessage): void;
  /** A delayed message became ready. */
  ripen(message: QueuedMessage): void;
  /**
   * Takes the next messages out: they count as in flight until they are given back or leave.
   * @param limit most messages taken
   */
  take(limit: number): QueuedMessage[];
  /** A message that was taken can be received again. */
  giveBack(message: QueuedMessage): void;
  /** A message leaves the queue, whether it was taken or not. */
  leave(message: QueuedMessage): void;
  /** Whether a message could be taken now. */
  readonly available: boolean;
}
