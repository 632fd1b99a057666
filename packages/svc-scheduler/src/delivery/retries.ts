import type { DeepReadonly } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import type { DeliveryRecord, TargetRecord } from '../records.ts';

/** Retry policy of AWS for a schedule without one: 24 hours and 185 retries. */
export const DEFAULT_RETRIES = 185;
export const DEFAULT_AGE = 86_400;

/** Error codes after which a later attempt may succeed. */
const THROTTLED = /Throttl|TooManyRequests|RequestLimitExceeded|ProvisionedThroughputExceeded/i;

const FIRST_DELAY = 1000;
const LONGEST_DELAY = 600_000;

/** Returns the number of seconds after which the event of a target is no longer retried. */
export const maximumAgeOf = ({ RetryPolicy }: DeepReadonly<TargetRecord>): number =>
  RetryPolicy?.MaximumEventAgeInSeconds ?? DEFAULT_AGE;

/** Reason why an attempt failed. */
export interface Failure {
  code: string;
  message: string;
  /** Whether a retry may succeed. */
  retryable: boolean;
}

/** Reason why a failure that could be retried is not retried. */
export type Exhausted = 'MaximumRetryAttempts' | 'MaximumEventAgeInSeconds';

/**
 * Describes a failure with the code and message of the target's service.
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/configuring-schedule-dlq.html
 */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof AwsError))
    return {
      code: 'AWS.Scheduler.InternalServerError',
      message: 'Unexpected error occurred while processing the request',
      retryable: true,
    };
  const { code, message, status = 400 } = error;
  return { code, message, retryable: THROTTLED.test(code) || (status >= 500 && code !== 'NotImplemented') };
}

/** Describes the failure of an entry of a batch request such as PutEvents. */
export function failureOfEntries(answer: unknown): Failure | undefined {
  const { FailedEntryCount, Entries } = (answer ?? {}) as {
    FailedEntryCount?: number;
    Entries?: { ErrorCode?: string; ErrorMessage?: string }[];
  };
  const failed = FailedEntryCount ? Entries?.find(({ ErrorCode }) => ErrorCode !== undefined) : undefined;
  if (failed?.ErrorCode === undefined) return undefined;
  const { ErrorCode: code, ErrorMessage: message = '' } = failed;
  return { code, message, retryable: THROTTLED.test(code) || code.startsWith('Internal') };
}

/**
 * Returns the time of the next attempt. The delay doubles after each attempt, up to ten minutes.
 * @param delivery including the attempt that has just failed
 * @returns epoch milliseconds, or the reason why there is no further attempt
 */
export function nextAttempt(
  { target, attempts, scheduledAt }: DeepReadonly<DeliveryRecord>,
  now: number,
): number | Exhausted {
  if (attempts > (target.RetryPolicy?.MaximumRetryAttempts ?? DEFAULT_RETRIES)) return 'MaximumRetryAttempts';
  const dueAt = now + Math.min(FIRST_DELAY * 2 ** (attempts - 1), LONGEST_DELAY);
  return dueAt > scheduledAt + maximumAgeOf(target) * 1000 ? 'MaximumEventAgeInSeconds' : dueAt;
}
