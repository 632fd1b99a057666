import { type AnyQuota, defineQuotas, type NumberQuota, PER_SECOND, type RateQuota } from '@emu/core/service';
import type { CognitoIdpOperations } from '@emu/service-types/cognito-idp';
import { cognitoIdpError, limitExceeded } from './errors.ts';
import type { CognitoState } from './state.ts';

type Operation = keyof CognitoIdpOperations;

const facts = (code: string, name: string, defaultValue: number, adjustable: boolean) => ({
  serviceCode: 'cognito-idp',
  code,
  name,
  defaultValue,
  adjustable,
  page: 'https://docs.aws.amazon.com/cognito/latest/developerguide/quotas.html',
});

/** Returns a rate quota shared by a category of operations. */
const rate = (
  code: string,
  name: string,
  perSecond: number,
  adjustable: boolean,
  operations: readonly Operation[],
): RateQuota<CognitoIdpOperations, CognitoState> => ({
  ...facts(code, `Rate of ${name}`, perSecond, adjustable),
  period: PER_SECOND,
  rate: Object.fromEntries(operations.map((operation) => [operation, true])),
  error: () => cognitoIdpError('TooManyRequestsException', 'Rate exceeded', { status: 400 }),
});

/** Returns a quota on the number of something in a pool. */
const perPool = (
  code: string,
  name: string,
  most: number,
  operation: Operation,
  kind: keyof CognitoState['numbers'],
): NumberQuota<CognitoIdpOperations, CognitoState> => ({
  ...facts(code, name, most, true),
  grows: {
    [operation]: ({ UserPoolId }: { UserPoolId: string }, { numbers }: CognitoState) =>
      numbers[kind].of(UserPoolId) + 1,
  },
  error: (limit) => limitExceeded(`The limit of ${limit} has been exceeded: ${name}.`),
});

/**
 * Enforceable quotas of user pools. Challenge responses have a rate that Service Quotas does not list; requests to
 * hosted pages are not operations.
 */
export const quotas: readonly AnyQuota[] = defineQuotas<CognitoIdpOperations, CognitoState>([
  {
    ...facts('L-66E6DF30', 'User pools per account', 1000, true),
    usage: (state) => state.pools.size,
    grows: { CreateUserPool: (_input, state) => state.pools.size + 1 },
    error: (limit) => limitExceeded(`The limit of ${limit} user pools per account has been exceeded.`),
  },
  perPool('L-5EAB0605', 'Apps per user pool', 1000, 'CreateUserPoolClient', 'clients'),
  perPool('L-7CDAF993', 'Resource servers per user pool', 25, 'CreateResourceServer', 'resourceServers'),
  perPool('L-1B44D826', 'Identity providers per user pool', 300, 'CreateIdentityProvider', 'providers'),
  perPool('L-681BB884', 'User import jobs per user pool', 1000, 'CreateUserImportJob', 'importJobs'),
  rate('L-026ADBA3', 'UserAuthentication requests', 120, true, ['AdminInitiateAuth', 'InitiateAuth']),
  rate('L-5987B8A0', 'UserCreation requests', 50, true, [
    'AdminConfirmSignUp',
    'AdminCreateUser',
    'ConfirmSignUp',
    'SignUp',
  ]),
  rate('L-7D6E8ED3', 'UserAccountRecovery requests', 30, false, [
    'AdminResetUserPassword',
    'AdminSetUserPassword',
    'ChangePassword',
    'ConfirmForgotPassword',
    'ForgotPassword',
  ]),
  rate('L-D6BD5178', 'UserRead requests', 120, true, ['AdminGetUser', 'GetUser']),
  rate('L-6621E65D', 'UserUpdate requests', 25, false, [
    'AdminAddUserToGroup',
    'AdminDeleteUser',
    'AdminDeleteUserAttributes',
    'AdminDisableProviderForUser',
    'AdminDisableUser',
    'AdminEnableUser',
    'AdminLinkProviderForUser',
    'AdminRemoveUserFromGroup',
    'AdminUpdateUserAttributes',
    'AdminUserGlobalSignOut',
    'DeleteUser',
    'DeleteUserAttributes',
    'GlobalSignOut',
    'UpdateUserAttributes',
    'VerifyUserAttribute',
  ]),
  rate('L-F21F8BB4', 'UserToken requests', 120, true, ['RevokeToken']),
  rate('L-55545DC8', 'UserResourceRead requests', 50, true, [
    'AdminGetDevice',
    'AdminListDevices',
    'AdminListGroupsForUser',
    'AdminListUserAuthEvents',
    'GetDevice',
    'GetUserAttributeVerificationCode',
    'ListDevices',
    'ResendConfirmationCode',
  ]),
  rate('L-574C86AE', 'UserResourceUpdate requests', 25, false, [
    'AdminForgetDevice',
    'AdminSetUserMFAPreference',
    'AdminSetUserSettings',
    'AdminUpdateAuthEventFeedback',
    'AdminUpdateDeviceStatus',
    'AssociateSoftwareToken',
    'ConfirmDevice',
    'ForgetDevice',
    'SetUserMFAPreference',
    'SetUserSettings',
    'UpdateDeviceStatus',
    'VerifySoftwareToken',
  ]),
  rate('L-259E3368', 'UserList requests', 30, false, ['ListUsers', 'ListUsersInGroup']),
  rate('L-CFFBE34A', 'UserPoolRead requests', 15, false, ['DescribeUserPool', 'ListUserPools']),
  rate('L-60A0B411', 'UserPoolUpdate requests', 15, false, ['CreateUserPool', 'DeleteUserPool', 'UpdateUserPool']),
  rate('L-A01C9633', 'UserPoolResourceRead requests per account', 20, false, [
    'DescribeIdentityProvider',
    'DescribeResourceServer',
    'DescribeRiskConfiguration',
    'DescribeUserImportJob',
    'DescribeUserPoolDomain',
    'GetCSVHeader',
    'GetGroup',
    'GetIdentityProviderByIdentifier',
    'GetSigningCertificate',
    'GetUICustomization',
    'GetUserPoolMfaConfig',
    'ListGroups',
    'ListIdentityProviders',
    'ListResourceServers',
    'ListTagsForResource',
    'ListUserImportJobs',
  ]),
  rate('L-B7575496', 'UserPoolResourceUpdate requests per account', 15, false, [
    'AddCustomAttributes',
    'CreateGroup',
    'CreateIdentityProvider',
    'CreateResourceServer',
    'CreateUserImportJob',
    'CreateUserPoolDomain',
    'DeleteGroup',
    'DeleteIdentityProvider',
    'DeleteResourceServer',
    'DeleteUserPoolDomain',
    'SetRiskConfiguration',
    'SetUICustomization',
    'SetUserPoolMfaConfig',
    'StartUserImportJob',
    'StopUserImportJob',
    'TagResource',
    'UntagResource',
    'UpdateGroup',
    'UpdateIdentityProvider',
    'UpdateResourceServer',
    'UpdateUserPoolDomain',
  ]),
  rate('L-A412573D', 'UserPoolClientRead requests per account', 15, false, [
    'DescribeUserPoolClient',
    'ListUserPoolClients',
  ]),
  rate('L-12C4D74A', 'UserPoolClientUpdate requests per account', 15, false, [
    'CreateUserPoolClient',
    'DeleteUserPoolClient',
    'UpdateUserPoolClient',
  ]),
]);
