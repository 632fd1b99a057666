import type { FirehoseErrorName } from '@emu/service-types/firehose';
import { type AwsError, awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const firehoseError: ErrorsOf<FirehoseErrorName | 'NotImplemented' | 'ThrottlingException'> = awsError;

/** Invalid parameter. */
export const invalidArgument = (message: string): AwsError => firehoseError('InvalidArgumentException', message);

/** Missing delivery stream. */
export const streamNotFound = (name: string, accountId: string): AwsError =>
  firehoseError('ResourceNotFoundException', `Firehose ${name} under account ${accountId} not found.`);

/** The delivery stream's state does not allow the request. */
export const inUse = (message: string): AwsError => firehoseError('ResourceInUseException', message);

/** Limit exceeded. */
export const limitExceeded = (message: string): AwsError => firehoseError('LimitExceededException', message);

/**
 * Unsupported feature.
 * @param what e.g. `deliver to Amazon Redshift`
 */
export const impossible = (what: string): AwsError =>
  firehoseError('NotImplemented', `emu does not ${what}.`, { status: 501 });
