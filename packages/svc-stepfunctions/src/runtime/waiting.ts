import type { StateFailure } from '../asl/failure.ts';
import type { Json } from '../asl/json.ts';

/** A task to be completed by its token. */
export interface Waiting {
  succeed(output: Json): void;
  fail(failure: StateFailure): void;
  beat(): void;
}

/** An activity task that no worker has taken yet. */
export interface QueuedTask {
  readonly token: string;
  /** JSON text. */
  readonly input: string;
  /** Called when a worker takes it. */
  started(workerName: string | undefined): void;
}

/** Pending task tokens, and queued activity tasks. */
export class WaitingTasks {
  private readonly tokens = new Map<string, Waiting>();
  private readonly queues = new Map<string, QueuedTask[]>();
  private readonly polls = new Map<string, Set<() => void>>();
  private closing = false;

  /** Whether polls return immediately. */
  get isClosing(): boolean {
    return this.closing;
  }

  await(token: string, waiting: Waiting): void {
    this.tokens.set(token, waiting);
  }

  discard(token: string): void {
    this.tokens.delete(token);
  }

  get(token: string): Waiting | undefined {
    return this.tokens.get(token);
  }

  enqueue(activityArn: string, task: QueuedTask): void {
    const queue = this.queues.get(activityArn) ?? [];
    this.queues.set(activityArn, queue);
    queue.push(task);
    this.wake(activityArn);
  }

  /** Removes a finished task that no worker has taken. */
  drop(activityArn: string, token: string): void {
    const queue = this.queues.get(activityArn);
    const index = queue?.findIndex((task) => task.token === token) ?? -1;
    if (index >= 0) queue!.splice(index, 1);
  }

  /** Returns the next task of an activity; undefined if there is none. */
  take(activityArn: string): QueuedTask | undefined {
    return this.queues.get(activityArn)?.shift();
  }

  /**
   * Registers a one-time callback for a possible task of an activity or the end of polls.
   * @returns a function that unregisters it
   */
  onTask(activityArn: string, callback: () => void): () => void {
    if (this.closing) {
      callback();
      return () => undefined;
    }
    const polls = this.polls.get(activityArn) ?? new Set();
    this.polls.set(activityArn, polls);
    polls.add(callback);
    return () => polls.delete(callback);
  }

  /** Ends all current and future polls. */
  endPolls(): void {
    this.closing = true;
    for (const activity of this.polls.keys()) this.wake(activity);
  }

  private wake(activityArn: string): void {
    const polls = this.polls.get(activityArn);
    this.polls.delete(activityArn);
    for (const callback of polls ?? []) callback();
  }
}
