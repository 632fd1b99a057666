import type { Clock, Timer, Worker } from '@emu/core/service';
import { inUse } from '../errors.ts';

/** How soon a subscription may not be taken over by the next call, in milliseconds. */
const EXCLUSIVE = 5000;

/** One that waits for records of a stream. */
interface Waiter {
  readonly stream: number;
  wake(): void;
}

/** A subscription that runs. */
export interface Subscription {
  readonly startedAt: number;
  /** Aborted when another call takes it over, and when the state ends. */
  readonly controller: AbortController;
}

/** Who waits for records, and which subscriptions run. */
export class Subscriptions implements Worker {
  private readonly waiters = new Set<Waiter>();
  /** Those that run or were begun in the last five seconds. */
  private readonly begun = new Map<string, Subscription>();
  private closed = false;
  private wakes = 0;

  constructor(private readonly clock: Clock) {}

  /** Tells all that wait for records of a stream that there are some, or that the stream has changed. */
  wake(stream: number): void {
    this.wakes++;
    for (const waiter of this.waiters) if (waiter.stream === stream) waiter.wake();
  }

  /** Tells what has come before a look at a stream from what comes after it; for `wait`. */
  get moment(): number {
    return this.wakes;
  }

  /**
   * Waits for records of a stream, but not beyond a point in time, nor longer than the signal lets.
   * @param seen moment of the last look at it
   */
  wait(stream: number, seen: number, until: number, signal: AbortSignal): Promise<void> {
    if (this.wakes !== seen || this.closed || signal.aborted || until <= this.clock.now()) return Promise.resolve();
    return new Promise((resolve) => {
      let timer: Timer | undefined;
      const wake = (): void => {
        timer?.cancel();
        this.waiters.delete(waiter);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const waiter = { stream, wake };
      this.waiters.add(waiter);
      signal.addEventListener('abort', wake);
      timer = this.clock.at(until, wake);
    });
  }

  /**
   * Begins a subscription of a consumer to a shard, in the place of one that was begun five seconds ago or earlier.
   * @throws AwsError `ResourceInUseException` where one was begun just now, even if it has ended
   */
  begin(consumerArn: string, shardId: string): Subscription {
    const key = `${consumerArn} ${shardId}`;
    const now = this.clock.now();
    for (const [other, { startedAt, controller }] of this.begun)
      if (controller.signal.aborted && now >= startedAt + EXCLUSIVE) this.begun.delete(other);
    const former = this.begun.get(key);
    if (former && now < former.startedAt + EXCLUSIVE)
      throw inUse(
        `Another active subscription exists for this consumer: ${consumerArn}. Wait for 5 seconds after the last successful call to SubscribeToShard.`,
      );
    former?.controller.abort();
    const subscription = { startedAt: now, controller: new AbortController() };
    this.begun.set(key, subscription);
    return subscription;
  }

  endWaits(): void {
    this.close();
  }

  close(): void {
    this.closed = true;
    for (const { controller } of this.begun.values()) controller.abort();
    for (const waiter of [...this.waiters]) waiter.wake();
  }
}
