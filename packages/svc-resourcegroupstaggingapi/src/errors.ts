import { type AwsError, awsError, type ValidationFailure, validationError } from '@emu/wire';

/** A parameter is refused. */
export const invalidParameter = (message: string): AwsError => awsError('InvalidParameterException', message);

/** A rule of organizations and tag policies stands against the operation. */
export const constraintViolation = (message: string): AwsError => awsError('ConstraintViolationException', message);

/** Broken constraints of the model, which the service has no other error for. */
export const modelError = (failures: readonly ValidationFailure[]): AwsError =>
  invalidParameter(validationError(failures).message);
