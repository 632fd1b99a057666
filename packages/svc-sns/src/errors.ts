import type { SnsErrorName } from '@emu/service-types/sns';
import { type AwsError, awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const snsError: ErrorsOf<SnsErrorName | 'Throttling'> = awsError;

/** Creates an `InvalidParameter` error with SNS's usual prefix. */
export const invalidParameter = (reason: string): AwsError =>
  snsError('InvalidParameterException', `Invalid parameter: ${reason}`);

/** Creates an `InvalidParameter` error without the prefix. */
export const invalidRequest = (message: string): AwsError => snsError('InvalidParameterException', message);

/** Creates the error for an invalid message attribute. */
export const invalidParameterValue = (message: string): AwsError => snsError('InvalidParameterValueException', message);

/** Creates the error for an unknown `Topic`, `Subscription`, `PlatformApplication` or `Endpoint`. */
export const notFound = (kind: string): AwsError => snsError('NotFoundException', `${kind} does not exist`);
