/**
 * Causes of operations: each running operation has an id (`requestId`), and the id of the request, timer or delivery
 * that caused it (`cause`). Queued records store the id of their cause.
 */

/** Key of the cause in an operation's output, for callers in the process. No model contains it, so it is never sent. */
const CAUSE = Symbol('cause');

interface Caused {
  [CAUSE]?: string;
}

/** Attaches the cause to a part of an output, such as a received message, for callers in the process. */
export function setCause(part: object, cause: string): void {
  (part as Caused)[CAUSE] = cause;
}

/** Returns the cause of a part of an output, if the operation attached it. */
export function causeOf(part: object): string | undefined {
  return (part as Caused)[CAUSE];
}
