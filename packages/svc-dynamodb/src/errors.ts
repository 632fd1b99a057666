import { type AwsError, awsError } from '@emu/wire';

/** Returns a `ValidationException`. */
export function invalid(message: string): AwsError {
  return awsError('ValidationException', message);
}

/**
 * Error for a feature that emu does not emulate and therefore rejects.
 * @param what a noun phrase
 */
export const notActedOn = (what: string): AwsError =>
  awsError('NotImplemented', `emu does not implement ${what} of dynamodb.`, { status: 501 });
