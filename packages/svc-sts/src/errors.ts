import type { StsErrorName } from '@emu/service-types/sts';
import { type AwsError, awsError, type ErrorsOf, type ValidationFailure, validationError } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const stsError: ErrorsOf<
  StsErrorName | 'AccessDenied' | 'InvalidParameterValue' | 'MissingAuthenticationToken' | 'ValidationError'
> = awsError;

/** Creates `ValidationError` for violated constraints of the model, with AWS's common messages. */
export const modelError = (failures: readonly ValidationFailure[]): AwsError =>
  stsError('ValidationError', validationError(failures).message);

/** Creates the error for a value that the model allows and STS rejects. */
export const invalid = (message: string): AwsError => stsError('ValidationError', message);

/** Creates the error for an invalid combination of parameters. */
export const invalidParameterValue = (message: string): AwsError => stsError('InvalidParameterValue', message);

/** Creates an access error with status 403. */
export const accessDenied = (message: string): AwsError => stsError('AccessDenied', message, { status: 403 });

/** Creates the error for a denied action on a resource, with IAM's message. */
export const notAuthorized = (principalArn: string, action: string, resourceArn: string): AwsError =>
  accessDenied(`User: ${principalArn} is not authorized to perform: ${action} on resource: ${resourceArn}`);
