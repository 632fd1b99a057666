import type { Clock } from '@emu/core';

/** Why the work of a scope ends before it is done. */
export class Ended extends Error {
  override readonly name = 'Ended';
}

/** What a part of an execution waits within: when it ends, all that is waited for in it ends. */
export class Scope {
  private reason: Error | undefined;
  private readonly listeners = new Set<(reason: Error) => void>();

  constructor(
    private readonly clock: Clock,
    parent?: Scope,
  ) {
    if (parent?.reason) this.reason = parent.reason;
    else parent?.listeners.add((reason) => this.end(reason));
  }

  get ended(): boolean {
    return this.reason !== undefined;
  }

  /** Ends the scope and those within it; only the first call matters. */
  end(reason: Error = new Ended()): void {
    if (this.reason) return;
    this.reason = reason;
    for (const listener of this.listeners) listener(reason);
    this.listeners.clear();
  }

  /** @throws Error why the scope has ended */
  check(): void {
    if (this.reason) throw this.reason;
  }

  /**
   * Waits for something, at most until the scope ends.
   * @param begin is given what to answer with, and returns how to stop waiting
   */
  wait<T>(begin: (resolve: (value: T) => void, reject: (error: unknown) => void) => () => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.reason) return reject(this.reason);
      let stop: () => void = () => undefined;
      const done = (): void => {
        this.listeners.delete(onEnd);
        stop();
      };
      const onEnd = (reason: Error): void => {
        done();
        reject(reason);
      };
      this.listeners.add(onEnd);
      stop = begin(
        (value) => {
          done();
          resolve(value);
        },
        (error) => {
          done();
          reject(error);
        },
      );
    });
  }

  /** Waits for a point in time of the clock, epoch milliseconds. */
  until(time: number): Promise<void> {
    return this.wait((resolve) => {
      const timer = this.clock.at(time, () => resolve());
      return () => timer.cancel();
    });
  }

  /** Waits for a promise. */
  settled<T>(promise: Promise<T>): Promise<T> {
    return this.wait((resolve, reject) => {
      promise.then(resolve, reject);
      return () => undefined;
    });
  }
}
