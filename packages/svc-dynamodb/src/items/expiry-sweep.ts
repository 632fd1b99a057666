import type { Clock, Timer, Worker } from '@emu/core/service';

/** Milliseconds between two removals of expired items. */
const INTERVAL = 60_000;

/** Periodically removes expired items while any table has a time to live. */
export class ExpirySweep implements Worker {
  private timer: Timer | undefined;

  /**
   * @param wanted whether any table has a time to live
   * @param remove removes the expired items
   */
  constructor(
    private readonly clock: Clock,
    private readonly wanted: () => boolean,
    private readonly remove: () => Promise<unknown>,
  ) {}

  resume(): void {
    this.schedule();
  }

  /** Starts or stops the sweep after a change of tables. */
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
