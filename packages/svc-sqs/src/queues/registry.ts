import type { QueueRecord } from '../records.ts';
import type { Queue } from './queue.ts';

/** The queues of one account and region, as the domain finds them. */
export interface QueueRegistry {
  /** @returns undefined where there is no queue of that name */
  find(name: string): Queue | undefined;
  /** Changes a queue's record. */
  update(queue: Queue, change: (draft: QueueRecord) => void): void;
  /** Every queue, in order of name. */
  list(): Queue[];
  /** How many messages of a queue may be in flight. */
  inFlightLimit(queue: Queue): number;
  /** The ARN of a queue, whether it exists or not. */
  arnOf(name: string): string;
}
