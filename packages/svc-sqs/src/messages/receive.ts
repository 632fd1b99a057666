import { overLimit } from '../errors.ts';
import type { QueuedMessage } from '../ordering/queued-message.ts';
import { deadLetterQueueOf, moveToDeadLetterQueue } from '../queues/dead-letter.ts';
import type { ReceiveRequest } from '../queues/long-poll.ts';
import type { Queue } from '../queues/queue.ts';
import type { QueueRegistry } from '../queues/registry.ts';

/**
 * Receives messages, waiting for one if requested.
 * @param wait milliseconds
 * @param signal aborted when the client disconnects: no messages are taken then
 * @throws AwsError `OverLimit` if a standard queue has too many messages in flight and the request does not wait
 */
export function receive(
  registry: QueueRegistry,
  queue: Queue,
  request: ReceiveRequest,
  wait: number,
  signal: () => AbortSignal,
): QueuedMessage[] | Promise<QueuedMessage[]> {
  const messages = receiveNow(registry, queue, request);
  if (messages.length) return messages;
  if (wait > 0) return queue.waiters.wait(request, wait, signal());
  if (!queue.settings.fifo && queue.inFlight >= registry.inFlightLimit(queue))
    throw overLimit('The maximum number of in flight messages of this queue is reached.');
  return messages;
}

/** Receives available messages, moving those that exceeded their receive count to the dead-letter queue. */
function receiveNow(registry: QueueRegistry, queue: Queue, request: ReceiveRequest): QueuedMessage[] {
  const now = queue.storage.clock.now();
  queue.settle(now);
  const visibilityTimeout = request.visibilityTimeout ?? queue.settings.visibilityTimeout;
  const { attemptId } = request;
  const repeated = attemptId === undefined ? undefined : queue.attempts.find(attemptId, now);
  if (repeated) {
    for (const message of repeated) queue.hideUntil(message, now + visibilityTimeout, now);
    queue.attempts.add(attemptId!, repeated, now);
    return repeated;
  }
  const most = Math.min(request.maxMessages, registry.inFlightLimit(queue) - queue.inFlight);
  const received = takeDeliverable(registry, queue, most, now);
  for (const message of received) queue.deliver(message, now, visibilityTimeout);
  if (received.length) queue.metrics?.received(received.length, now);
  if (visibilityTimeout === 0) for (const message of received) queue.giveBack(message);
  if (attemptId !== undefined && received.length) queue.attempts.add(attemptId, received, now);
  return received;
}

function takeDeliverable(registry: QueueRegistry, queue: Queue, limit: number, now: number): QueuedMessage[] {
  const deliverable: QueuedMessage[] = [];
  const refilled = new Set<Queue>();
  while (deliverable.length < limit) {
    const taken = queue.take(limit - deliverable.length);
    if (!taken.length) break;
    for (const message of taken) {
      const deadLetterQueue = deadLetterQueueOf(registry, queue, message);
      if (queue.isExpired(message, now)) queue.remove(message);
      else if (deadLetterQueue) {
        moveToDeadLetterQueue(message, queue, deadLetterQueue, now);
        refilled.add(deadLetterQueue);
      } else deliverable.push(message);
    }
  }
  for (const other of refilled) if (other !== queue) serveWaiting(registry, other);
  return deliverable;
}

/**
 * Passes ready messages to waiting receivers, longest waiting first; called whenever messages may have become ready.
 */
export function serveWaiting(registry: QueueRegistry, queue: Queue): void {
  for (let request = queue.waiters.next; request && queue.available; request = queue.waiters.next) {
    const messages = receiveNow(registry, queue, request);
    if (!messages.length) break;
    queue.waiters.serve(messages);
  }
}
