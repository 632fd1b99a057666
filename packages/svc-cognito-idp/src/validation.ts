import { type AwsError, validationError as commonError, type ValidationFailure } from '@emu/wire';

/** Returns Cognito's error for violated model constraints, with AWS's common message. */
export function validationError(failures: readonly ValidationFailure[]): AwsError {
  return commonError(failures, 'InvalidParameterException');
}
