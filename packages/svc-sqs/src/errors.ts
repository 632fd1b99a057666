import type { SqsErrorName } from '@emu/service-types/sqs';
import { type AwsError, awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const sqsError: ErrorsOf<
  SqsErrorName | 'InvalidAction' | 'InvalidParameterValue' | 'InvalidRequest' | 'MissingParameter'
> = awsError;

/** Invalid value of a request parameter; AWS's code for most client mistakes. */
export const invalidParameterValue = (message: string): AwsError => sqsError('InvalidParameterValue', message);

/** Invalid parameter value with a reason, in AWS's standard message. */
export const invalidValueFor = (parameter: string, value: unknown, reason: string): AwsError =>
  invalidParameterValue(`Value ${value} for parameter ${parameter} is invalid. Reason: ${reason}`);

/** A required parameter is missing or empty. */
export const missingParameter = (parameter: string): AwsError =>
  sqsError('MissingParameter', `The request must contain the parameter ${parameter}.`);

/** The request names an unknown attribute, or one of the other queue type. */
export const invalidAttributeName = (message: string): AwsError => sqsError('InvalidAttributeName', message);

/** A queue attribute has an invalid value. */
export function invalidAttributeValue(attribute: string, reason?: string): AwsError {
  const sentence = `Invalid value for the parameter ${attribute}.`;
  return sqsError('InvalidAttributeValue', reason ? `${sentence} Reason: ${reason}` : sentence);
}

/**
 * Missing queue in the account and region.
 * @param legacyWording whether to use the query protocol's message, which refers to its WSDL
 */
export function queueDoesNotExist(legacyWording: boolean): AwsError {
  return sqsError(
    'QueueDoesNotExist',
    legacyWording ? 'The specified queue does not exist for this wsdl version.' : 'The specified queue does not exist.',
  );
}

/** Malformed receipt handle. */
export const receiptHandleIsInvalid = (handle: string): AwsError =>
  sqsError('ReceiptHandleIsInvalid', `The input receipt handle "${handle}" is not a valid receipt handle.`);

/** Receipt handle of another queue's message. */
export const receiptHandleOfAnotherQueue = (handle: string): AwsError =>
  sqsError('ReceiptHandleIsInvalid', `The receipt handle "${handle}" is not valid for this queue.`);

/** Expired receipt handle, which a FIFO queue rejects. */
export const receiptHandleExpired = (handle: string): AwsError =>
  invalidValueFor('ReceiptHandle', handle, 'The receipt handle has expired.');

/** Missing queue or message move task, named by ARN or handle. */
export const resourceNotFound = (message: string): AwsError => sqsError('ResourceNotFoundException', message);

/** A quota of the queue is exhausted. */
export const overLimit = (message: string): AwsError => sqsError('OverLimit', message);
