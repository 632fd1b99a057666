/** Milliseconds of work at a time, so that health checks and small requests do not wait longer. */
const SLICE = 2;

/**
 * Cuts long work into slices, so that requests and timers run in between. The data may have changed after each pause.
 *
 * @example const slices = new Slices(); for (const item of items) { work(item); const pause = slices.pause(); if
 * (pause) await pause; }
 */
export class Slices {
  private end = performance.now() + SLICE;

  /** @returns undefined while the slice has time left, so that short work never waits */
  pause(): Promise<void> | undefined {
    return performance.now() < this.end ? undefined : this.next();
  }

  /**
   * Runs every step of long work, in slices.
   * @returns the result of the work
   */
  async run<Result>(steps: Iterable<unknown, Result>): Promise<Result> {
    const iterator = steps[Symbol.iterator]();
    for (;;) {
      const step = iterator.next();
      if (step.done) return step.value;
      const pause = this.pause();
      if (pause) await pause;
    }
  }

  private async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.end = performance.now() + SLICE;
  }
}
