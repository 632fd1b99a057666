import type { QueuedMessage } from './queued-message.ts';

/**
 * Delivery order of a queue's messages: standard or FIFO. Tracks available messages, and those that a FIFO queue holds
 * back because of others.
 */
export interface DeliveryOrder {
  /** Adds a message as `ready` or `delayed`. */
  enter(message: QueuedMessage): void;
  /** Marks a delayed message as ready. */
  makeReady(message: QueuedMessage): void;
  /**
   * Takes the next messages, which count as in flight until they are returned or removed.
   * @param limit maximum number of messages
   */
  take(limit: number): QueuedMessage[];
  /** Returns a taken message. */
  giveBack(message: QueuedMessage): void;
  /** Removes a message, taken or not. */
  leave(message: QueuedMessage): void;
  /** Whether a message is available. */
  readonly available: boolean;
}
