import type { QueueRecord } from '../records.ts';
import type { Queue } from './queue.ts';

/** Queues of one account and region for lookup. */
export interface QueueRegistry {
  /** @returns undefined if the queue is missing */
  find(name: string): Queue | undefined;
  /** Changes a queue's record. */
  update(queue: Queue, change: (draft: QueueRecord) => void): void;
  /** Returns all queues in order of name. */
  list(): Queue[];
  /** Returns the maximum number of in-flight messages per queue. */
  inFlightLimit(queue: Queue): number;
  /** Returns the ARN of a queue, existing or not. */
  arnOf(name: string): string;
}
