import { type AwsError, awsError } from '@emu/wire';

/** The answer to an operation or service that emu does not have yet. */
export function notImplemented(service: string, operation?: string): AwsError {
  const what = operation ? `${service}.${operation}` : `the service ${service}`;
  return awsError('NotImplemented', `emu does not implement ${what}.`, { status: 501 });
}
