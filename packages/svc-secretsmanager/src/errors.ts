import type { SecretsmanagerErrorName } from '@emu/service-types/secretsmanager';
import { type AwsError, awsError } from '@emu/wire';

/** Creates an error defined in the service's model. */
export const secretsError = (code: SecretsmanagerErrorName, message: string): AwsError => awsError(code, message);

/** `InvalidParameterException`. */
export const invalidParameter = (message: string): AwsError => secretsError('InvalidParameterException', message);
/** `InvalidRequestException`. */
export const invalidRequest = (message: string): AwsError => secretsError('InvalidRequestException', message);
/** `LimitExceededException`. */
export const limitExceeded = (message: string): AwsError => secretsError('LimitExceededException', message);

/** Creates the error for an unknown secret. */
export const secretNotFound = (): AwsError =>
  secretsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");

/** Creates the error for a missing value. @param what e.g. `staging label: AWSCURRENT` */
export const valueNotFound = (what: string): AwsError =>
  secretsError('ResourceNotFoundException', `Secrets Manager can't find the specified secret value for ${what}`);

/** Creates the error for an operation on a secret that is scheduled for deletion. */
export const markedForDeletion = (): AwsError =>
  invalidRequest("You can't perform this operation on the secret because it was marked for deletion.");
