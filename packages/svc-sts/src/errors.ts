import { type AwsError, awsError, type ValidationFailure, validationError } from '@emu/wire';

/** Creates `ValidationError` for violated constraints of the model, with AWS's common messages. */
export function modelError(failures: readonly ValidationFailure[]): AwsError {
  return awsError('ValidationError', validationError(failures).message);
}

/** Creates the error for a value that the model allows and STS rejects. */
export function invalid(message: string): AwsError {
  return awsError('ValidationError', message);
}

/** Creates the error for an invalid combination of parameters. */
export function invalidParameter(message: string): AwsError {
  return awsError('InvalidParameterValue', message);
}

/** Creates an access error with status 403. */
export function accessDenied(message: string): AwsError {
  return awsError('AccessDenied', message, { status: 403 });
}

/** Creates the error for a denied action on a resource, with IAM's message. */
export function notAuthorized(principalArn: string, action: string, resourceArn: string): AwsError {
  return accessDenied(`User: ${principalArn} is not authorized to perform: ${action} on resource: ${resourceArn}`);
}
