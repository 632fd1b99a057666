import type { StateFailure } from '../asl/failure.ts';
import type { Json } from '../asl/json.ts';

/** A task whose end somebody else tells, by its token. */
export interface Waiting {
  succeed(output: Json): void;
  fail(failure: StateFailure): void;
  beat(): void;
}

/** A task of an activity that no worker has taken yet. */
export interface QueuedTask {
  readonly token: string;
  /** JSON text. */
  readonly input: string;
  /** Tells that a worker has it. */
  started(workerName: string | undefined): void;
}

/** Tokens whose end is awaited, and tasks of activities that wait for workers. */
export class WaitingTasks {
  private readonly tokens = new Map<string, Waiting>();
  private readonly queues = new Map<string, QueuedTask[]>();
  private readonly polls = new Map<string, Set<() => void>>();
  private closing = false;

  /** Whether polls are answered at once. */
  get isClosing(): boolean {
    return this.closing;
  }

  await(token: string, waiting: Waiting): void {
    this.tokens.set(token, waiting);
  }

  forget(token: string): void {
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

  /** Takes back a task that is over before a worker took it. */
  drop(activityArn: string, token: string): void {
    const queue = this.queues.get(activityArn);
    const index = queue?.findIndex((task) => task.token === token) ?? -1;
    if (index >= 0) queue!.splice(index, 1);
  }

  /** The next task of an activity; undefined where there is none. */
  take(activityArn: string): QueuedTask | undefined {
    return this.queues.get(activityArn)?.shift();
  }

  /** Calls back once, when an activity may have a task or polls have to end. @returns how to take it back */
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

  /** Answers every poll, now and from now on. */
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
