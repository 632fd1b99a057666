import type { QueuedMessage } from '../ordering/queued-message.ts';
import { type Queue, queuedMessage } from './queue.ts';
import type { QueueRegistry } from './registry.ts';

/**
 * Returns the dead-letter queue for a message with the maximum receive count.
 * @returns undefined if the message may be received again, or the dead-letter queue is missing
 */
export function deadLetterQueueOf(registry: QueueRegistry, queue: Queue, message: QueuedMessage): Queue | undefined {
  const { redrive } = queue.settings;
  if (!redrive || message.receivesHere < redrive.maxReceiveCount) return undefined;
  return registry.find(redrive.deadLetterQueue);
}

/**
 * Moves a message to a dead-letter queue. It keeps id, attributes and receive count; its retention continues in
 * standard queues, and restarts in FIFO queues.
 */
export function moveToDeadLetterQueue(message: QueuedMessage, source: Queue, target: Queue, now: number): void {
  const receives = message.delivery?.receives ?? 0;
  const enqueuedAt = source.settings.fifo ? now : message.enqueuedAt;
  source.release(message);
  const delivery = source.storage.deliveries.put(message.sequence, {
    queue: target.name,
    order: source.storage.sequences.take(),
    visibleAt: now,
    receives,
    receivesBefore: receives,
    enqueuedAt,
    deadLetteredBy: source.name,
  });
  target.enter(queuedMessage(message.sequence, message.message, delivery), now);
}

/** Returns the queues with this dead-letter queue. */
export function deadLetterSourcesOf(registry: QueueRegistry, queue: Queue): Queue[] {
  return registry.list().filter(({ settings }) => settings.redrive?.deadLetterQueue === queue.name);
}
