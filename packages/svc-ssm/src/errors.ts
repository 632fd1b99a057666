import type { SsmErrorName } from '@emu/service-types/ssm';
import { AwsError, awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const ssmError: ErrorsOf<SsmErrorName | 'NotStabilized'> = awsError;

/** Error for an invalid request. */
export const invalid = (message: string): AwsError => ssmError('ValidationException', message);

/** Error for an unknown parameter; AWS sends an empty message. */
export const parameterNotFound = (): AwsError => ssmError('ParameterNotFound', '');

/** Error for an unknown version or label of a parameter. */
export const versionNotFound = (version: number | string, name: string): AwsError =>
  ssmError(
    'ParameterVersionNotFound',
    `Systems Manager could not find version ${version} of ${name}. Verify the version and try again.`,
  );

/** Error for ids of unmanaged nodes. */
export const notManaged = (ids: readonly string[], accountId: string): AwsError =>
  ssmError('InvalidInstanceId', `Instances [[${ids.join(', ')}]] not in a valid state for account ${accountId}`);

/** Returns the message of an error, with its code if it has one. */
export const errorText = (error: unknown): string =>
  error instanceof AwsError ? `${error.code}: ${error.message}` : (error as Error).message;
