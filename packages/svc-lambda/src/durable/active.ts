import { type Clock, DueTimers } from '@emu/core/service';

/** What is known of an execution that runs and is not written down. */
export class ActiveExecution {
  /** Whether its function works on it at this moment. */
  invoking = false;
  /** Whether something happened that the function has to be invoked for, once it has returned. */
  wake = false;
  /** Ids of operations that changed since the function was last told. */
  readonly unreported = new Set<string>();
  private readonly timers: DueTimers;
  private readonly waiters: (() => void)[] = [];

  constructor(clock: Clock) {
    this.timers = new DueTimers(clock);
  }

  /** Sets a timer in place of the one of the same key: an operation's id, or `timeout` or `retry` of the whole. */
  at(time: number, key: string, callback: () => void): void {
    this.timers.set(key, time, callback);
  }

  cancel(key: string): void {
    this.timers.cancel(key);
  }

  /** Whether the function is going to be invoked again anyway. */
  get retries(): boolean {
    return this.timers.has('retry');
  }

  /** Resolves when the execution has ended, or the emulator ends. */
  ended(): Promise<void> {
    return new Promise((resolve) => {
      this.waiters.push(resolve);
    });
  }

  /** Takes the timers back and tells whoever waits. */
  release(): void {
    this.timers.cancelAll();
    for (const waiter of this.waiters.splice(0)) waiter();
  }
}
