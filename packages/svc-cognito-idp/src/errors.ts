import { notEmulated } from '@emu/core/service';
import type { CognitoIdpErrorName } from '@emu/service-types/cognito-idp';
import { type AwsError, awsError, type ErrorsOf } from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const cognitoIdpError: ErrorsOf<CognitoIdpErrorName> = awsError;

/** `InvalidParameterException`. */
export const invalidParameter = (message: string): AwsError => cognitoIdpError('InvalidParameterException', message);
/** `NotAuthorizedException`. */
export const notAuthorized = (message: string): AwsError => cognitoIdpError('NotAuthorizedException', message);
/** `ResourceNotFoundException`. */
export const notFound = (message: string): AwsError => cognitoIdpError('ResourceNotFoundException', message);
/** `UserNotFoundException`. */
export const userNotFound = (): AwsError => cognitoIdpError('UserNotFoundException', 'User does not exist.');
/** `UserNotFoundException` of operations for clients, such as ForgotPassword and ConfirmSignUp. */
export const clientUserNotFound = (): AwsError =>
  cognitoIdpError('UserNotFoundException', 'Username/client id combination not found.');
/** `UsernameExistsException`. */
export const usernameExists = (message: string): AwsError => cognitoIdpError('UsernameExistsException', message);
/** `AliasExistsException`. */
export const aliasExists = (message: string): AwsError => cognitoIdpError('AliasExistsException', message);
/** `InvalidPasswordException`. */
export const invalidPassword = (message: string): AwsError => cognitoIdpError('InvalidPasswordException', message);
/** `PasswordHistoryPolicyViolationException`. */
export const passwordUsed = (): AwsError =>
  cognitoIdpError('PasswordHistoryPolicyViolationException', 'Password has previously been used');
/** `CodeMismatchException`. */
export const codeMismatch = (message = 'Invalid verification code provided, please try again.'): AwsError =>
  cognitoIdpError('CodeMismatchException', message);
/** `ExpiredCodeException`. */
export const expiredCode = (message = 'Invalid code provided, please request a code again.'): AwsError =>
  cognitoIdpError('ExpiredCodeException', message);
/** `CodeDeliveryFailureException`. */
export const codeDeliveryFailure = (message: string): AwsError =>
  cognitoIdpError('CodeDeliveryFailureException', message);
/** `InvalidSmsRoleTrustRelationshipException`. */
export const smsRoleNotTrusted = (): AwsError =>
  cognitoIdpError(
    'InvalidSmsRoleTrustRelationshipException',
    'Role does not have a trust relationship allowing Cognito to assume the role',
  );
/** `LimitExceededException`. */
export const limitExceeded = (message: string): AwsError => cognitoIdpError('LimitExceededException', message);
/** `UserNotConfirmedException`. */
export const userNotConfirmed = (): AwsError => cognitoIdpError('UserNotConfirmedException', 'User is not confirmed.');
/** `PasswordResetRequiredException`. */
export const passwordResetRequired = (): AwsError =>
  cognitoIdpError('PasswordResetRequiredException', 'Password reset required for the user');
/** `GroupExistsException`. */
export const groupExists = (): AwsError =>
  cognitoIdpError('GroupExistsException', 'A group with the name already exists.');
/** `UserLambdaValidationException`. */
export const lambdaValidation = (message: string): AwsError =>
  cognitoIdpError('UserLambdaValidationException', message);
/** `UnexpectedLambdaException`. */
export const unexpectedLambda = (message: string): AwsError => cognitoIdpError('UnexpectedLambdaException', message);
/** `InvalidLambdaResponseException`. */
export const invalidLambdaResponse = (message: string): AwsError =>
  cognitoIdpError('InvalidLambdaResponseException', message);
/** `EnableSoftwareTokenMFAException`. */
export const softwareTokenMismatch = (message: string): AwsError =>
  cognitoIdpError('EnableSoftwareTokenMFAException', message);
/** `SoftwareTokenMFANotFoundException`. */
export const softwareTokenNotFound = (): AwsError =>
  cognitoIdpError('SoftwareTokenMFANotFoundException', 'Software Token MFA has not been enabled by the userpool.');
/** `InvalidUserPoolConfigurationException`. */
export const invalidConfiguration = (message: string): AwsError =>
  cognitoIdpError('InvalidUserPoolConfigurationException', message);
/** `UnsupportedUserStateException`. */
export const unsupportedUserState = (message: string): AwsError =>
  cognitoIdpError('UnsupportedUserStateException', message);
/** `UnsupportedTokenTypeException`. */
export const unsupportedTokenType = (message: string): AwsError =>
  cognitoIdpError('UnsupportedTokenTypeException', message);
/** `UnsupportedOperationException`. */
export const unsupportedOperation = (message: string): AwsError =>
  cognitoIdpError('UnsupportedOperationException', message);
/** `RefreshTokenReuseException`. */
export const refreshTokenReuse = (): AwsError =>
  cognitoIdpError('RefreshTokenReuseException', 'Refresh token has been invalidated by rotation');
/** `ScopeDoesNotExistException`. */
export const scopeDoesNotExist = (message: string): AwsError => cognitoIdpError('ScopeDoesNotExistException', message);
/** `InvalidOAuthFlowException`. */
export const invalidOAuthFlow = (message: string): AwsError => cognitoIdpError('InvalidOAuthFlowException', message);
/** `DuplicateProviderException`. */
export const duplicateProvider = (message: string): AwsError => cognitoIdpError('DuplicateProviderException', message);
/** `TermsExistsException`. */
export const termsExist = (message: string): AwsError => cognitoIdpError('TermsExistsException', message);
/** `FeatureUnavailableInTierException`. */
export const unavailableInTier = (message: string): AwsError =>
  cognitoIdpError('FeatureUnavailableInTierException', message);
/** `UserPoolTaggingException`. */
export const taggingRefused = (message: string): AwsError => cognitoIdpError('UserPoolTaggingException', message);
/** `UserPoolAddOnNotEnabledException`. */
export const addOnNotEnabled = (message: string): AwsError =>
  cognitoIdpError('UserPoolAddOnNotEnabledException', message);
/** Returns the 501 error for a setting that emu does not emulate. */
export const settingNotImplemented = (setting: string): AwsError => notEmulated(`${setting} of user pools`);
/** `UserImportInProgressException`. */
export const importInProgress = (message: string): AwsError =>
  cognitoIdpError('UserImportInProgressException', message);
/** `PreconditionNotMetException`. */
export const preconditionNotMet = (message: string): AwsError =>
  cognitoIdpError('PreconditionNotMetException', message);
/** `ManagedLoginBrandingExistsException`. */
export const brandingExists = (message: string): AwsError =>
  cognitoIdpError('ManagedLoginBrandingExistsException', message);
/** `WebAuthnNotEnabledException`. */
export const passkeysNotEnabled = (): AwsError =>
  cognitoIdpError('WebAuthnNotEnabledException', 'WebAuthn is not enabled for this user pool.');
/** `WebAuthnConfigurationMissingException`. */
export const passkeysNotConfigured = (): AwsError =>
  cognitoIdpError('WebAuthnConfigurationMissingException', 'The user pool has no relying party for passkeys.');
/** `WebAuthnChallengeNotFoundException`. */
export const passkeyChallengeNotFound = (message: string): AwsError =>
  cognitoIdpError('WebAuthnChallengeNotFoundException', message);
/** `WebAuthnCredentialNotSupportedException`. */
export const passkeyNotSupported = (message: string): AwsError =>
  cognitoIdpError('WebAuthnCredentialNotSupportedException', message);
/** `WebAuthnOriginNotAllowedException`. */
export const passkeyOriginNotAllowed = (): AwsError =>
  cognitoIdpError(
    'WebAuthnOriginNotAllowedException',
    'The origin of the credential is not allowed for the relying party.',
  );
/** `WebAuthnRelyingPartyMismatchException`. */
export const passkeyRelyingPartyMismatch = (): AwsError =>
  cognitoIdpError('WebAuthnRelyingPartyMismatchException', 'The credential is of another relying party.');
