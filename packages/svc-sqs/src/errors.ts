import { type AwsError, awsError } from '@emu/wire';

/** A request parameter has a value that SQS does not take; AWS's code for most client mistakes. */
export function invalidParameterValue(message: string): AwsError {
  return awsError('InvalidParameterValue', message);
}

/** A parameter's value is refused for a reason, in AWS's standard sentence. */
export function invalidValueFor(parameter: string, value: unknown, reason: string): AwsError {
  return invalidParameterValue(`Value ${value} for parameter ${parameter} is invalid. Reason: ${reason}`);
}

/** A required parameter is missing or empty. */
export function missingParameter(parameter: string): AwsError {
  return awsError('MissingParameter', `The request must contain the parameter ${parameter}.`);
}

/** The request names an attribute that does not exist, or not for this type of queue. */
export function invalidAttributeName(message: string): AwsError {
  return awsError('InvalidAttributeName', message);
}

/** A queue attribute has a value outside its range or form. */
export function invalidAttributeValue(attribute: string, reason?: string): AwsError {
  const sentence = `Invalid value for the parameter ${attribute}.`;
  return awsError('InvalidAttributeValue', reason ? `${sentence} Reason: ${reason}` : sentence);
}

/**
 * No queue of that name in the account and region.
 * @param legacyWording whether to answer in the words of the query protocol, which still speaks of its WSDL
 */
export function queueDoesNotExist(legacyWording: boolean): AwsError {
  return awsError(
    'QueueDoesNotExist',
    legacyWording ? 'The specified queue does not exist for this wsdl version.' : 'The specified queue does not exist.',
  );
}

/** The handle does not have the form of one. */
export function receiptHandleIsInvalid(handle: string): AwsError {
  return awsError('ReceiptHandleIsInvalid', `The input receipt handle "${handle}" is not a valid receipt handle.`);
}

/** The handle is that of a message of another queue. */
export function receiptHandleOfAnotherQueue(handle: string): AwsError {
  return awsError('ReceiptHandleIsInvalid', `The receipt handle "${handle}" is not valid for this queue.`);
}

/** A FIFO queue refuses the handle of a message whose visibility timeout is over. */
export function receiptHandleExpired(handle: string): AwsError {
  return invalidValueFor('ReceiptHandle', handle, 'The receipt handle has expired.');
}

/** A queue or message move task that the request names by ARN or handle does not exist. */
export function resourceNotFound(message: string): AwsError {
  return awsError('ResourceNotFoundException', message);
}

/** A quota of the queue is exhausted. */
export function overLimit(message: string): AwsError {
  return awsError('OverLimit', message);
}
