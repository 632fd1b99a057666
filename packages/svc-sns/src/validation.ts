import { type AwsError, validationError as commonError, type ValidationFailure } from '@emu/wire';

/** Creates the error for violated constraints of the model, with the code of SNS and the common wording of AWS. */
export function validationError(failures: readonly ValidationFailure[]): AwsError {
  return commonError(failures, 'ValidationError');
}
