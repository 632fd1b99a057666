import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds without output after which a container's output counts as complete, and the maximum wait. */
const QUIET = 30;
const LIMIT = 300;

/** Container output passes through the engine and may arrive after responses: waits until it has arrived. */
export class OutputPause {
  private last = 0;

  /** Records output. */
  received(): void {
    this.last = performance.now();
  }

  /** Resolves after a pause in the output, or after the maximum wait. */
  async quiet(): Promise<void> {
    const begun = performance.now();
    do await sleep(QUIET / 2);
    while (performance.now() - Math.max(begun, this.last) < QUIET && performance.now() - begun < LIMIT);
  }
}
