import { AwsError, awsError } from '@emu/wire';

/** A request that its rules do not allow. */
export const invalidRequest = (message: string): AwsError => awsError('ValidationException', message);

/** A parameter that is not there; AWS says no more. */
export const parameterNotFound = (): AwsError => awsError('ParameterNotFound', '');

/** A version, or a label of one, that a parameter does not have. */
export const versionNotFound = (version: number | string, name: string): AwsError =>
  awsError(
    'ParameterVersionNotFound',
    `Systems Manager could not find version ${version} of ${name}. Verify the version and try again.`,
  );

/** What went wrong in a call, with its code where there is one. */
export const whatWentWrong = (error: unknown): string =>
  error instanceof AwsError ? `${error.code}: ${error.message}` : (error as Error).message;
