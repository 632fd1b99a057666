import type { SecretsmanagerErrorName } from '@emu/service-types/secretsmanager';
import { type AwsError, awsError } from '@emu/wire';

/** An error that the service's model names. */
export const secretsError = (code: SecretsmanagerErrorName, message: string): AwsError => awsError(code, message);

/** `InvalidParameterException`. */
export const invalidParameter = (message: string): AwsError => secretsError('InvalidParameterException', message);
/** `InvalidRequestException`. */
export const invalidRequest = (message: string): AwsError => secretsError('InvalidRequestException', message);
/** `LimitExceededException`. */
export const limitExceeded = (message: string): AwsError => secretsError('LimitExceededException', message);

/** A secret that is not there. */
export const secretNotFound = (): AwsError =>
  secretsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");

/** A value that is not there. @param what e.g. `staging label: AWSCURRENT` */
export const valueNotFound = (what: string): AwsError =>
  secretsError('ResourceNotFoundException', `Secrets Manager can't find the specified secret value for ${what}`);

/** An operation on a secret that waits for its deletion. */
export const markedForDeletion = (): AwsError =>
  invalidRequest("You can't perform this operation on the secret because it was marked for deletion.");
