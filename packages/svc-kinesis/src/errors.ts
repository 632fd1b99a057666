import { type AwsError, awsError } from '@emu/wire';

/** Invalid parameter. */
export const invalidArgument = (message: string): AwsError => awsError('InvalidArgumentException', message);

/** Missing resource. */
export const notFound = (message: string): AwsError => awsError('ResourceNotFoundException', message);

/** The resource's state does not allow the request. */
export const inUse = (message: string): AwsError => awsError('ResourceInUseException', message);

/** Limit exceeded. */
export const limitExceeded = (message: string): AwsError => awsError('LimitExceededException', message);

/** Invalid request. */
export const invalidRequest = (message: string): AwsError => awsError('ValidationException', message);
