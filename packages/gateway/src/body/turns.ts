/**
 * Serialises large pieces of work in order, so that only one of them uses memory. The event loop runs between two
 * pieces, so that small work proceeds.
 */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  /**
   * Resolves when all earlier pieces of work have ended. @returns a function that ends this one; further calls have no
   * effect
   */
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
