/**
 * What causes what: each running operation has an id (`requestId`), and the id of the request, timer or delivery that
 * caused it (`cause`). What is kept to be delivered later keeps the id of what caused it.
 */

/** Under it, an operation's output tells callers in the process of a cause; it is in no model, so never on the wire. */
const CAUSE = Symbol('cause');

interface Caused {
  [CAUSE]?: string;
}

/** Notes on a part of an output, such as a received message, what caused it to be there; for callers in the process. */
export function setCause(part: object, cause: string): void {
  (part as Caused)[CAUSE] = cause;
}

/** What caused a part of an output, where the operation noted it. */
export function causeOf(part: object): string | undefined {
  return (part as Caused)[CAUSE];
}
