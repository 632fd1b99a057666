import type { Clock } from '@emu/core/service';

/** Why the work of a scope ends before it is done. */
export class Ended extends Error {
  override readonly name = 'Ended';
}

/** Something that a scope waits for. One of them is small, as very many executions may wait. */
class Wait<T> {
  /** How to stop waiting. */
  stop: (() => void) | undefined;

  constructor(
    private readonly scope: Scope,
    private readonly resolve: (value: T) => void,
    private readonly reject: (error: unknown) => void,
  ) {
    scope.waits.add(this);
  }

  succeed(value: T): void {
    this.done();
    this.resolve(value);
  }

  fail(error: unknown): void {
    this.done();
    this.reject(error);
  }

  private done(): void {
    this.scope.waits.delete(this);
    this.stop?.();
  }
}

/** What a part of an execution waits within: when it ends, all that is waited for in it ends. */
export class Scope {
  private reason: Error | undefined;
  /** What is waited for in it, and the scopes within it. */
  readonly waits = new Set<{ fail(reason: Error): void }>();

  constructor(
    private readonly clock: Clock,
    parent?: Scope,
  ) {
    if (parent?.reason) this.reason = parent.reason;
    else parent?.waits.add({ fail: (reason) => this.end(reason) });
  }

  get ended(): boolean {
    return this.reason !== undefined;
  }

  /** Ends the scope and those within it; only the first call matters. */
  end(reason: Error = new Ended()): void {
    if (this.reason) return;
    this.reason = reason;
    for (const wait of this.waits) wait.fail(reason);
    this.waits.clear();
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
    return this.waitFor<T>((wait) =>
      begin(
        (value) => wait.succeed(value),
        (error) => wait.fail(error),
      ),
    );
  }

  /** Waits for a point in time of the clock, epoch milliseconds. */
  until(time: number): Promise<void> {
    return this.waitFor<void>((wait) => {
      const timer = this.clock.at(time, () => wait.succeed());
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

  private waitFor<T>(begin: (wait: Wait<T>) => () => void): Promise<T> {
    if (this.reason) return Promise.reject(this.reason);
    return new Promise<T>((resolve, reject) => {
      const wait = new Wait<T>(this, resolve, reject);
      wait.stop = begin(wait);
    });
  }
}
