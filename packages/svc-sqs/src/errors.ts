import { type AwsError, awsError } from '@emu/wire';

/** Invalid value of a request parameter; AWS's code for most client mistakes. */
export function invalidParameterValue(message: string): AwsError {
  return awsError('InvalidParameterValue', message);
}

/** Invalid parameter value with a reason, in AWS's standard message. */
export function invalidValueFor(parameter: string, value: unknown, reason: string): AwsError {
  return invalidParameterValue(`Value ${value} for parameter ${parameter} is invalid. Reason: ${reason}`);
}

/** A required parameter is missing or empty. */
export function missingParameter(parameter: string): AwsError {
  return awsError('MissingParameter', `The request must contain the parameter ${parameter}.`);
}

/** The request names an unknown attribute, or one of the other queue type. */
export function invalidAttributeName(message: string): AwsError {
  return awsError('InvalidAttributeName', message);
}

/** A queue attribute has an invalid value. */
export function invalidAttributeValue(attribute: string, reason?: string): AwsError {
  const sentence = `Invalid value for the parameter ${attribute}.`;
  return awsError('InvalidAttributeValue', reason ? `${sentence} Reason: ${reason}` : sentence);
}

/**
 * Missing queue in the account and region.
 * @param legacyWording whether to use the query protocol's message, which refers to its WSDL
 */
export function queueDoesNotExist(legacyWording: boolean): AwsError {
  return awsError(
    'QueueDoesNotExist',
    legacyWording ? 'The specified queue does not exist for this wsdl version.' : 'The specified queue does not exist.',
  );
}

/** Malformed receipt handle. */
export function receiptHandleIsInvalid(handle: string): AwsError {
  return awsError('ReceiptHandleIsInvalid', `The input receipt handle "${handle}" is not a valid receipt handle.`);
}

/** Receipt handle of another queue's message. */
export function receiptHandleOfAnotherQueue(handle: string): AwsError {
  return awsError('ReceiptHandleIsInvalid', `The receipt handle "${handle}" is not valid for this queue.`);
}

/** Expired receipt handle, which a FIFO queue rejects. */
export function receiptHandleExpired(handle: string): AwsError {
  return invalidValueFor('ReceiptHandle', handle, 'The receipt handle has expired.');
}

/** Missing queue or message move task, named by ARN or handle. */
export function resourceNotFound(message: string): AwsError {
  return awsError('ResourceNotFoundException', message);
}

/** A quota of the queue is exhausted. */
export function overLimit(message: string): AwsError {
  return awsError('OverLimit', message);
}
