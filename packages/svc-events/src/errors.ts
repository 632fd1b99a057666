import type { EventsErrorName } from '@emu/service-types/events';
import { type AwsError, awsError } from '@emu/wire';

/** An error that EventBridge's model names. */
export const eventsError = (code: EventsErrorName, message: string): AwsError => awsError(code, message);

/** `ValidationException`, which the model does not list. */
export const invalid = (message: string): AwsError => awsError('ValidationException', message);
/** `ValidationException` about a parameter. */
export const invalidParameter = (name: string, reason?: string): AwsError =>
  invalid(`Parameter ${name} is not valid.${reason === undefined ? '' : ` Reason: ${reason}`}`);
/** `ResourceNotFoundException`. */
export const notFound = (message: string): AwsError => eventsError('ResourceNotFoundException', message);
/** `ResourceAlreadyExistsException`. */
export const alreadyExists = (what: string): AwsError =>
  eventsError('ResourceAlreadyExistsException', `${what} already exists.`);
/** `LimitExceededException`. */
export const limitExceeded = (): AwsError =>
  eventsError('LimitExceededException', 'The requested resource exceeds the maximum number allowed.');

/** A setting that AWS acts on and emu does not. @param what the setting, as `Member of events things` */
export const notImplemented = (what: string): AwsError =>
  awsError('NotImplemented', `emu does not implement ${what}.`, { status: 501 });

/** A bus that is not there. */
export const busNotFound = (name: string): AwsError => notFound(`Event bus ${name} does not exist.`);
/** A rule that is not there. */
export const ruleNotFound = (name: string, bus: string): AwsError =>
  notFound(`Rule ${name} does not exist on EventBus ${bus}.`);
