import type Docker from 'dockerode';

/** Milliseconds between measurements. */
const INTERVAL = 1000;

/** Monitors the memory usage of a container. */
export class MemoryWatch {
  private most = 0;
  private asked = Number.NEGATIVE_INFINITY;
  private closed = false;

  constructor(private readonly container: Docker.Container) {}

  /** Greatest measured usage in bytes; undefined before the first measurement. Reading it starts another one. */
  peak(): number | undefined {
    if (!this.closed && performance.now() - this.asked >= INTERVAL) {
      this.asked = performance.now();
      void this.look();
    }
    return this.most || undefined;
  }

  /** Stops the measurements. */
  close(): void {
    this.closed = true;
  }

  private async look(): Promise<void> {
    try {
      const { memory_stats: stats } = (await this.container.stats({ stream: false, 'one-shot': true })) as {
        memory_stats?: { usage?: number; max_usage?: number };
      };
      this.most = Math.max(this.most, stats?.max_usage ?? 0, stats?.usage ?? 0);
    } catch {
      // The container has ended; earlier measurements remain.
    }
  }
}
