import type { CloudformationErrorName } from '@emu/service-types/cloudformation';
import { AwsError, awsError, type ErrorsOf, type ValidationFailure, validationError } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const cloudformationError: ErrorsOf<CloudformationErrorName | 'GeneralServiceException' | 'ValidationError'> =
  awsError;

/** Creates a `ValidationError`, CloudFormation's code for most client mistakes. */
export const invalid = (message: string): AwsError => cloudformationError('ValidationError', message);
/** Creates `ValidationError` for violated constraints of the model, with AWS's common messages. */
export const modelError = (failures: readonly ValidationFailure[]): AwsError =>
  validationError(failures, 'ValidationError');
/** Creates a `ValidationError` found after the request is accepted: it fails the change set or operation. */
export const deferredError = (message: string): AwsError => Object.assign(invalid(message), { late: true as const });
/** Whether an error is a deferred `ValidationError`. */
export const isDeferred = (error: unknown): error is AwsError & { late: true } =>
  error instanceof AwsError && 'late' in error;
/** Creates a `ValidationError` for a malformed template. */
export const badTemplate = (message: string): AwsError => invalid(`Template format error: ${message}`);
/** Creates a `ValidationError` for a function in a template. */
export const templateError = (message: string): AwsError => invalid(`Template error: ${message}`);
/** Creates an `AlreadyExistsException` for a stack. */
export const stackExists = (name: string): AwsError =>
  cloudformationError('AlreadyExistsException', `Stack [${name}] already exists`);
/** Creates the error for a missing stack, with the message of operations on stacks. */
export const noStackWithId = (name: string): AwsError => invalid(`Stack with id ${name} does not exist`);
/** Creates the error for a missing stack, with the message of operations on the contents of stacks. */
export const noStack = (name: string): AwsError => invalid(`Stack [${name}] does not exist`);
/** `ChangeSetNotFound`. */
export const noChangeSet = (name: string): AwsError =>
  cloudformationError('ChangeSetNotFoundException', `ChangeSet [${name}] does not exist`);
/** Creates an `InsufficientCapabilitiesException`. */
export const insufficientCapabilities = (names: readonly string[]): AwsError =>
  cloudformationError('InsufficientCapabilitiesException', `Requires capabilities : [${names.join(', ')}]`);
/** `TokenAlreadyExistsException`. */
export const tokenUsed = (token: string): AwsError =>
  cloudformationError('TokenAlreadyExistsException', `Token already exists: ${token}`);
/** `StackSetNotFoundException`. */
export const noStackSet = (name: string): AwsError =>
  cloudformationError('StackSetNotFoundException', `StackSet ${name} not found`);
/** Creates an `OperationNotFoundException` for a stack set. */
export const noStackSetOperation = (id: string): AwsError =>
  cloudformationError('OperationNotFoundException', `Operation ${id} not found`);
/** Creates a `StackInstanceNotFoundException`. */
export const noStackInstance = (set: string, account: string, region: string): AwsError =>
  cloudformationError(
    'StackInstanceNotFoundException',
    `Stack instance not found for StackSet ${set}, account ${account}, region ${region}`,
  );
/** `InvalidOperationException`. */
export const invalidOperation = (message: string): AwsError =>
  cloudformationError('InvalidOperationException', message);

/** Status reason of a change set without changes. */
export const NO_CHANGES =
  "The submitted information didn't contain changes. Submit different information to create a change set.";

/** Whether a change set failed for having no changes. */
export const isNoChangesReason = (reason: string | undefined): boolean => reason === NO_CHANGES;
