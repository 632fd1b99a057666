import type { ResourcegroupstaggingapiErrorName } from '@emu/service-types/resourcegroupstaggingapi';
import { type AwsError, awsError, type ErrorsOf, type ValidationFailure, validationError } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const resourcegroupstaggingapiError: ErrorsOf<ResourcegroupstaggingapiErrorName> = awsError;

/** Creates the error for an invalid parameter. */
export const invalidParameter = (message: string): AwsError =>
  resourcegroupstaggingapiError('InvalidParameterException', message);

/** Creates the error for a constraint of organizations or tag policies. */
export const constraintViolation = (message: string): AwsError =>
  resourcegroupstaggingapiError('ConstraintViolationException', message);

/** Creates the error for violated constraints of the model, for which the service has no other one. */
export const modelError = (failures: readonly ValidationFailure[]): AwsError =>
  invalidParameter(validationError(failures).message);
