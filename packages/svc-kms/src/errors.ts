import type { KmsErrorName } from '@emu/service-types/kms';
import { type AwsError, awsError } from '@emu/wire';

/** An error that KMS's model names. */
export const kmsError = (code: KmsErrorName, message = ''): AwsError => awsError(code, message);

/** `ValidationException`, which the model does not list. */
export const invalid = (message: string): AwsError => awsError('ValidationException', message);

/** `NotFoundException`. */
export const notFound = (message: string): AwsError => kmsError('NotFoundException', message);
/** `UnsupportedOperationException`, which AWS often sends without a message. */
export const unsupported = (message = ''): AwsError => kmsError('UnsupportedOperationException', message);
/** `KMSInvalidStateException`. */
export const invalidState = (message: string): AwsError => kmsError('KMSInvalidStateException', message);
/** `InvalidCiphertextException`, which AWS sends without a message. */
export const invalidCiphertext = (): AwsError => kmsError('InvalidCiphertextException');

/** A key whose origin an operation does not work with. */
export const wrongOrigin = (arn: string, origin: string): AwsError =>
  unsupported(`${arn} origin is ${origin} which is not valid for this operation.`);

/** What AWS answers where an operation is not the owner's to do, as with keys that AWS manages. */
export const accessDenied = (principal: string, operation: string, arn: string): AwsError =>
  awsError(
    'AccessDeniedException',
    `User: ${principal} is not authorized to perform: kms:${operation} on resource: ${arn} because no resource-based policy allows the kms:${operation} action`,
  );

/** What a ciphertext is answered with whose key the caller cannot see. */
export const unknownCiphertextKey = (): AwsError =>
  awsError(
    'AccessDeniedException',
    'The ciphertext refers to a customer master key that does not exist, does not exist in this region, or you are not allowed to access.',
  );
