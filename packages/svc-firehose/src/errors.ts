import { type AwsError, awsError } from '@emu/wire';

/** Invalid parameter. */
export const invalidArgument = (message: string): AwsError => awsError('InvalidArgumentException', message);

/** Missing delivery stream. */
export const streamNotFound = (name: string, accountId: string): AwsError =>
  awsError('ResourceNotFoundException', `Firehose ${name} under account ${accountId} not found.`);

/** The delivery stream's state does not allow the request. */
export const inUse = (message: string): AwsError => awsError('ResourceInUseException', message);

/** Limit exceeded. */
export const limitExceeded = (message: string): AwsError => awsError('LimitExceededException', message);

/**
 * Unsupported feature.
 * @param what e.g. `deliver to Amazon Redshift`
 */
export const impossible = (what: string): AwsError =>
  awsError('NotImplemented', `emu does not ${what}.`, { status: 501 });
