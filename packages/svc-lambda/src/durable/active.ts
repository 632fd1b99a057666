import type { Clock, Timer } from '@emu/core';

/** What is known of an execution that runs and is not written down. */
export class ActiveExecution {
  /** Whether its function works on it at this moment. */
  invoking = false;
  /** Whether something happened that the function has to be invoked for, once it has returned. */
  wake = false;
  /** Ids of operations that changed since the function was last told. */
  readonly unreported = new Set<string>();
  private readonly timers = new Map<string, Timer>();
  private readonly waiters: (() => void)[] = [];

  constructor(private readonly clock: Clock) {}

  /** Sets a timer in place of the one of the same key: an operation's id, or `timeout` or `retry` of the whole. */
  at(time: number, key: string, callback: () => void): void {
    this.cancel(key);
    const timer = this.clock.at(time, () => {
      this.timers.delete(key);
      callback();
    });
    this.timers.set(key, timer);
  }

  cancel(key: string): void {
    this.timers.get(key)?.cancel();
    this.timers.delete(key);
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
    for (const timer of this.timers.values()) timer.cancel();
    this.timers.clear();
    for (const waiter of this.waiters.splice(0)) waiter();
  }
}
