import type { LogsErrorName } from '@emu/service-types/logs';
import { type AwsError, awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const logsError: ErrorsOf<LogsErrorName | 'InternalError' | 'NotImplemented'> = awsError;

/** `InvalidParameterException`. */
export const invalidParameter = (message: string): AwsError => logsError('InvalidParameterException', message);
/** `ValidationException`. */
export const invalid = (message: string): AwsError => logsError('ValidationException', message);
/** `InvalidOperationException`. */
export const invalidOperation = (message: string): AwsError => logsError('InvalidOperationException', message);
/** `ResourceNotFoundException`. */
export const notFound = (message: string): AwsError => logsError('ResourceNotFoundException', message);
/** Creates a `ResourceAlreadyExistsException`. */
export const alreadyExists = (message: string): AwsError => logsError('ResourceAlreadyExistsException', message);
/** `ConflictException`. */
export const conflict = (message: string): AwsError => logsError('ConflictException', message);
/** `AccessDeniedException`. */
export const accessDenied = (message: string): AwsError => logsError('AccessDeniedException', message);
/** `LimitExceededException`. */
export const limitExceeded = (): AwsError => logsError('LimitExceededException', 'Resource limit exceeded.');

/** Creates the error for a missing log group. */
export const groupNotFound = (): AwsError => notFound('The specified log group does not exist.');
/** Creates the error for a missing log stream. */
export const streamNotFound = (): AwsError => notFound('The specified log stream does not exist.');
