import { type AwsError, awsError } from '@emu/wire';

/** Creates the error for an unknown resource. */
export const noSuchResource = (message: string): AwsError => awsError('NoSuchResourceException', message);

/** Creates the error for an invalid parameter. */
export const illegalArgument = (message: string): AwsError => awsError('IllegalArgumentException', message);

/** Creates the error for a resource in the wrong state. */
export const invalidState = (message: string): AwsError => awsError('InvalidResourceStateException', message);

/** Creates the error for an existing resource. */
export const alreadyExists = (message: string): AwsError => awsError('ResourceAlreadyExistsException', message);

/** Creates the error for a reached quota of Service Quotas itself. */
export const quotaExceeded = (): AwsError =>
  awsError(
    'QuotaExceededException',
    'You have exceeded your service quota. To perform the requested action, remove some of the relevant resources, or use Service Quotas to request a service quota increase.',
  );
