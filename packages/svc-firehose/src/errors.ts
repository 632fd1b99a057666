import type { FirehoseErrorName } from '@emu/service-types/firehose';
import { type AwsError, awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const firehoseError: ErrorsOf<FirehoseErrorName | 'NotImplemented' | 'ThrottlingException'> = awsError;

/** Creates the error for an invalid parameter. */
export const invalidArgument = (message: string): AwsError => firehoseError('InvalidArgumentException', message);

/** Creates the error for a missing delivery stream. */
export const streamNotFound = (name: string, accountId: string): AwsError =>
  firehoseError('ResourceNotFoundException', `Firehose ${name} under account ${accountId} not found.`);

/** Creates the error for a delivery stream whose state does not allow the request. */
export const inUse = (message: string): AwsError => firehoseError('ResourceInUseException', message);

/** Creates the error for an exceeded limit. */
export const limitExceeded = (message: string): AwsError => firehoseError('LimitExceededException', message);

/**
 * Creates the error for an unsupported feature.
 * @param what e.g. `deliver to Amazon Redshift`
 */
export const impossible = (what: string): AwsError =>
  firehoseError('NotImplemented', `emu does not ${what}.`, { status: 501 });
