import type { KinesisErrorName } from '@emu/service-types/kinesis';
import { type AwsError, awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const kinesisError: ErrorsOf<KinesisErrorName> = awsError;

/** Invalid parameter. */
export const invalidArgument = (message: string): AwsError => kinesisError('InvalidArgumentException', message);

/** Missing resource. */
export const notFound = (message: string): AwsError => kinesisError('ResourceNotFoundException', message);

/** The resource's state does not allow the request. */
export const inUse = (message: string): AwsError => kinesisError('ResourceInUseException', message);

/** Limit exceeded. */
export const limitExceeded = (message: string): AwsError => kinesisError('LimitExceededException', message);

/** Invalid request. */
export const invalidRequest = (message: string): AwsError => kinesisError('ValidationException', message);
