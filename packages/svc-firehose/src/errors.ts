import { type AwsError, awsError } from '@emu/wire';

/** A parameter is refused. */
export const invalidArgument = (message: string): AwsError => awsError('InvalidArgumentException', message);

/** A delivery stream that is not there. */
export const streamNotFound = (name: string, accountId: string): AwsError =>
  awsError('ResourceNotFoundException', `Firehose ${name} under account ${accountId} not found.`);

/** A delivery stream is in no state for the request. */
export const inUse = (message: string): AwsError => awsError('ResourceInUseException', message);

/** More than there may be. */
export const limitExceeded = (message: string): AwsError => awsError('LimitExceededException', message);

/** What emu cannot act on. @param what e.g. `deliver to Amazon Redshift` */
export const impossible = (what: string): AwsError =>
  awsError('NotImplemented', `emu does not ${what}.`, { status: 501 });
