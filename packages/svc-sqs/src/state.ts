import {
  type Collection,
  type MetricLevel,
  metricsOf,
  type ServiceHandle,
  type StateScope,
  type Worker,
  type WorkingState,
} from '@emu/core/service';
import { MoveTasks } from './messages/move-tasks.ts';
import { serveWaiting } from './messages/receive.ts';
import type { QueuedMessage } from './ordering/queued-message.ts';
import { Queue, type QueueStorage, queuedMessage } from './queues/queue.ts';
import type { QueueRegistry } from './queues/registry.ts';
import { SequenceNumbers } from './queues/sequence-numbers.ts';
import { IN_FLIGHT } from './quotas.ts';
import {
  type DeletedQueueRecord,
  deduplicationCollection,
  deletedQueueCollection,
  deliveryCollection,
  messageCollection,
  moveTaskCollection,
  type QueueRecord,
  queueCollection,
  sequenceCollection,
} from './records.ts';
import { queueType } from './resources.ts';

/** Milliseconds for which a deleted queue's name cannot be reused. */
const REUSE_DELAY = 60_000;

/** Maximum in-flight messages of a FIFO queue; beyond it, receives return nothing. */
const MAX_FIFO_IN_FLIGHT = 120_000;

/** Queues of one account and region with their contents. */
export class SqsState implements QueueRegistry, WorkingState {
  readonly workers: readonly Worker[];
  readonly accountId: string;
  readonly region: string;
  readonly moveTasks: MoveTasks;
  private readonly service: ServiceHandle;
  private readonly storage: QueueStorage;
  private readonly records: Collection<QueueRecord>;
  private readonly deleted: Collection<DeletedQueueRecord>;
  private readonly queues = new Map<string, Queue>();

  constructor(scope: StateScope) {
    this.accountId = scope.accountId;
    this.region = scope.region;
    this.service = scope.service;
    this.records = scope.collection(queueCollection);
    this.deleted = scope.collection(deletedQueueCollection);
    this.storage = {
      clock: scope.clock,
      messages: scope.collection(messageCollection),
      deliveries: scope.collection(deliveryCollection),
      deduplications: scope.collection(deduplicationCollection),
      sequences: new SequenceNumbers(scope.collection(sequenceCollection)),
      reported: metricsOf(scope.service, scope.accountId, scope.region),
    };
    this.moveTasks = new MoveTasks(this, scope.collection(moveTaskCollection), scope.ids, scope.clock);
    const unwatch = this.storage.reported?.watch((now) => this.levels(now));
    const close = () => {
      unwatch?.();
      this.closeQueues();
    };
    this.workers = [{ close, endWaits: () => this.endWaits() }, this.moveTasks];
  }

  find(name: string): Queue | undefined {
    return this.queues.get(name);
  }

  list(): Queue[] {
    return [...this.queues.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  inFlightLimit({ settings }: Queue): number {
    return settings.fifo ? MAX_FIFO_IN_FLIGHT : this.service.quotaLimit(IN_FLIGHT, this.accountId, this.region);
  }

  arnOf(name: string): string {
    return queueType.arn({ name }, this);
  }

  /** Creates a queue. */
  create(record: QueueRecord): Queue {
    this.deleted.delete(record.name);
    return this.open(this.records.put(record.name, record));
  }

  /** Changes a queue's record. */
  update(queue: Queue, change: (draft: QueueRecord) => void): void {
    queue.change(this.records.update(queue.name, change));
  }

  /**
   * Deletes a queue with its contents.
   * @param error error for waiting receivers
   */
  delete(queue: Queue, error: Error): void {
    const now = this.storage.clock.now();
    queue.close(error);
    queue.clear();
    this.moveTasks.drop(queue);
    this.queues.delete(queue.name);
    this.records.delete(queue.name);
    for (const [name, { deletedAt }] of this.deleted.entries())
      if (deletedAt + REUSE_DELAY <= now) this.deleted.delete(name);
    this.deleted.put(queue.name, { deletedAt: now });
  }

  /** Whether a queue with the name was deleted within the last minute. */
  wasDeletedRecently(name: string): boolean {
    const record = this.deleted.get(name);
    return record !== undefined && record.deletedAt + REUSE_DELAY > this.storage.clock.now();
  }

  /** Yields the current metrics of all queues. */
  private *levels(now: number): Iterable<MetricLevel> {
    for (const queue of this.queues.values()) {
      queue.settle(now);
      if (queue.metrics) yield* queue.metrics.levels(queue, now);
    }
  }

  /** Ends current and future waits without messages. */
  private endWaits(): void {
    for (const queue of this.queues.values()) queue.waiters.stop();
  }

  private closeQueues(): void {
    for (const queue of this.queues.values()) queue.close();
  }

  private open(record: Queue['record']): Queue {
    const queue = new Queue(this.storage, record, (ticking) => serveWaiting(this, ticking));
    this.queues.set(record.name, queue);
    return queue;
  }

  *fill(): Iterable<void> {
    const { messages, deliveries, deduplications, clock } = this.storage;
    for (const record of this.records.values()) this.open(record);
    const ids = [...deduplications.entries()].sort(([, a], [, b]) => a.expiresAt - b.expiresAt);
    for (const [key, record] of ids) this.queues.get(record.queue)?.deduplication.restore(key, record);
    const found: { queue: Queue; message: QueuedMessage }[] = [];
    for (const [sequence, record] of messages.entries()) {
      const delivery = deliveries.get(sequence);
      const queue = this.queues.get(delivery?.queue ?? record.queue);
      if (queue) found.push({ queue, message: queuedMessage(sequence, record, delivery) });
      yield;
    }
    found.sort((a, b) => a.message.order - b.message.order);
    const now = clock.now();
    for (const { queue, message } of found) {
      queue.enter(message, now);
      yield;
    }
  }
}

/** Creates the state of an account and region. */
export function createState(scope: StateScope): SqsState {
  return new SqsState(scope);
}
