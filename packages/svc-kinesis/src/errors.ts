import { type AwsError, awsError } from '@emu/wire';

/** A parameter is refused. */
export const invalidArgument = (message: string): AwsError => awsError('InvalidArgumentException', message);

/** What the request names is not there. */
export const notFound = (message: string): AwsError => awsError('ResourceNotFoundException', message);

/** What the request names is in no state for it. */
export const inUse = (message: string): AwsError => awsError('ResourceInUseException', message);

/** More than there may be. */
export const limitExceeded = (message: string): AwsError => awsError('LimitExceededException', message);

/** A request that its rules do not allow. */
export const invalidRequest = (message: string): AwsError => awsError('ValidationException', message);
