/**
 * Does large pieces of work one at a time, in the order in which they come, so that they need memory for one of them only.
 * The event loop goes round between two, so that what is small passes.
 */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  /** Does a piece of work when the ones before it are done. @returns what it returns, or fails as it does */
  take<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.last.then(work);
    this.last = done.then(nextRound, nextRound);
    return done;
  }
}

const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
