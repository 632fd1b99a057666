import { type AwsError, awsError } from '@emu/wire';

/** Error for an invalid ARN. */
export const invalidArn = (why: string): AwsError => awsError('InvalidArn', `Invalid Arn: '${why}'`);
/** Error for an unknown state machine. */
export const machineNotFound = (arn: string): AwsError =>
  awsError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`);
/** Error for an unknown execution. */
export const executionNotFound = (arn: string): AwsError =>
  awsError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
/** Error for an unknown activity. */
export const activityNotFound = (arn: string): AwsError =>
  awsError('ActivityDoesNotExist', `Activity Does Not Exist: '${arn}'`);
/** Error for an unknown alias or version. */
export const resourceNotFound = (): AwsError =>
  awsError('ResourceNotFound', 'Request references a resource that does not exist.');
/** Error for an unknown resource in tag operations. */
export const taggedNotFound = (arn: string): AwsError => awsError('ResourceNotFound', `Resource not found: '${arn}'`);
/** Error for a name with invalid characters. */
export const invalidName = (name: string): AwsError => awsError('InvalidName', `Invalid Name: '${name}'`);
/** Error for an invalid definition. */
export const invalidDefinition = (why: string): AwsError =>
  awsError('InvalidDefinition', `Invalid State Machine Definition: '${why}'`);
/** Error for input that is not JSON. */
export const invalidInput = (why: string): AwsError =>
  awsError('InvalidExecutionInput', `Invalid State Machine Execution Input: '${why}'`);
/** Error for an unknown task or page token. */
export const invalidToken = (): AwsError => awsError('InvalidToken', "Invalid Token: 'Invalid token'");
/** Error for an invalid request. */
export const validation = (message: string): AwsError => awsError('ValidationException', message);
/** Error for a conflict. */
export const conflict = (message: string): AwsError => awsError('ConflictException', message);
