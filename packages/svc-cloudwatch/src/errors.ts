import type { CloudwatchErrorName } from '@emu/service-types/cloudwatch';
import { type AwsError, awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const cloudwatchError: ErrorsOf<CloudwatchErrorName | 'NotImplemented' | 'Throttling'> = awsError;

/** `InvalidParameterValue`. */
export const invalidParameterValue = (message: string): AwsError =>
  cloudwatchError('InvalidParameterValueException', message);
/** `InvalidParameterCombination`. */
export const invalidCombination = (message: string): AwsError =>
  cloudwatchError('InvalidParameterCombinationException', message);
/** `MissingParameter`. */
export const missingParameter = (message: string): AwsError =>
  cloudwatchError('MissingRequiredParameterException', message);
/** Returns `ValidationError`, which is `ValidationException` in JSON and CBOR. */
export const invalid = (message: string): AwsError => cloudwatchError('ValidationException', message);
/** Returns `ResourceNotFound`, which AWS sends without a message for alarms. */
export const resourceNotFound = (): AwsError => cloudwatchError('ResourceNotFound', '');
/** `ResourceNotFoundException`. */
export const noSuchResource = (message: string, type: string, id: string): AwsError =>
  cloudwatchError('ResourceNotFoundException', message, { members: { ResourceType: type, ResourceId: id } });
