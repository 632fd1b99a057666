import type { Catcher, Retrier, State } from '../asl/definition.ts';
import { HeartbeatFailure, type StateFailure } from '../asl/failure.ts';
import type { CurrentState } from './frame.ts';

/** Failure that no catcher matches, even by name; it always ends the execution. */
const FATAL = 'States.Runtime';
/** Failure matched by its own name only, not by `States.ALL`. */
const OWN_NAME = 'States.DataLimitExceeded';
/** Failures that `States.TaskFailed` does not match. */
const NOT_OF_TASKS = new Set(['States.Timeout', 'States.HeartbeatTimeout']);

const DEFAULT_ATTEMPTS = 3;
const DEFAULT_BACKOFF = 2;

/** Whether a rule's error names match a failure. */
function covers(names: readonly string[], failure: StateFailure, ofTask: boolean): boolean {
  const { error = '' } = failure;
  if (error === FATAL) return false;
  if (names.includes(error)) return true;
  if (failure instanceof HeartbeatFailure && names.includes('States.HeartbeatTimeout')) return true;
  if (names.includes('States.ALL')) return error !== OWN_NAME;
  if (error === 'States.HeartbeatTimeout' && names.includes('States.Timeout')) return true;
  return ofTask && names.includes('States.TaskFailed') && error !== OWN_NAME && !NOT_OF_TASKS.has(error);
}

/** Returns the index of the retrier that matches a failure; -1 if there is none. */
export const retrierIndex = (state: State, failure: StateFailure): number =>
  (state.Retry ?? []).findIndex(({ ErrorEquals }) => covers(ErrorEquals, failure, state.Type === 'Task'));

/**
 * Returns the milliseconds until the next attempt; undefined if no retrier matches or its attempts are exhausted.
 * @param random from 0 to 1, for jitter
 */
export function retryDelay(
  state: State,
  current: CurrentState,
  failure: StateFailure,
  random: () => number,
): number | undefined {
  const index = retrierIndex(state, failure);
  if (index < 0) return undefined;
  const rule = state.Retry![index]! as Retrier;
  const made = current.attempts[index] ?? 0;
  if (made >= (rule.MaxAttempts ?? DEFAULT_ATTEMPTS)) return undefined;
  current.attempts[index] = made + 1;
  const delay = (rule.IntervalSeconds ?? 1) * (rule.BackoffRate ?? DEFAULT_BACKOFF) ** made;
  const limited = Math.min(delay, rule.MaxDelaySeconds ?? Number.POSITIVE_INFINITY) * 1000;
  return rule.JitterStrategy === 'FULL' ? limited * random() : limited;
}

/** Returns the catcher that matches a failure. */
export const catcherOf = (state: State, failure: StateFailure): Catcher | undefined =>
  state.Catch?.find(({ ErrorEquals }) => covers(ErrorEquals, failure, state.Type === 'Task'));
