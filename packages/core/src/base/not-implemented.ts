import { type AwsError, awsError } from '@emu/wire';

/** Returns the error for an operation or service that emu does not implement. */
export function notImplemented(service: string, operation?: string): AwsError {
  const what = operation ? `${service}.${operation}` : `the service ${service}`;
  return notEmulated(what);
}

/**
 * Creates the error for a feature that emu lacks.
 * @param what a noun phrase, as the end of a sentence
 * @param service emu's name of the service, where the phrase lacks it
 */
export function notEmulated(what: string, service?: string): AwsError {
  const whole = service === undefined ? what : `${what} of ${service}`;
  return awsError('NotImplemented', `emu does not implement ${whole}.`, { status: 501 });
}
