import type { SchedulerErrorName } from '@emu/service-types/scheduler';
import { type AwsError, awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const schedulerError: ErrorsOf<SchedulerErrorName> = awsError;

/** `ValidationException`. */
export const invalid = (message: string): AwsError => schedulerError('ValidationException', message);
/** `ConflictException`. */
export const conflict = (message: string): AwsError => schedulerError('ConflictException', message);
/** `ServiceQuotaExceededException`. */
export const quotaExceeded = (message: string): AwsError => schedulerError('ServiceQuotaExceededException', message);
/** Creates a `ResourceNotFoundException` for a schedule. */
export const scheduleNotFound = (name: string): AwsError =>
  schedulerError('ResourceNotFoundException', `Schedule ${name} does not exist.`);
/** Creates a `ResourceNotFoundException` for a schedule group. */
export const groupNotFound = (name: string): AwsError =>
  schedulerError('ResourceNotFoundException', `Schedule group ${name} does not exist.`);
