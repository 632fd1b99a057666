import type { Clock } from '@emu/core/service';

/** End of a scope before its work is done. */
export class Ended extends Error {
  override readonly name = 'Ended';
}

/** A wait within a scope. Instances are small, since very many executions may wait. */
class Wait<T> {
  /** Cancels the wait. */
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

/** Scope of a part of an execution: its end ends all waits within it. */
export class Scope {
  private reason: Error | undefined;
  /** Waits in it, and nested scopes. */
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

  /** Ends the scope and nested ones; only the first call has an effect. */
  end(reason: Error = new Ended()): void {
    if (this.reason) return;
    this.reason = reason;
    for (const wait of this.waits) wait.fail(reason);
    this.waits.clear();
  }

  /**
   * Checks that the scope has not ended.
   * @throws Error reason of its end
   */
  check(): void {
    if (this.reason) throw this.reason;
  }

  /**
   * Waits for a result or the end of the scope.
   * @param begin receives the callbacks and returns a function that cancels the wait
   */
  wait<T>(begin: (resolve: (value: T) => void, reject: (error: unknown) => void) => () => void): Promise<T> {
    return this.waitFor<T>((wait) =>
      begin(
        (value) => wait.succeed(value),
        (error) => wait.fail(error),
      ),
    );
  }

  /** Waits until a clock time in epoch milliseconds. */
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
