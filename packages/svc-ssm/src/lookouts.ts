import { type Clock, DueTimers } from '@emu/core';

/** Milliseconds after which is asked what became of what was begun, at first and at most. */
const FIRST = 1000;
const LAST = 60_000;

/** Asks by the clock what became of what was begun elsewhere, at first soon and then ever more rarely. */
export class Lookouts {
  private readonly timers: DueTimers;

  constructor(private readonly clock: Clock) {
    this.timers = new DueTimers(clock);
  }

  /**
   * Asks until there is an answer.
   * @param key of what is asked about
   * @param ask says whether nothing is left to ask
   */
  watch(key: string, ask: () => Promise<boolean>, delay = FIRST): void {
    this.timers.set(key, this.clock.now() + delay, async () => {
      if (!(await ask())) this.watch(key, ask, Math.min(delay * 2, LAST));
    });
  }

  /** Does something at a point in time. */
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
