import type { StepfunctionsErrorName } from '@emu/service-types/stepfunctions';
import { type AwsError, awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const stepfunctionsError: ErrorsOf<StepfunctionsErrorName | 'GeneralServiceException' | 'ThrottlingException'> =
  awsError;

/** Error for an invalid ARN. */
export const invalidArn = (why: string): AwsError => stepfunctionsError('InvalidArn', `Invalid Arn: '${why}'`);
/** Error for an unknown state machine. */
export const machineNotFound = (arn: string): AwsError =>
  stepfunctionsError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`);
/** Error for an unknown execution. */
export const executionNotFound = (arn: string): AwsError =>
  stepfunctionsError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
/** Error for an unknown activity. */
export const activityNotFound = (arn: string): AwsError =>
  stepfunctionsError('ActivityDoesNotExist', `Activity Does Not Exist: '${arn}'`);
/** Error for an unknown alias or version. */
export const resourceNotFound = (): AwsError =>
  stepfunctionsError('ResourceNotFound', 'Request references a resource that does not exist.');
/** Error for an unknown resource in tag operations. */
export const taggedNotFound = (arn: string): AwsError =>
  stepfunctionsError('ResourceNotFound', `Resource not found: '${arn}'`);
/** Error for a name with invalid characters. */
export const invalidName = (name: string): AwsError => stepfunctionsError('InvalidName', `Invalid Name: '${name}'`);
/** Error for an invalid definition. */
export const invalidDefinition = (why: string): AwsError =>
  stepfunctionsError('InvalidDefinition', `Invalid State Machine Definition: '${why}'`);
/** Error for input that is not JSON. */
export const invalidInput = (why: string): AwsError =>
  stepfunctionsError('InvalidExecutionInput', `Invalid State Machine Execution Input: '${why}'`);
/** Error for an unknown task or page token. */
export const invalidToken = (): AwsError => stepfunctionsError('InvalidToken', "Invalid Token: 'Invalid token'");
/** Error for an invalid request. */
export const invalid = (message: string): AwsError => stepfunctionsError('ValidationException', message);
/** Error for a conflict. */
export const conflict = (message: string): AwsError => stepfunctionsError('ConflictException', message);
