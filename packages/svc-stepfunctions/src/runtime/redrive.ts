import { type Frame, resetAttempt } from './frame.ts';

/**
 * Resets a frame for a redrive: failed states restart, successful results are kept. For Parallel and Map states this
 * applies to branches, iterations and executions.
 * @param frame position of the failure; it is changed
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/redrive-executions.html
 */
export function redriven(frame: Frame): Frame {
  const { current } = frame;
  if (!current) return frame;
  current.attempts = {};
  current.retries = 0;
  delete current.until;
  resetAttempt(current);
  if (current.mapRun) current.mapRun.redriven = true;
  for (const child of current.children ?? []) if (!child.done) redriven(child);
  return frame;
}
