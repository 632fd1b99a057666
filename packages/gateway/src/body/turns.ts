/**
 * Does large pieces of work one at a time, in the order in which they come, so that they need memory for one of them only.
 * The event loop goes round between two, so that what is small passes.
 */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  /** Resolves when the pieces of work before have ended. @returns what ends this one; harmless when called again */
  enter(): Promise<() => void> {
    let end!: () => void;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const entered = this.last.then(() => end);
    this.last = entered.then(() => ended).then(nextRound);
    return entered;
  }
}

const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
