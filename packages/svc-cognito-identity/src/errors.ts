import type { CognitoIdentityErrorName } from '@emu/service-types/cognito-identity';
import {
  type AwsError,
  awsError,
  validationError as commonError,
  type ErrorsOf,
  type ValidationFailure,
} from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const cognitoIdentityError: ErrorsOf<CognitoIdentityErrorName> = awsError;

/** `InvalidParameterException`. */
export const invalidParameter = (message: string): AwsError =>
  cognitoIdentityError('InvalidParameterException', message);
/** `NotAuthorizedException`. */
export const notAuthorized = (message: string): AwsError => cognitoIdentityError('NotAuthorizedException', message);
/** Creates a `NotAuthorizedException` for a token. */
export const badToken = (why: string): AwsError => notAuthorized(`Invalid login token. ${why}`);
/** Creates a `NotAuthorizedException` for logins of another identity. */
export const loginsDiffer = (): AwsError =>
  notAuthorized("Logins don't match. Please include at least one valid login for this identity or identity pool.");
/** `ResourceConflictException`. */
export const conflict = (message: string): AwsError => cognitoIdentityError('ResourceConflictException', message);
/** Creates a `ResourceNotFoundException` for a pool. */
export const poolNotFound = (id: string): AwsError =>
  cognitoIdentityError('ResourceNotFoundException', `IdentityPool '${id}' not found.`);
/** Creates a `ResourceNotFoundException` for an identity. */
export const identityNotFound = (id: string): AwsError =>
  cognitoIdentityError('ResourceNotFoundException', `Identity '${id}' not found.`);
/** Creates a `NotAuthorizedException` for an identity that the caller may not use. */
export const forbidden = (id: string): AwsError => notAuthorized(`Access to Identity '${id}' is forbidden.`);
/** `InvalidIdentityPoolConfigurationException`. */
export const badRoles = (): AwsError =>
  cognitoIdentityError(
    'InvalidIdentityPoolConfigurationException',
    'Invalid identity pool configuration. Check assigned IAM roles for this pool.',
  );
/** `DeveloperUserAlreadyRegisteredException`. */
export const developerUserTaken = (): AwsError =>
  cognitoIdentityError(
    'DeveloperUserAlreadyRegisteredException',
    'The provided developer user identifier is already registered with Cognito under a different identity ID.',
  );
/** Creates an `ExternalServiceException` for a provider that only an external call could verify. */
export const providerUnreachable = (provider: string): AwsError =>
  cognitoIdentityError('ExternalServiceException', `Could not communicate with the identity provider ${provider}.`);

/** Creates the error for violated constraints of the model. */
export const validationError = (failures: readonly ValidationFailure[]): AwsError =>
  commonError(failures, 'ValidationException');
