import type { ResourcegroupsErrorName } from '@emu/service-types/resourcegroups';
import { type AwsError, awsError, type ErrorsOf, type ValidationFailure, validationError } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const resourcegroupsError: ErrorsOf<ResourcegroupsErrorName | 'GeneralServiceException'> = awsError;

/** Creates the error for an invalid request. */
export const badRequest = (message: string): AwsError => resourcegroupsError('BadRequestException', message);

/** Creates the error for an invalid query. @param problem description of the error */
export const invalidQuery = (problem: string): AwsError => badRequest(`Query not valid: ${problem}`);

/** Creates the error for an unknown group. */
export const groupNotFound = (): AwsError => resourcegroupsError('NotFoundException', 'Cannot find group');

/** Creates the error for violated constraints of the model, for which the service has no other one. */
export const modelError = (failures: readonly ValidationFailure[]): AwsError =>
  badRequest(validationError(failures).message);
