import type { SqsErrorName } from '@emu/service-types/sqs';
import { type AwsError, awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const sqsError: ErrorsOf<
  SqsErrorName | 'InvalidAction' | 'InvalidParameterValue' | 'InvalidRequest' | 'MissingParameter'
> = awsError;

/** Creates the error for an invalid value of a request parameter; AWS's code for most client mistakes. */
export const invalidParameterValue = (message: string): AwsError => sqsError('InvalidParameterValue', message);

/** Creates the error for an invalid parameter value with a reason, in AWS's standard message. */
export const invalidValueFor = (parameter: string, value: unknown, reason: string): AwsError =>
  invalidParameterValue(`Value ${value} for parameter ${parameter} is invalid. Reason: ${reason}`);

/** Creates the error for a missing or empty parameter. */
export const missingParameter = (parameter: string): AwsError =>
  sqsError('MissingParameter', `The request must contain the parameter ${parameter}.`);

/** Creates the error for an unknown attribute, or one of the other queue type. */
export const invalidAttributeName = (message: string): AwsError => sqsError('InvalidAttributeName', message);

/** Creates the error for an invalid value of a queue attribute. */
export function invalidAttributeValue(attribute: string, reason?: string): AwsError {
  const sentence = `Invalid value for the parameter ${attribute}.`;
  return sqsError('InvalidAttributeValue', reason ? `${sentence} Reason: ${reason}` : sentence);
}

/**
 * Creates the error for a missing queue in the account and region.
 * @param legacyWording whether to use the query protocol's message, which refers to its WSDL
 */
export function queueDoesNotExist(legacyWording: boolean): AwsError {
  return sqsError(
    'QueueDoesNotExist',
    legacyWording ? 'The specified queue does not exist for this wsdl version.' : 'The specified queue does not exist.',
  );
}

/** Creates the error for a malformed receipt handle. */
export const receiptHandleIsInvalid = (handle: string): AwsError =>
  sqsError('ReceiptHandleIsInvalid', `The input receipt handle "${handle}" is not a valid receipt handle.`);

/** Creates the error for a receipt handle of another queue's message. */
export const receiptHandleOfAnotherQueue = (handle: string): AwsError =>
  sqsError('ReceiptHandleIsInvalid', `The receipt handle "${handle}" is not valid for this queue.`);

/** Creates the error for an expired receipt handle, which a FIFO queue rejects. */
export const receiptHandleExpired = (handle: string): AwsError =>
  invalidValueFor('ReceiptHandle', handle, 'The receipt handle has expired.');

/** Creates the error for a missing queue or message move task, named by ARN or handle. */
export const notFound = (message: string): AwsError => sqsError('ResourceNotFoundException', message);

/** Creates the error for an exhausted quota of a queue. */
export const overLimit = (message: string): AwsError => sqsError('OverLimit', message);
