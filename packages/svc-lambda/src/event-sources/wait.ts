import type { Clock } from '@emu/core';

/** Waiting that ends with the mapping. */
export class Wait {
  private readonly closing = new AbortController();

  constructor(private readonly clock: Clock) {}

  get closed(): boolean {
    return this.closing.signal.aborted;
  }

  get signal(): AbortSignal {
    return this.closing.signal;
  }

  close(): void {
    this.closing.abort();
  }

  /** Waits in emulated time. */
  pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.clock.after(milliseconds, resolve);
      this.onClose(() => {
        timer.cancel();
        resolve();
      });
    });
  }

  /**
   * Waits on the machine's time, between looks at a source that has nothing new: a function is to be invoked although
   * the clock stands still, as with queues, which wake who waits.
   */
  idle(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      timer.unref();
      this.onClose(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  private onClose(end: () => void): void {
    if (this.closed) end();
    else this.closing.signal.addEventListener('abort', end, { once: true });
  }
}
