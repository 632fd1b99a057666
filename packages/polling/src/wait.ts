import type { Clock } from '@emu/core/service';

/** Delays that end with their reader. */
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
    return this.until((end) => {
      const timer = this.clock.after(milliseconds, end);
      return () => timer.cancel();
    });
  }

  /**
   * Waits in machine time between reads of a source without new records. Reading continues while the emulated clock
   * stands still, as with queues, which wake their receivers.
   */
  idle(milliseconds: number): Promise<void> {
    return this.until((end) => {
      const timer = setTimeout(end, milliseconds);
      timer.unref();
      return () => clearTimeout(timer);
    });
  }

  /** Waits for a timer or the end of the reader. Removes its listener from the signal afterwards. */
  private until(start: (end: () => void) => () => void): Promise<void> {
    if (this.closed) return Promise.resolve();
    return new Promise((resolve) => {
      const { signal } = this;
      const end = (): void => {
        cancel();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const cancel = start(end);
      signal.addEventListener('abort', end, { once: true });
    });
  }
}
