import { type AwsError, awsError } from '@emu/wire';

/** An ARN that cannot be one of what the operation is about. */
export const invalidArn = (why: string): AwsError => awsError('InvalidArn', `Invalid Arn: '${why}'`);
/** A state machine that is not there. */
export const machineNotFound = (arn: string): AwsError =>
  awsError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`);
/** An execution that is not there. */
export const executionNotFound = (arn: string): AwsError =>
  awsError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
/** An activity that is not there. */
export const activityNotFound = (arn: string): AwsError =>
  awsError('ActivityDoesNotExist', `Activity Does Not Exist: '${arn}'`);
/** An alias or version that is not there. */
export const resourceNotFound = (): AwsError =>
  awsError('ResourceNotFound', 'Request references a resource that does not exist.');
/** A resource that tags name and that is not there. */
export const taggedNotFound = (arn: string): AwsError => awsError('ResourceNotFound', `Resource not found: '${arn}'`);
/** A name with characters that it must not have. */
export const invalidName = (name: string): AwsError => awsError('InvalidName', `Invalid Name: '${name}'`);
/** A definition that is none. */
export const invalidDefinition = (why: string): AwsError =>
  awsError('InvalidDefinition', `Invalid State Machine Definition: '${why}'`);
/** An input that is no JSON. */
export const invalidInput = (why: string): AwsError =>
  awsError('InvalidExecutionInput', `Invalid State Machine Execution Input: '${why}'`);
/** A token that names no task, or a page that is not there. */
export const invalidToken = (): AwsError => awsError('InvalidToken', "Invalid Token: 'Invalid token'");
/** A request that breaks a rule of the operation. */
export const validation = (message: string): AwsError => awsError('ValidationException', message);
/** What stands in the way. */
export const conflict = (message: string): AwsError => awsError('ConflictException', message);
