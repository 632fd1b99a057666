import type { Frame } from './frame.ts';

/**
 * Where a redriven execution begins: at the state that failed, as if it had not been tried, with what had succeeded before.
 * @param frame where the execution failed; it is changed
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/redrive-executions.html
 */
export function redriven(frame: Frame): Frame {
  const { current } = frame;
  if (!current) return frame;
  current.attempts = {};
  current.retries = 0;
  delete current.until;
  delete current.token;
  delete current.worker;
  delete current.nested;
  delete current.scheduledAt;
  for (const child of current.children ?? []) if (!child.done) redriven(child);
  return frame;
}
