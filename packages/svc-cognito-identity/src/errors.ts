import type { CognitoIdentityErrorName } from '@emu/service-types/cognito-identity';
import { type AwsError, awsError, validationError as commonError, type ValidationFailure } from '@emu/wire';

const identityError = (code: CognitoIdentityErrorName, message: string): AwsError => awsError(code, message);

/** `InvalidParameterException`. */
export const invalid = (message: string): AwsError => identityError('InvalidParameterException', message);
/** `NotAuthorizedException`. */
export const notAuthorized = (message: string): AwsError => identityError('NotAuthorizedException', message);
/** `NotAuthorizedException` of a token. */
export const badToken = (why: string): AwsError => notAuthorized(`Invalid login token. ${why}`);
/** `NotAuthorizedException` of logins that are not the identity's. */
export const loginsDiffer = (): AwsError =>
  notAuthorized("Logins don't match. Please include at least one valid login for this identity or identity pool.");
/** `ResourceConflictException`. */
export const conflict = (message: string): AwsError => identityError('ResourceConflictException', message);
/** `ResourceNotFoundException` of a pool. */
export const poolNotFound = (id: string): AwsError =>
  identityError('ResourceNotFoundException', `IdentityPool '${id}' not found.`);
/** `ResourceNotFoundException` of an identity. */
export const identityNotFound = (id: string): AwsError =>
  identityError('ResourceNotFoundException', `Identity '${id}' not found.`);
/** `NotAuthorizedException` of an identity that is not the caller's to use. */
export const forbidden = (id: string): AwsError => notAuthorized(`Access to Identity '${id}' is forbidden.`);
/** `InvalidIdentityPoolConfigurationException`. */
export const badRoles = (): AwsError =>
  identityError(
    'InvalidIdentityPoolConfigurationException',
    'Invalid identity pool configuration. Check assigned IAM roles for this pool.',
  );
/** `DeveloperUserAlreadyRegisteredException`. */
export const developerUserTaken = (): AwsError =>
  identityError(
    'DeveloperUserAlreadyRegisteredException',
    'The provided developer user identifier is already registered with Cognito under a different identity ID.',
  );
/** `ExternalServiceException` of a provider that would have to be asked. */
export const providerUnreachable = (provider: string): AwsError =>
  identityError('ExternalServiceException', `Could not communicate with the identity provider ${provider}.`);

/** Broken constraints of the model. */
export function validationError(failures: readonly ValidationFailure[]): AwsError {
  return commonError(failures, 'ValidationException');
}
