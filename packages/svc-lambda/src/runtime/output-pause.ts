import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds without output after which a container has nothing more to say, and the most that are waited for. */
const QUIET = 30;
const LIMIT = 300;

/** What a container writes comes by way of the engine, later than its answers: tells when it has come. */
export class OutputPause {
  private last = 0;

  /** Notes that there was output. */
  heard(): void {
    this.last = performance.now();
  }

  /** Resolves when no output has come for a moment, or the wait is too long. */
  async quiet(): Promise<void> {
    const begun = performance.now();
    do await sleep(QUIET / 2);
    while (performance.now() - Math.max(begun, this.last) < QUIET && performance.now() - begun < LIMIT);
  }
}
