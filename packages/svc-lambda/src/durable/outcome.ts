import type { ErrorObject, ExecutionStatus } from '@emu/service-types/lambda';
import { AwsError, parseJson } from '@emu/wire';
import type { Version } from '../records.ts';
import type { DurableOperationRecord } from './records.ts';
import { eventError, eventResult } from './store.ts';

const DEFAULT_RETENTION_DAYS = 14;

/** Error of a function that is pending without pending operations. */
export const NOTHING_PENDING: ErrorObject = {
  ErrorType: 'InvalidParameterValueException',
  ErrorMessage: 'Cannot return PENDING status with no pending operations.',
};
/** Error of a function without a status in its response. */
export const INVALID_OUTPUT: ErrorObject = {
  ErrorType: 'InvalidParameterValueException',
  ErrorMessage: 'Invalid Status in invocation output.',
};

/** Returns the retention in days of an ended execution. */
export const retentionOf = (version: Version | undefined): number =>
  version?.config.durable?.RetentionPeriodInDays ?? DEFAULT_RETENTION_DAYS;

/** Whether an execution can wait for an operation. */
export const isPending = ({ type, status }: Pick<DurableOperationRecord, 'type' | 'status'>): boolean =>
  type === 'STEP'
    ? status === 'PENDING' || status === 'READY'
    : type !== 'EXECUTION' && type !== 'CONTEXT' && status === 'STARTED';

/** Response of a durable function. */
export interface Output {
  Status?: string;
  Result?: string;
  Error?: ErrorObject;
}

/** Parses a function's response; undefined unless it is an object. */
export function readOutput(answer: string): Output | undefined {
  try {
    const value: unknown = parseJson(answer);
    return typeof value === 'object' && value !== null ? (value as Output) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the error in a function's response. */
export function errorOf(answer: string, errorType: string): ErrorObject {
  const {
    errorType: type,
    errorMessage: message,
    trace,
    stackTrace,
  } = (readOutput(answer) ?? {}) as Record<string, unknown>;
  const lines = Array.isArray(trace) ? trace : Array.isArray(stackTrace) ? stackTrace : [];
  return {
    ErrorType: typeof type === 'string' ? type : errorType,
    ...(typeof message === 'string' && { ErrorMessage: message }),
    ...(lines.length && { StackTrace: lines.map(String) }),
  };
}

/** Returns the error that ended an invocation early. */
export const thrown = (error: unknown): ErrorObject => ({
  ErrorType: error instanceof AwsError ? error.code : 'ServiceException',
  ErrorMessage: error instanceof Error ? error.message : String(error),
});

/** Returns the final event of a history. */
export function endEvent(status: ExecutionStatus, result: string | undefined, error: ErrorObject | undefined) {
  switch (status) {
    case 'SUCCEEDED':
      return { EventType: 'ExecutionSucceeded' as const, ExecutionSucceededDetails: eventResult(result) };
    case 'TIMED_OUT':
      return { EventType: 'ExecutionTimedOut' as const, ExecutionTimedOutDetails: eventError(error) };
    case 'STOPPED':
      return { EventType: 'ExecutionStopped' as const, ExecutionStoppedDetails: eventError(error) };
    default:
      return { EventType: 'ExecutionFailed' as const, ExecutionFailedDetails: eventError(error) };
  }
}
