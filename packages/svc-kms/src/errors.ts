import type { KmsErrorName } from '@emu/service-types/kms';
import { type AwsError, awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const kmsError: ErrorsOf<
  | KmsErrorName
  | 'AccessDeniedException'
  | 'InvalidRequestException'
  | 'NotAuthorizedException'
  | 'NotImplemented'
  | 'ThrottlingException'
  | 'ValidationException'
> = awsError;

/** Creates a `ValidationException`, which the model lacks. */
export const invalid = (message: string): AwsError => kmsError('ValidationException', message);

/** `NotFoundException`. */
export const notFound = (message: string): AwsError => kmsError('NotFoundException', message);
/** Creates an `UnsupportedOperationException`, which AWS often sends without a message. */
export const unsupportedOperation = (message = ''): AwsError => kmsError('UnsupportedOperationException', message);
/** `KMSInvalidStateException`. */
export const invalidState = (message: string): AwsError => kmsError('KMSInvalidStateException', message);
/** Creates an `InvalidCiphertextException`, which AWS sends without a message. */
export const invalidCiphertext = (): AwsError => kmsError('InvalidCiphertextException', '');

/** Creates the error for a key whose origin does not support the operation. */
export const wrongOrigin = (arn: string, origin: string): AwsError =>
  unsupportedOperation(`${arn} origin is ${origin} which is not valid for this operation.`);

/** Creates AWS's error for an operation that the owner may not use, as for AWS managed keys. */
export const accessDenied = (principal: string, operation: string, arn: string): AwsError =>
  kmsError(
    'AccessDeniedException',
    `User: ${principal} is not authorized to perform: kms:${operation} on resource: ${arn} because no resource-based policy allows the kms:${operation} action`,
  );

/** Creates the error for a ciphertext whose key is not visible to the caller. */
export const unknownCiphertextKey = (): AwsError =>
  kmsError(
    'AccessDeniedException',
    'The ciphertext refers to a customer master key that does not exist, does not exist in this region, or you are not allowed to access.',
  );
