import { type AwsError, awsError } from '@emu/wire';

/** Creates an `InvalidParameter` error with SNS's usual prefix. */
export function invalidParameter(reason: string): AwsError {
  return awsError('InvalidParameterException', `Invalid parameter: ${reason}`);
}

/** Creates an `InvalidParameter` error without the prefix. */
export function invalidRequest(message: string): AwsError {
  return awsError('InvalidParameterException', message);
}

/** Creates the error for an invalid message attribute. */
export function invalidAttributeValue(message: string): AwsError {
  return awsError('InvalidParameterValueException', message);
}

/** Creates the error for an unknown `Topic`, `Subscription`, `PlatformApplication` or `Endpoint`. */
export function notFound(kind: string): AwsError {
  return awsError('NotFoundException', `${kind} does not exist`);
}

/** Creates the error for a feature that emu does not support. @param what a noun phrase */
export function notActedOn(what: string): AwsError {
  return awsError('NotImplemented', `emu does not implement ${what} of sns.`, { status: 501 });
}
