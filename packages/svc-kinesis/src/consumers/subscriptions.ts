import type { Clock, Timer, Worker } from '@emu/core/service';
import { inUse } from '../errors.ts';

/** Minimum milliseconds between calls that replace a subscription. */
const EXCLUSIVE = 5000;

/** A reader that waits for records of a stream. */
interface Waiter {
  readonly stream: number;
  wake(): void;
}

/** A running subscription. */
export interface Subscription {
  readonly startedAt: number;
  /** Aborted when another call replaces it, and when the state is closed. */
  readonly controller: AbortController;
}

/** Waiting readers and running subscriptions. */
export class Subscriptions implements Worker {
  private readonly waiters = new Set<Waiter>();
  /** Those that run or started in the last five seconds. */
  private readonly begun = new Map<string, Subscription>();
  private closed = false;
  private wakes = 0;

  constructor(private readonly clock: Clock) {}

  /** Wakes all readers of a stream after new records or a change of the stream. */
  wake(stream: number): void {
    this.wakes++;
    for (const waiter of this.waiters) if (waiter.stream === stream) waiter.wake();
  }

  /** Marker for `wait` that separates events before and after a read of a stream. */
  get moment(): number {
    return this.wakes;
  }

  /**
   * Waits for records of a stream, until a time or the signal.
   * @param seen marker from the last read
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
   * Starts a consumer's subscription to a shard, replacing one started at least five seconds ago.
   * @throws AwsError `ResourceInUseException` if one started more recently, even if it has ended
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
