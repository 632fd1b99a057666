import { type Frame, forgetAttempt } from './frame.ts';

/**
 * Where a redriven execution begins: at the states that failed, as if they had not been tried, with what had succeeded
 * before. Of a Parallel or Map state that is what did not succeed of its branches, iterations or executions.
 * @param frame where the execution failed; it is changed
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/redrive-executions.html
 */
export function redriven(frame: Frame): Frame {
  const { current } = frame;
  if (!current) return frame;
  current.attempts = {};
  current.retries = 0;
  delete current.until;
  forgetAttempt(current);
  if (current.mapRun) current.mapRun.redriven = true;
  for (const child of current.children ?? []) if (!child.done) redriven(child);
  return frame;
}
