/**
 * Calls `next` with a value: at once if it is present, else when its promise resolves. On hot paths a needless promise
 * costs turns of the microtask queue.
 * @returns the result of `next`, or a promise of it
 */
export function whenReady<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
