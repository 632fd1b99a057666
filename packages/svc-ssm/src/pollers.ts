import { type Clock, DueTimers } from '@emu/core/service';

/** Milliseconds before the first poll, and maximum milliseconds between polls. */
const FIRST = 1000;
const LAST = 60_000;

/** Polls for results of work in other services, with increasing delays on the emulated clock. */
export class Pollers {
  private readonly timers: DueTimers;

  constructor(private readonly clock: Clock) {
    this.timers = new DueTimers(clock);
  }

  /**
   * Polls until there is a result.
   * @param key of the polled work
   * @param ask resolves to true when polling can stop
   */
  watch(key: string, ask: () => Promise<boolean>, delay = FIRST): void {
    this.timers.set(key, this.clock.now() + delay, async () => {
      if (!(await ask())) this.watch(key, ask, Math.min(delay * 2, LAST));
    });
  }

  /** Runs a callback at a time. */
  at(key: string, time: number, callback: () => void): void {
    this.timers.set(key, time, callback);
  }

  cancel(key: string): void {
    this.timers.cancel(key);
  }

  cancelAll(): void {
    this.timers.cancelAll();
  }
}
