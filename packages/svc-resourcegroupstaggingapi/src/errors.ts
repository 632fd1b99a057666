import { type AwsError, awsError, type ValidationFailure, validationError } from '@emu/wire';

/** Creates the error for an invalid parameter. */
export const invalidParameter = (message: string): AwsError => awsError('InvalidParameterException', message);

/** Creates the error for a constraint of organizations or tag policies. */
export const constraintViolation = (message: string): AwsError => awsError('ConstraintViolationException', message);

/** Creates the error for violated constraints of the model, for which the service has no other one. */
export const modelError = (failures: readonly ValidationFailure[]): AwsError =>
  invalidParameter(validationError(failures).message);
