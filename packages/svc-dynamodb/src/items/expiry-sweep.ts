import type { Clock, Timer, Worker } from '@emu/core';

/** How often expired items are removed. */
const INTERVAL = 60_000;

/** Removes expired items now and then, as long as a table has a time to live. */
export class ExpirySweep implements Worker {
  private timer: Timer | undefined;

  /**
   * @param wanted whether a table has a time to live
   * @param remove removes the items that have expired
   */
  constructor(
    private readonly clock: Clock,
    private readonly wanted: () => boolean,
    private readonly remove: () => Promise<unknown>,
  ) {}

  resume(): void {
    this.schedule();
  }

  /** Starts or ends the sweep after a change of tables. */
  schedule(): void {
    if (this.wanted())
      this.timer ??= this.clock.every(INTERVAL, async () => {
        await this.remove();
      });
    else {
      this.timer?.cancel();
      this.timer = undefined;
    }
  }
}
