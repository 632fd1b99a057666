import type { QueuedMessage } from '../ordering/queued-message.ts';
import { type Queue, queuedMessage } from './queue.ts';
import type { QueueRegistry } from './registry.ts';

/**
 * The dead-letter queue of a message that was received as often as its queue allows.
 * @returns undefined where the message may be received again, or the dead-letter queue is gone
 */
export function deadLetterQueueOf(registry: QueueRegistry, queue: Queue, message: QueuedMessage): Queue | undefined {
  const { redrive } = queue.settings;
  if (!redrive || message.receivesHere < redrive.maxReceiveCount) return undefined;
  return registry.find(redrive.deadLetterQueue);
}

/**
 * Moves a message to a dead-letter queue. It keeps its id, attributes and receive count; in standard queues its
 * retention goes on from when it was first sent, in FIFO queues it begins anew.
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

/** The queues that name this one as their dead-letter queue. */
export function deadLetterSourcesOf(registry: QueueRegistry, queue: Queue): Queue[] {
  return registry.list().filter(({ settings }) => settings.redrive?.deadLetterQueue === queue.name);
}
