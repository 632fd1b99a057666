import type Docker from 'dockerode';

/** Milliseconds between looks. */
const INTERVAL = 1000;

/** Follows how much memory a container has in use. */
export class MemoryWatch {
  private most = 0;
  private asked = Number.NEGATIVE_INFINITY;
  private closed = false;

  constructor(private readonly container: Docker.Container) {}

  /** The most bytes seen so far; undefined before the first answer. Asking looks again, for the next time. */
  peak(): number | undefined {
    if (!this.closed && performance.now() - this.asked >= INTERVAL) {
      this.asked = performance.now();
      void this.look();
    }
    return this.most || undefined;
  }

  /** Looks no more. */
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
      // It has ended meanwhile: what was seen before stands.
    }
  }
}
