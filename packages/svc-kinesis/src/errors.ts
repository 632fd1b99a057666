import type { KinesisErrorName } from '@emu/service-types/kinesis';
import { type AwsError, awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const kinesisError: ErrorsOf<KinesisErrorName> = awsError;

/** Creates the error for an invalid parameter. */
export const invalidArgument = (message: string): AwsError => kinesisError('InvalidArgumentException', message);

/** Creates the error for a missing resource. */
export const notFound = (message: string): AwsError => kinesisError('ResourceNotFoundException', message);

/** Creates the error for a resource whose state does not allow the request. */
export const inUse = (message: string): AwsError => kinesisError('ResourceInUseException', message);

/** Creates the error for an exceeded limit. */
export const limitExceeded = (message: string): AwsError => kinesisError('LimitExceededException', message);

/** Creates the error for an invalid request. */
export const invalid = (message: string): AwsError => kinesisError('ValidationException', message);
