import type { Clock, Worker } from '@emu/core/service';

/** Delays of work in progress. They end early with the state. */
export class Pauses implements Worker {
  private readonly ends = new Set<() => void>();
  private over = false;

  constructor(private readonly clock: Clock) {}

  /** Whether the state has ended; work in progress then has no effect. */
  get closed(): boolean {
    return this.over;
  }

  /** Waits on the clock. @param delay milliseconds @returns whether the state still exists */
  async pause(delay: number): Promise<boolean> {
    if (this.over) return false;
    await new Promise<void>((resolve) => {
      this.ends.add(resolve);
      this.clock.after(delay, () => {
        this.ends.delete(resolve);
        resolve();
      });
    });
    return !this.over;
  }

  close(): void {
    this.over = true;
    for (const end of this.ends) end();
    this.ends.clear();
  }
}
