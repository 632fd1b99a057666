import { type Clock, DueTimers } from '@emu/core/service';

/** Transient state of a running execution. */
export class ActiveExecution {
  /** Whether its function is currently running. */
  invoking = false;
  /** Whether the function must be invoked again after it returns. */
  wake = false;
  /** Ids of operations that changed since the function last received updates. */
  readonly unreported = new Set<string>();
  private readonly timers: DueTimers;
  private readonly waiters: (() => void)[] = [];

  constructor(clock: Clock) {
    this.timers = new DueTimers(clock);
  }

  /** Sets a timer, replacing one with the same key: an operation's id, or `timeout` or `retry` for the execution. */
  at(time: number, key: string, callback: () => void): void {
    this.timers.set(key, time, callback);
  }

  cancel(key: string): void {
    this.timers.cancel(key);
  }

  /** Whether another invocation is already planned. */
  get retries(): boolean {
    return this.timers.has('retry');
  }

  /** Resolves when the execution has ended, or when emu closes. */
  ended(): Promise<void> {
    return new Promise((resolve) => {
      this.waiters.push(resolve);
    });
  }

  /** Clears the timers and resolves waiters. */
  release(): void {
    this.timers.cancelAll();
    for (const waiter of this.waiters.splice(0)) waiter();
  }
}
