import { type AwsError, awsError, type ValidationFailure, validationError } from '@emu/wire';

/** What the caller asks for is wrong. */
export const badRequest = (message: string): AwsError => awsError('BadRequestException', message);

/** A query is refused. @param problem what is wrong with it */
export const invalidQuery = (problem: string): AwsError => badRequest(`Query not valid: ${problem}`);

/** There is no such group. */
export const groupNotFound = (): AwsError => awsError('NotFoundException', 'Cannot find group');

/** Broken constraints of the model, which the service has no other error for. */
export const modelError = (failures: readonly ValidationFailure[]): AwsError =>
  badRequest(validationError(failures).message);
