import {
  invalidValueFor,
  receiptHandleExpired,
  receiptHandleIsInvalid,
  receiptHandleOfAnotherQueue,
} from '../errors.ts';
import type { QueuedMessage } from '../ordering/queued-message.ts';
import type { Queue } from '../queues/queue.ts';
import type { QueueRegistry } from '../queues/registry.ts';
import { parseReceiptHandle } from './receipt-handle.ts';
import { serveWaiting } from './receive.ts';

/** Maximum invisibility of a message after one receive in seconds: twelve hours. */
export const MAX_VISIBILITY_TIMEOUT = 43_200;

/**
 * Returns the message of a handle. A standard queue accepts any handle of the message; a FIFO queue only the latest
 * one, until it expires.
 * @returns undefined for a deleted message
 * @throws AwsError `ReceiptHandleIsInvalid` for an invalid handle, `InvalidParameterValue` for an expired one
 */
function messageOf(queue: Queue, handle: string): QueuedMessage | undefined {
  const receipt = parseReceiptHandle(handle);
  if (!receipt) throw receiptHandleIsInvalid(handle);
  if (receipt.queueId !== queue.record.id) throw receiptHandleOfAnotherQueue(handle);
  queue.settle(queue.storage.clock.now());
  const message = queue.receivedMessage(receipt.sequence);
  if (!message) return undefined;
  const expired = message.state !== 'inFlight' || message.delivery?.receives !== receipt.receive;
  if (queue.settings.fifo && expired) throw receiptHandleExpired(handle);
  return message;
}

/**
 * Deletes a received message, if it still exists.
 * @throws AwsError as `messageOf`
 */
export function deleteMessage(registry: QueueRegistry, queue: Queue, handle: string): void {
  const message = messageOf(queue, handle);
  queue.metrics?.deleted(queue.storage.clock.now());
  if (!message) return;
  queue.remove(message);
  // In a FIFO queue the group's next message may become available.
  serveWaiting(registry, queue);
}

/**
 * Changes the visibility timeout of an in-flight message, from now on. Has no effect on a visible message of a standard
 * queue.
 * @param seconds 0 to 43,200
 * @throws AwsError as `messageOf`, and `InvalidParameterValue` for a deleted message or more than twelve hours in total
 */
export function changeVisibility(registry: QueueRegistry, queue: Queue, handle: string, seconds: number): void {
  if (!(seconds >= 0 && seconds <= MAX_VISIBILITY_TIMEOUT))
    throw invalidValueFor('VisibilityTimeout', seconds, `Must be >= 0 and <= ${MAX_VISIBILITY_TIMEOUT}, if provided.`);
  const message = messageOf(queue, handle);
  if (!message)
    throw invalidValueFor(
      'ReceiptHandle',
      handle,
      'Message does not exist or is not available for visibility timeout change.',
    );
  if (message.state !== 'inFlight') return;
  const now = queue.storage.clock.now();
  const visibleAt = now + seconds * 1000;
  if (visibleAt > (message.delivery?.receivedAt ?? now) + MAX_VISIBILITY_TIMEOUT * 1000)
    throw invalidValueFor(
      'VisibilityTimeout',
      seconds,
      `Total VisibilityTimeout for the message is beyond the limit [${MAX_VISIBILITY_TIMEOUT} seconds]`,
    );
  queue.hideUntil(message, visibleAt, now);
  if (seconds === 0) serveWaiting(registry, queue);
}
