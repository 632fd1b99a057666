import type { EventsErrorName } from '@emu/service-types/events';
import { type AwsError, awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const eventsError: ErrorsOf<
  EventsErrorName | 'AuthorizationFailure' | 'NotImplemented' | 'ValidationException'
> = awsError;

/** Creates a `ValidationException`, which the model lacks. */
export const invalid = (message: string): AwsError => eventsError('ValidationException', message);
/** Creates a `ValidationException` for a parameter. */
export const invalidParameter = (name: string, reason?: string): AwsError =>
  invalid(`Parameter ${name} is not valid.${reason === undefined ? '' : ` Reason: ${reason}`}`);
/** `ResourceNotFoundException`. */
export const notFound = (message: string): AwsError => eventsError('ResourceNotFoundException', message);
/** Creates a `ResourceAlreadyExistsException`. */
export const alreadyExists = (what: string): AwsError =>
  eventsError('ResourceAlreadyExistsException', `${what} already exists.`);
/** `LimitExceededException`. */
export const limitExceeded = (): AwsError =>
  eventsError('LimitExceededException', 'The requested resource exceeds the maximum number allowed.');

/** Creates the error for an unknown bus. */
export const busNotFound = (name: string): AwsError => notFound(`Event bus ${name} does not exist.`);
/** Creates the error for an unknown rule. */
export const ruleNotFound = (name: string, bus: string): AwsError =>
  notFound(`Rule ${name} does not exist on EventBus ${bus}.`);
