import type { Catcher, Retrier, State } from '../asl/definition.ts';
import { HeartbeatFailure, type StateFailure } from '../asl/failure.ts';
import type { CurrentState } from './frame.ts';

/** The failure that nothing catches, not even by its name: it always ends the execution. */
const FATAL = 'States.Runtime';
/** The failure that only its own name catches, not `States.ALL`. */
const OWN_NAME = 'States.DataLimitExceeded';
/** Failures that `States.TaskFailed` does not stand for. */
const NOT_OF_TASKS = new Set(['States.Timeout', 'States.HeartbeatTimeout']);

const DEFAULT_ATTEMPTS = 3;
const DEFAULT_BACKOFF = 2;

/** Whether a rule's error names cover a failure. */
function covers(names: readonly string[], failure: StateFailure, ofTask: boolean): boolean {
  const { error = '' } = failure;
  if (error === FATAL) return false;
  if (names.includes(error)) return true;
  if (failure instanceof HeartbeatFailure && names.includes('States.HeartbeatTimeout')) return true;
  if (names.includes('States.ALL')) return error !== OWN_NAME;
  if (error === 'States.HeartbeatTimeout' && names.includes('States.Timeout')) return true;
  return ofTask && names.includes('States.TaskFailed') && error !== OWN_NAME && !NOT_OF_TASKS.has(error);
}

/** Place of the rule of Retry that covers a failure; -1 where none does. */
export const retrierIndex = (state: State, failure: StateFailure): number =>
  (state.Retry ?? []).findIndex(({ ErrorEquals }) => covers(ErrorEquals, failure, state.Type === 'Task'));

/**
 * Milliseconds until the next attempt; undefined where no rule of Retry covers the failure, or has attempts left.
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

/** The rule of Catch that covers a failure. */
export const catcherOf = (state: State, failure: StateFailure): Catcher | undefined =>
  state.Catch?.find(({ ErrorEquals }) => covers(ErrorEquals, failure, state.Type === 'Task'));
