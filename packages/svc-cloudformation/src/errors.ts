import type { CloudformationErrorName } from '@emu/service-types/cloudformation';
import { AwsError, awsError } from '@emu/wire';

/** An error that CloudFormation's model names. */
const modelled = (code: CloudformationErrorName, message: string): AwsError => awsError(code, message);

/** `ValidationError`, which CloudFormation answers for most of what callers do wrong. */
export const invalid = (message: string): AwsError => awsError('ValidationError', message);
/**
 * `ValidationError` of what is found out only when the work on a stack has begun: it makes a change set or an operation
 * fail that was accepted.
 */
export const lateFailure = (message: string): AwsError => Object.assign(invalid(message), { late: true as const });
/** Whether an error is one of those. */
export const isLate = (error: unknown): error is AwsError & { late: true } =>
  error instanceof AwsError && 'late' in error;
/** `ValidationError` of a template's form. */
export const badTemplate = (message: string): AwsError => invalid(`Template format error: ${message}`);
/** `ValidationError` of a function in a template. */
export const templateError = (message: string): AwsError => invalid(`Template error: ${message}`);
/** `AlreadyExistsException` of a stack. */
export const stackExists = (name: string): AwsError =>
  modelled('AlreadyExistsException', `Stack [${name}] already exists`);
/** A stack that a request names in the words of operations on stacks. */
export const noStackWithId = (name: string): AwsError => invalid(`Stack with id ${name} does not exist`);
/** A stack that a request names in the words of operations on what stacks consist of. */
export const noStack = (name: string): AwsError => invalid(`Stack [${name}] does not exist`);
/** `ChangeSetNotFound`. */
export const noChangeSet = (name: string): AwsError =>
  modelled('ChangeSetNotFoundException', `ChangeSet [${name}] does not exist`);
/** `InsufficientCapabilitiesException`. */
export const insufficientCapabilities = (names: readonly string[]): AwsError =>
  modelled('InsufficientCapabilitiesException', `Requires capabilities : [${names.join(', ')}]`);
/** `TokenAlreadyExistsException`. */
export const tokenUsed = (token: string): AwsError =>
  modelled('TokenAlreadyExistsException', `Token already exists: ${token}`);
/** `StackSetNotFoundException`. */
export const noStackSet = (name: string): AwsError =>
  modelled('StackSetNotFoundException', `StackSet ${name} not found`);
/** `OperationNotFoundException` of a stack set. */
export const noStackSetOperation = (id: string): AwsError =>
  modelled('OperationNotFoundException', `Operation ${id} not found`);
/** `StackInstanceNotFoundException`. */
export const noStackInstance = (set: string, account: string, region: string): AwsError =>
  modelled(
    'StackInstanceNotFoundException',
    `Stack instance not found for StackSet ${set}, account ${account}, region ${region}`,
  );
/** `InvalidOperationException`. */
export const invalidOperation = (message: string): AwsError => modelled('InvalidOperationException', message);

/** Why a change set failed that would change nothing. */
export const NO_CHANGES =
  "The submitted information didn't contain changes. Submit different information to create a change set.";

/** Whether that is why a change set failed. */
export const saysNoChanges = (reason: string | undefined): boolean => reason === NO_CHANGES;
