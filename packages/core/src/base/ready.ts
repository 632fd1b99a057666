/**
 * Goes on with a value: at once where it is there, else when its promise resolves. On hot paths a promise that nobody has to
 * wait for would cost turns of their queue.
 * @returns what `next` returns, or a promise of it
 */
export function whenReady<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
