import type { SecretsmanagerErrorName } from '@emu/service-types/secretsmanager';
import { type AwsError, awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const secretsmanagerError: ErrorsOf<
  SecretsmanagerErrorName | 'AccessDeniedException' | 'ThrottlingException' | 'ValidationException'
> = awsError;

/** `InvalidParameterException`. */
export const invalidParameter = (message: string): AwsError =>
  secretsmanagerError('InvalidParameterException', message);
/** `InvalidRequestException`. */
export const invalidRequest = (message: string): AwsError => secretsmanagerError('InvalidRequestException', message);
/** `LimitExceededException`. */
export const limitExceeded = (message: string): AwsError => secretsmanagerError('LimitExceededException', message);

/** Creates the error for an unknown secret. */
export const secretNotFound = (): AwsError =>
  secretsmanagerError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");

/** Creates the error for a missing value. @param what e.g. `staging label: AWSCURRENT` */
export const valueNotFound = (what: string): AwsError =>
  secretsmanagerError('ResourceNotFoundException', `Secrets Manager can't find the specified secret value for ${what}`);

/** Creates the error for an operation on a secret that is scheduled for deletion. */
export const markedForDeletion = (): AwsError =>
  invalidRequest("You can't perform this operation on the secret because it was marked for deletion.");
