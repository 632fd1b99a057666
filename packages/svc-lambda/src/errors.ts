import type { LambdaErrorName } from '@emu/service-types/lambda';
import { type AwsError, awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const plainError: ErrorsOf<
  | LambdaErrorName
  | 'AccessDeniedException'
  | 'AlreadyExists'
  | 'NotStabilized'
  | 'RequestEntityTooLargeException'
  | 'ValidationException'
> = awsError;

/** Returns an error declared in Lambda's model, with AWS's `Type` member: who caused it. */
export const lambdaError = (code: LambdaErrorName, message: string, type: 'User' | 'Service' = 'User'): AwsError =>
  plainError(code, message, { members: { Type: type } });

/** Creates a `ValidationException`, which the model does not declare. */
export const validationException = (message: string): AwsError =>
  plainError('ValidationException', `1 validation error detected: ${message}`, { status: 400 });

/** Creates an `AccessDeniedException`, which the model does not declare. */
export const accessDenied = (message: string): AwsError =>
  plainError('AccessDeniedException', message, { status: 403 });

/** Creates an `InvalidParameterValueException`. */
export const invalidParameterValue = (message: string): AwsError =>
  lambdaError('InvalidParameterValueException', message);
/** `ResourceNotFoundException`. */
export const notFound = (message: string): AwsError => lambdaError('ResourceNotFoundException', message);
/** `ResourceConflictException`. */
export const conflict = (message: string): AwsError => lambdaError('ResourceConflictException', message);
/** Returns AWS's error for a missing function, version or alias. */
export const functionNotFound = (arn: string): AwsError => notFound(`Function not found: ${arn}`);

/** Rejects a change with an outdated revision id. */
export function checkRevision(expected: string | undefined, current: string, api: string): void {
  if (expected !== undefined && expected !== current)
    throw lambdaError(
      'PreconditionFailedException',
      `The Revision Id provided does not match the latest Revision Id. Call the ${api} API to retrieve the latest Revision Id`,
    );
}

/** Returns AWS's error for an invocation of a version whose snapshot is not available yet. */
export const snapStartNotReady = (): AwsError =>
  lambdaError(
    'SnapStartNotReadyException',
    'Lambda is initializing your function. It will be ready to invoke once your function state becomes ACTIVE.',
  );
