import { type AwsError, awsError } from '@emu/wire';

/** A parameter is refused, in the sentence that SNS begins most of its errors with. */
export function invalidParameter(reason: string): AwsError {
  return awsError('InvalidParameterException', `Invalid parameter: ${reason}`);
}

/** A request is refused without that beginning. */
export function invalidRequest(message: string): AwsError {
  return awsError('InvalidParameterException', message);
}

/** A message attribute is refused. */
export function invalidAttributeValue(message: string): AwsError {
  return awsError('InvalidParameterValueException', message);
}

/** What the request names is not there: `Topic`, `Subscription`, `PlatformApplication` or `Endpoint`. */
export function notFound(kind: string): AwsError {
  return awsError('NotFoundException', `${kind} does not exist`);
}

/** What AWS would act on and emu cannot: refused instead of stored without effect. @param what a noun phrase */
export function notActedOn(what: string): AwsError {
  return awsError('NotImplemented', `emu does not implement ${what} of sns.`, { status: 501 });
}
