import type { Clock } from '@emu/core/service';

/**
 * Waits for a result or until a signal is aborted.
 * @param begin receives the callback for the result and returns a function that cancels the wait
 * @throws the reason of the signal
 */
export function waitFor<T>(
  signal: AbortSignal,
  begin: (resolve: (value: T) => void, reject: (error: unknown) => void) => () => void,
): Promise<T> {
  const { promise, resolve, reject } = deferred<T>();
  if (signal.aborted) {
    reject(signal.reason);
    return promise;
  }
  const stop = begin(resolve, reject);
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  return promise.finally(() => {
    signal.removeEventListener('abort', onAbort);
    stop();
  });
}

function deferred<T>(): { promise: Promise<T>; resolve(value: T): void; reject(error: unknown): void } {
  let settle: { resolve(value: T): void; reject(error: unknown): void } | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...settle! };
}

/** Waits until a time in epoch milliseconds. */
export const until = (clock: Clock, time: number, signal: AbortSignal): Promise<void> =>
  waitFor<void>(signal, (resolve) => {
    const timer = clock.at(time, () => resolve());
    return () => timer.cancel();
  });

/** Waits for a promise. */
export const settled = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  waitFor<T>(signal, (resolve, reject) => {
    promise.then(resolve, reject);
    return () => undefined;
  });
