import { manifest as cognito } from '@emu/svc-cognito-idp/manifest';
import { describeTypes, type Env, typeCase } from './support.ts';

const poolOf = async (env: Env) => (await env.make('AWS::Cognito::UserPool', { UserPoolName: 'pool' })).id;
const service = 'needs a function, a role or a verified address';

describeTypes(
  [cognito],
  [
    typeCase({
      type: 'AWS::Cognito::UserPool',
      least: () => ({ UserPoolName: 'first' }),
      most: () => ({
        AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
        AutoVerifiedAttributes: ['email'],
        DeviceConfiguration: { ChallengeRequiredOnNewDevice: true, DeviceOnlyRememberedOnUserPrompt: false },
        Policies: { PasswordPolicy: { MinimumLength: 12, RequireSymbols: false } },
        UserPoolName: 'second',
        UserPoolTags: { a: '1' },
      }),
      other: () => ({
        Schema: [{ Name: 'plan', AttributeDataType: 'String', Mutable: true }],
        UsernameAttributes: ['email'],
        UsernameConfiguration: { CaseSensitive: false },
      }),
      unread: { Schema: 'pools tell their standard attributes as well' },
      untried: {
        AccountRecoverySetting: 'has a default of its own',
        AliasAttributes: 'not with UsernameAttributes',
        DeletionProtection: 'such a pool cannot be deleted',
        EmailConfiguration: service,
        EmailVerificationMessage: 'is the same as a part of VerificationMessageTemplate',
        EmailVerificationSubject: 'is the same as a part of VerificationMessageTemplate',
        LambdaConfig: service,
        MfaConfiguration: service,
        SmsAuthenticationMessage: service,
        SmsConfiguration: service,
        SmsVerificationMessage: 'is the same as a part of VerificationMessageTemplate',
        UserAttributeUpdateSettings: 'only of attributes that are verified',
        UserPoolAddOns: 'only of a plan with threat protection',
        UserPoolTier: 'has a default of its own',
        VerificationMessageTemplate: 'has a default of its own',
      },
    }),
    typeCase({
      type: 'AWS::Cognito::UserPoolClient',
      needs: poolOf,
      least: (UserPoolId) => ({ UserPoolId, ClientName: 'first' }),
      most: () => ({
        AccessTokenValidity: 10,
        AllowedOAuthFlows: ['code'],
        AllowedOAuthFlowsUserPoolClient: true,
        AllowedOAuthScopes: ['openid'],
        CallbackURLs: ['https://a.example.com/in'],
        ClientName: 'second',
        DefaultRedirectURI: 'https://a.example.com/in',
        ExplicitAuthFlows: ['ALLOW_USER_PASSWORD_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
        IdTokenValidity: 20,
        LogoutURLs: ['https://a.example.com/out'],
        PreventUserExistenceErrors: 'ENABLED',
        RefreshTokenValidity: 5,
        SupportedIdentityProviders: ['COGNITO'],
        TokenValidityUnits: { AccessToken: 'minutes', IdToken: 'minutes', RefreshToken: 'days' },
      }),
      other: () => ({ GenerateSecret: true }),
      untried: {
        AnalyticsConfiguration: 'needs a project of another service',
        AuthSessionValidity: 'has a default of its own',
        EnablePropagateAdditionalUserContextData: 'only of clients with a secret',
        EnableTokenRevocation: 'is true by default',
        ReadAttributes: 'has a default of its own',
        RefreshTokenRotation: 'has a default of its own',
        WriteAttributes: 'has a default of its own',
      },
    }),
  ],
);
