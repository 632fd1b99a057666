import { type AwsError, awsError } from '@emu/wire';

/** What the request names is not there. */
export const noSuchResource = (message: string): AwsError => awsError('NoSuchResourceException', message);

/** A parameter is refused. */
export const illegalArgument = (message: string): AwsError => awsError('IllegalArgumentException', message);

/** What the request names is in no state for it. */
export const invalidState = (message: string): AwsError => awsError('InvalidResourceStateException', message);

/** What is to be made is there already. */
export const alreadyExists = (message: string): AwsError => awsError('ResourceAlreadyExistsException', message);

/** One of Service Quotas' own quotas is reached. */
export const quotaExceeded = (): AwsError =>
  awsError(
    'QuotaExceededException',
    'You have exceeded your service quota. To perform the requested action, remove some of the relevant resources, or use Service Quotas to request a service quota increase.',
  );
