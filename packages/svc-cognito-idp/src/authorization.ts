import { namedResource, type PassedRoles, permissionOn, type ServiceAuthorization } from '@emu/core/service';
import type { CognitoIdpOperations } from '@emu/service-types/cognito-idp';
import { resources } from './resources.ts';
import type { CognitoState } from './state.ts';

/** Operations that users call without AWS credentials; tokens, codes and passwords authorize them. */
const UNSIGNED: readonly (keyof CognitoIdpOperations)[] = [
  'AssociateSoftwareToken',
  'ChangePassword',
  'CompleteWebAuthnRegistration',
  'ConfirmDevice',
  'ConfirmForgotPassword',
  'ConfirmSignUp',
  'DeleteUser',
  'DeleteUserAttributes',
  'DeleteWebAuthnCredential',
  'ForgetDevice',
  'ForgotPassword',
  'GetDevice',
  'GetTokensFromRefreshToken',
  'GetUser',
  'GetUserAttributeVerificationCode',
  'GetUserAuthFactors',
  'GlobalSignOut',
  'InitiateAuth',
  'ListDevices',
  'ListWebAuthnCredentials',
  'ResendConfirmationCode',
  'RespondToAuthChallenge',
  'RevokeToken',
  'SetUserMFAPreference',
  'SetUserSettings',
  'SignUp',
  'StartWebAuthnRegistration',
  'UpdateAuthEventFeedback',
  'UpdateDeviceStatus',
  'UpdateUserAttributes',
  'VerifySoftwareToken',
  'VerifyUserAttribute',
];

const NONE: readonly [] = [];
const SMS_ROLE: PassedRoles<CognitoState> = { 'SmsConfiguration.SnsCallerArn': 'cognito-idp' };
const ANALYTICS_ROLE: PassedRoles<CognitoState> = { 'AnalyticsConfiguration.RoleArn': 'cognito-idp' };

/**
 * Permissions of Cognito's operations: the action of the same name on the pool; none for operations that users call.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoncognitouserpools.html
 */
export const authorization: ServiceAuthorization<CognitoIdpOperations, CognitoState> = {
  prefix: 'cognito-idp',
  roles: {
    CreateGroup: { RoleArn: 'cognito-idp' },
    CreateUserImportJob: { CloudWatchLogsRoleArn: 'cognito-idp' },
    CreateUserPool: SMS_ROLE,
    CreateUserPoolClient: ANALYTICS_ROLE,
    SetUserPoolMfaConfig: { 'SmsMfaConfiguration.SmsConfiguration.SnsCallerArn': 'cognito-idp' },
    UpdateGroup: { RoleArn: 'cognito-idp' },
    UpdateUserPool: SMS_ROLE,
    UpdateUserPoolClient: ANALYTICS_ROLE,
  },
  operations: Object.fromEntries(UNSIGNED.map((name) => [name, () => NONE])),
  otherwise(operation, input, ctx) {
    const action = `cognito-idp:${operation}`;
    const named = namedResource(resources, input as Readonly<Record<string, unknown>>, ctx, operation);
    if (!named) return { action, resource: '*' };
    return permissionOn(action, named.type, named.address, ctx.handle);
  },
};
