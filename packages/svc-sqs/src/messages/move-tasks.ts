import {
  type Clock,
  type Collection,
  copyOf,
  type DeepReadonly,
  DueTimers,
  type Ids,
  type InterruptedWork,
  interruptedRecords,
  type Worker,
} from '@emu/core/service';
import { parseJson } from '@emu/wire';
import { invalidParameterValue, invalidValueFor, notFound } from '../errors.ts';
import type { QueuedMessage } from '../ordering/queued-message.ts';
import { deadLetterSourcesOf } from '../queues/dead-letter.ts';
import { type Queue, queuedMessage } from '../queues/queue.ts';
import type { QueueRegistry } from '../queues/registry.ts';
import type { MessageRecord, MoveTaskRecord } from '../records.ts';
import { serveWaiting } from './receive.ts';

export type MoveTask = DeepReadonly<MoveTaskRecord>;

/** Messages moved by an unlimited task between yields to other tasks. */
const BATCH = 1000;
/** Milliseconds between the steps of a task. */
const MIN_INTERVAL = 10;
const MIN_LIMITED_INTERVAL = 100;
const MAX_RATE = 500;
/** Maximum number of stored tasks per queue. */
const MAX_HISTORY = 10;

/** The message move tasks of one account and region. */
export class MoveTasks implements Worker {
  private readonly steps: DueTimers;

  constructor(
    private readonly registry: QueueRegistry,
    private readonly records: Collection<MoveTaskRecord>,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {
    this.steps = new DueTimers(clock);
  }

  /** Continues running tasks after a restart. */
  interrupted(): InterruptedWork[] {
    return interruptedRecords(this.records, {
      name: ({ id }) => `message move task ${id}`,
      isLeft: ({ status }) => status === 'RUNNING',
      resume: (task) => {
        this.schedule(task, 0);
        return undefined;
      },
      fail: (task, reason) => void this.end(task, 'FAILED', reason),
    });
  }

  /**
   * Starts to move the messages of a dead-letter queue.
   * @param destination undefined to return each message to its source queue
   * @param messagesPerSecond undefined for no limit
   * @throws AwsError `InvalidParameterValue`
   */
  start(source: Queue, destination: Queue | undefined, messagesPerSecond: number | undefined): MoveTask {
    if (messagesPerSecond !== undefined && !(messagesPerSecond >= 1 && messagesPerSecond <= MAX_RATE))
      throw invalidValueFor(
        'MaxNumberOfMessagesPerSecond',
        messagesPerSecond,
        `Must be between 1 and ${MAX_RATE}, if provided.`,
      );
    if (!deadLetterSourcesOf(this.registry, source).length)
      throw invalidParameterValue('Source queue must be configured as a Dead Letter Queue.');
    if (destination === source)
      throw invalidParameterValue('The source queue and the destination queue must be different.');
    if (destination && destination.settings.fifo !== source.settings.fifo)
      throw invalidParameterValue('The destination queue must be of the same type as the source queue.');
    const earlier = this.of(source);
    if (earlier.some(({ status }) => status === 'RUNNING'))
      throw invalidParameterValue(
        'There is already a task running. Only one active task is allowed for a source queue arn at a given time.',
      );
    for (const task of earlier.slice(MAX_HISTORY - 1)) this.records.delete(task.id);
    const { clock } = source.storage;
    source.settle(clock.now());
    const id = this.ids.uuid();
    const task = this.records.put(id, {
      id,
      source: source.name,
      ...(destination && { destination: destination.name }),
      ...(messagesPerSecond !== undefined && { messagesPerSecond }),
      status: 'RUNNING',
      moved: 0,
      toMove: source.visible,
      startedAt: clock.now(),
    });
    this.schedule(task, 0);
    return task;
  }

  /**
   * Cancels a task; moved messages stay moved.
   * @throws AwsError `ResourceNotFoundException`, or `InvalidParameterValue` if the task has ended
   */
  cancel(source: Queue, id: string): MoveTask {
    const task = this.records.get(id);
    if (task?.source !== source.name) throw notFound('Task does not exist.');
    if (task.status !== 'RUNNING') throw invalidParameterValue('Only active tasks can be cancelled.');
    return this.end(task, 'CANCELLED');
  }

  /** Returns the tasks of a dead-letter queue, latest first. */
  of(source: Queue): MoveTask[] {
    return [...this.records.values()].filter((task) => task.source === source.name).reverse();
  }

  /** Removes the tasks of a deleted queue. */
  drop(source: Queue): void {
    for (const task of this.of(source)) {
      this.steps.cancel(task.id);
      this.records.delete(task.id);
    }
  }

  private schedule(task: MoveTask, delay: number): void {
    const source = this.registry.find(task.source);
    if (!source) return;
    this.steps.set(task.id, this.clock.now() + delay, () => this.step(this.records.get(task.id)!, source));
  }

  /** Moves the messages that are due. */
  private step(task: MoveTask, source: Queue): void {
    const now = source.storage.clock.now();
    const { messagesPerSecond: rate } = task;
    const due = rate === undefined ? BATCH : Math.floor(((now - task.startedAt) * rate) / 1000) + 1 - task.moved;
    source.settle(now);
    const refilled = new Set<Queue>();
    let moved = 0;
    let failureReason: string | undefined;
    while (moved < due && task.moved + moved < task.toMove && !failureReason) {
      const message = source.take(1)[0];
      if (!message) break;
      const target = this.targetOf(task, message);
      if (typeof target === 'string') {
        source.giveBack(message);
        failureReason = target;
      } else {
        resend(message, source, target, this.ids, now);
        refilled.add(target);
        moved++;
      }
    }
    const after = this.records.update(task.id, (draft) => {
      draft.moved += moved;
    });
    for (const queue of refilled) serveWaiting(this.registry, queue);
    if (failureReason) this.end(after, 'FAILED', failureReason);
    else if (after.moved >= after.toMove || !source.available) this.end(after, 'COMPLETED');
    else this.schedule(after, rate === undefined ? MIN_INTERVAL : Math.max(1000 / rate, MIN_LIMITED_INTERVAL));
  }

  /** Returns the destination of a message, or why there is none. */
  private targetOf(task: MoveTask, message: QueuedMessage): Queue | string {
    const name = task.destination ?? message.delivery?.deadLetteredBy;
    if (name === undefined) return 'CouldNotDetermineMessageSource';
    return this.registry.find(name) ?? 'AWS.SimpleQueueService.NonExistentQueue';
  }

  private end(task: MoveTask, status: MoveTaskRecord['status'], failureReason?: string): MoveTask {
    this.steps.cancel(task.id);
    return this.records.update(task.id, (draft) => {
      draft.status = status;
      if (failureReason) draft.failureReason = failureReason;
    });
  }
}

/** Adds a message to another queue as a new one: with a new id, zero receives, and a new retention. */
function resend(message: QueuedMessage, source: Queue, target: Queue, ids: Ids, now: number): void {
  const { storage } = source;
  const { delayedUntil: _over, ...kept } = copyOf<MessageRecord>(message.message);
  const sequence = String(storage.sequences.take());
  const record = storage.messages.put(sequence, { ...kept, queue: target.name, id: ids.uuid(), sentAt: now });
  source.remove(message);
  target.enter(queuedMessage(sequence, record, undefined), now);
}

/** Creates a task handle in AWS's format: decodable, so that it contains its queue. */
export function formatTaskHandle(id: string, sourceArn: string): string {
  return Buffer.from(JSON.stringify({ taskId: id, sourceArn })).toString('base64');
}

/**
 * Parses a task handle.
 * @throws AwsError `InvalidParameterValue` if it is invalid
 */
export function parseTaskHandle(handle: string): { taskId: string; sourceArn: string } {
  try {
    const value = parseJson(Buffer.from(handle, 'base64').toString()) as { taskId?: unknown; sourceArn?: unknown };
    const { taskId, sourceArn } = value;
    if (typeof taskId === 'string' && typeof sourceArn === 'string') return { taskId, sourceArn };
  } catch {
    // Invalid JSON is an invalid handle.
  }
  throw invalidParameterValue('Value for parameter TaskHandle is invalid.');
}
