import { type AwsError, validationError as commonError, type ValidationFailure } from '@emu/wire';

/** Cognito's code for broken constraints of its model; the wording is AWS's common one. */
export function validationError(failures: readonly ValidationFailure[]): AwsError {
  return commonError(failures, 'InvalidParameterException');
}
