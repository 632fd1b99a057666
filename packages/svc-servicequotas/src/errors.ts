import type { ServicequotasErrorName } from '@emu/service-types/servicequotas';
import { type AwsError, awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const servicequotasError: ErrorsOf<ServicequotasErrorName> = awsError;

/** Creates the error for an unknown resource. */
export const noSuchResource = (message: string): AwsError => servicequotasError('NoSuchResourceException', message);

/** Creates the error for an invalid parameter. */
export const illegalArgument = (message: string): AwsError => servicequotasError('IllegalArgumentException', message);

/** Creates the error for a resource in the wrong state. */
export const invalidState = (message: string): AwsError => servicequotasError('InvalidResourceStateException', message);

/** Creates the error for an existing resource. */
export const alreadyExists = (message: string): AwsError =>
  servicequotasError('ResourceAlreadyExistsException', message);

/** Creates the error for a reached quota of Service Quotas itself. */
export const quotaExceeded = (): AwsError =>
  servicequotasError(
    'QuotaExceededException',
    'You have exceeded your service quota. To perform the requested action, remove some of the relevant resources, or use Service Quotas to request a service quota increase.',
  );
