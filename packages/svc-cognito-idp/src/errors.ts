import type { CognitoIdpErrorName } from '@emu/service-types/cognito-idp';
import { type AwsError, awsError } from '@emu/wire';

/** Returns an error of Cognito's model. */
const cognitoError = (code: CognitoIdpErrorName, message: string): AwsError => awsError(code, message);

/** `InvalidParameterException`. */
export const invalid = (message: string): AwsError => cognitoError('InvalidParameterException', message);
/** `NotAuthorizedException`. */
export const notAuthorized = (message: string): AwsError => cognitoError('NotAuthorizedException', message);
/** `ResourceNotFoundException`. */
export const notFound = (message: string): AwsError => cognitoError('ResourceNotFoundException', message);
/** `UserNotFoundException`. */
export const userNotFound = (): AwsError => cognitoError('UserNotFoundException', 'User does not exist.');
/** `UsernameExistsException`. */
export const usernameExists = (message: string): AwsError => cognitoError('UsernameExistsException', message);
/** `AliasExistsException`. */
export const aliasExists = (message: string): AwsError => cognitoError('AliasExistsException', message);
/** `InvalidPasswordException`. */
export const invalidPassword = (message: string): AwsError => cognitoError('InvalidPasswordException', message);
/** `PasswordHistoryPolicyViolationException`. */
export const passwordUsed = (): AwsError =>
  cognitoError('PasswordHistoryPolicyViolationException', 'Password has previously been used');
/** `CodeMismatchException`. */
export const codeMismatch = (message = 'Invalid verification code provided, please try again.'): AwsError =>
  cognitoError('CodeMismatchException', message);
/** `ExpiredCodeException`. */
export const expiredCode = (message = 'Invalid code provided, please request a code again.'): AwsError =>
  cognitoError('ExpiredCodeException', message);
/** `CodeDeliveryFailureException`. */
export const codeDeliveryFailure = (message: string): AwsError => cognitoError('CodeDeliveryFailureException', message);
/** `InvalidSmsRoleTrustRelationshipException`. */
export const smsRoleNotTrusted = (): AwsError =>
  cognitoError(
    'InvalidSmsRoleTrustRelationshipException',
    'Role does not have a trust relationship allowing Cognito to assume the role',
  );
/** `LimitExceededException`. */
export const limitExceeded = (message: string): AwsError => cognitoError('LimitExceededException', message);
/** `UserNotConfirmedException`. */
export const userNotConfirmed = (): AwsError => cognitoError('UserNotConfirmedException', 'User is not confirmed.');
/** `PasswordResetRequiredException`. */
export const passwordResetRequired = (): AwsError =>
  cognitoError('PasswordResetRequiredException', 'Password reset required for the user');
/** `GroupExistsException`. */
export const groupExists = (): AwsError =>
  cognitoError('GroupExistsException', 'A group with the name already exists.');
/** `UserLambdaValidationException`. */
export const lambdaValidation = (message: string): AwsError => cognitoError('UserLambdaValidationException', message);
/** `UnexpectedLambdaException`. */
export const unexpectedLambda = (message: string): AwsError => cognitoError('UnexpectedLambdaException', message);
/** `InvalidLambdaResponseException`. */
export const invalidLambdaResponse = (message: string): AwsError =>
  cognitoError('InvalidLambdaResponseException', message);
/** `EnableSoftwareTokenMFAException`. */
export const softwareTokenMismatch = (message: string): AwsError =>
  cognitoError('EnableSoftwareTokenMFAException', message);
/** `SoftwareTokenMFANotFoundException`. */
export const softwareTokenNotFound = (): AwsError =>
  cognitoError('SoftwareTokenMFANotFoundException', 'Software Token MFA has not been enabled by the userpool.');
/** `InvalidUserPoolConfigurationException`. */
export const invalidConfiguration = (message: string): AwsError =>
  cognitoError('InvalidUserPoolConfigurationException', message);
/** `UnsupportedUserStateException`. */
export const unsupportedUserState = (message: string): AwsError =>
  cognitoError('UnsupportedUserStateException', message);
/** `UnsupportedTokenTypeException`. */
export const unsupportedTokenType = (message: string): AwsError =>
  cognitoError('UnsupportedTokenTypeException', message);
/** `UnsupportedOperationException`. */
export const unsupportedOperation = (message: string): AwsError =>
  cognitoError('UnsupportedOperationException', message);
/** `RefreshTokenReuseException`. */
export const refreshTokenReuse = (): AwsError =>
  cognitoError('RefreshTokenReuseException', 'Refresh token has been invalidated by rotation');
/** `ScopeDoesNotExistException`. */
export const scopeDoesNotExist = (message: string): AwsError => cognitoError('ScopeDoesNotExistException', message);
/** `InvalidOAuthFlowException`. */
export const invalidOAuthFlow = (message: string): AwsError => cognitoError('InvalidOAuthFlowException', message);
/** `DuplicateProviderException`. */
export const duplicateProvider = (message: string): AwsError => cognitoError('DuplicateProviderException', message);
/** `TermsExistsException`. */
export const termsExist = (message: string): AwsError => cognitoError('TermsExistsException', message);
/** `FeatureUnavailableInTierException`. */
export const unavailableInTier = (message: string): AwsError =>
  cognitoError('FeatureUnavailableInTierException', message);
/** `UserPoolTaggingException`. */
export const taggingRefused = (message: string): AwsError => cognitoError('UserPoolTaggingException', message);
/** `UserPoolAddOnNotEnabledException`. */
export const addOnNotEnabled = (message: string): AwsError => cognitoError('UserPoolAddOnNotEnabledException', message);
/** Returns the 501 error for a setting that emu does not emulate. */
export const settingNotImplemented = (setting: string): AwsError =>
  awsError('NotImplemented', `emu does not implement ${setting} of user pools.`, { status: 501 });
/** `UserImportInProgressException`. */
export const importInProgress = (message: string): AwsError => cognitoError('UserImportInProgressException', message);
/** `PreconditionNotMetException`. */
export const preconditionNotMet = (message: string): AwsError => cognitoError('PreconditionNotMetException', message);
/** `ManagedLoginBrandingExistsException`. */
export const brandingExists = (message: string): AwsError =>
  cognitoError('ManagedLoginBrandingExistsException', message);
/** `WebAuthnNotEnabledException`. */
export const passkeysNotEnabled = (): AwsError =>
  cognitoError('WebAuthnNotEnabledException', 'WebAuthn is not enabled for this user pool.');
/** `WebAuthnConfigurationMissingException`. */
export const passkeysNotConfigured = (): AwsError =>
  cognitoError('WebAuthnConfigurationMissingException', 'The user pool has no relying party for passkeys.');
/** `WebAuthnChallengeNotFoundException`. */
export const passkeyChallengeNotFound = (message: string): AwsError =>
  cognitoError('WebAuthnChallengeNotFoundException', message);
/** `WebAuthnCredentialNotSupportedException`. */
export const passkeyNotSupported = (message: string): AwsError =>
  cognitoError('WebAuthnCredentialNotSupportedException', message);
/** `WebAuthnOriginNotAllowedException`. */
export const passkeyOriginNotAllowed = (): AwsError =>
  cognitoError(
    'WebAuthnOriginNotAllowedException',
    'The origin of the credential is not allowed for the relying party.',
  );
/** `WebAuthnRelyingPartyMismatchException`. */
export const passkeyRelyingPartyMismatch = (): AwsError =>
  cognitoError('WebAuthnRelyingPartyMismatchException', 'The credential is of another relying party.');
