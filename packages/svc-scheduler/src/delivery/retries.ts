import type { DeepReadonly } from '@emu/core';
import { AwsError } from '@emu/wire';
import type { DeliveryRecord, TargetRecord } from '../records.ts';

/** AWS tries for a day, at most so often, where the schedule does not say. */
export const DEFAULT_RETRIES = 185;
export const DEFAULT_AGE = 86_400;

/** Codes of errors that ask to come again later. */
const THROTTLED = /Throttl|TooManyRequests|RequestLimitExceeded|ProvisionedThroughputExceeded/i;

const FIRST_DELAY = 1000;
const LONGEST_DELAY = 600_000;

/** Seconds after which the event of a target is not tried again. */
export const maximumAgeOf = ({ RetryPolicy }: DeepReadonly<TargetRecord>): number =>
  RetryPolicy?.MaximumEventAgeInSeconds ?? DEFAULT_AGE;

/** Why an attempt failed. */
export interface Failure {
  code: string;
  message: string;
  /** Whether another attempt may work. */
  retryable: boolean;
}

/** Why no more attempts follow one that might have worked. */
export type Exhausted = 'MaximumRetryAttempts' | 'MaximumEventAgeInSeconds';

/**
 * What went wrong, with the code and the sentence of the target's service.
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

/** What went wrong with a part of a request, of which answers such as that of PutEvents tell. */
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
 * When a delivery is tried again: after twice the time of the attempt before, up to ten minutes.
 * @param delivery with the attempt that has just failed counted
 * @returns epoch milliseconds, or why it is not
 */
export function nextAttempt(
  { target, attempts, scheduledAt }: DeepReadonly<DeliveryRecord>,
  now: number,
): number | Exhausted {
  if (attempts > (target.RetryPolicy?.MaximumRetryAttempts ?? DEFAULT_RETRIES)) return 'MaximumRetryAttempts';
  const dueAt = now + Math.min(FIRST_DELAY * 2 ** (attempts - 1), LONGEST_DELAY);
  return dueAt > scheduledAt + maximumAgeOf(target) * 1000 ? 'MaximumEventAgeInSeconds' : dueAt;
}
