import { type AwsError, awsError, type ValidationFailure, validationError } from '@emu/wire';

/** Broken constraints of the model, in STS's spelling: `ValidationError`, with AWS's common sentences. */
export function modelError(failures: readonly ValidationFailure[]): AwsError {
  return awsError('ValidationError', validationError(failures).message);
}

/** A value that the model allows and STS does not. */
export function invalid(message: string): AwsError {
  return awsError('ValidationError', message);
}

/** A combination of parameters that does not go together. */
export function invalidParameter(message: string): AwsError {
  return awsError('InvalidParameterValue', message);
}

/** A refusal, answered with 403. */
export function accessDenied(message: string): AwsError {
  return awsError('AccessDenied', message, { status: 403 });
}

/** The refusal of an action on a resource, in IAM's sentence. */
export function notAuthorized(principalArn: string, action: string, resourceArn: string): AwsError {
  return accessDenied(`User: ${principalArn} is not authorized to perform: ${action} on resource: ${resourceArn}`);
}
