import type { CloudformationErrorName } from '@emu/service-types/cloudformation';
import { AwsError, awsError } from '@emu/wire';

/** An error declared in CloudFormation's model. */
const modelled = (code: CloudformationErrorName, message: string): AwsError => awsError(code, message);

/** `ValidationError`, CloudFormation's code for most client mistakes. */
export const invalid = (message: string): AwsError => awsError('ValidationError', message);
/** `ValidationError` found after the request is accepted: it fails the change set or operation. */
export const deferredError = (message: string): AwsError => Object.assign(invalid(message), { late: true as const });
/** Whether an error is a deferred `ValidationError`. */
export const isDeferred = (error: unknown): error is AwsError & { late: true } =>
  error instanceof AwsError && 'late' in error;
/** `ValidationError` for a malformed template. */
export const badTemplate = (message: string): AwsError => invalid(`Template format error: ${message}`);
/** `ValidationError` for a function in a template. */
export const templateError = (message: string): AwsError => invalid(`Template error: ${message}`);
/** `AlreadyExistsException` for a stack. */
export const stackExists = (name: string): AwsError =>
  modelled('AlreadyExistsException', `Stack [${name}] already exists`);
/** Missing stack, with the message of operations on stacks. */
export const noStackWithId = (name: string): AwsError => invalid(`Stack with id ${name} does not exist`);
/** Missing stack, with the message of operations on the contents of stacks. */
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
/** `OperationNotFoundException` for a stack set. */
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

/** Status reason of a change set without changes. */
export const NO_CHANGES =
  "The submitted information didn't contain changes. Submit different information to create a change set.";

/** Whether a change set failed for having no changes. */
export const isNoChangesReason = (reason: string | undefined): boolean => reason === NO_CHANGES;
