import { manifest as identity } from '@emu/svc-cognito-identity/manifest';
import { manifest as cognito } from '@emu/svc-cognito-idp/manifest';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { describeTypes, type Env, typeCase, typeVariant } from './support.ts';

const poolOf = async (env: Env) => (await env.make('AWS::Cognito::UserPool', { UserPoolName: 'pool' })).id;
let domains = 0;

/** Creates two pools, each with a client. */
async function clientsOf(env: Env) {
  const of = async () => {
    const pool = (
      await env.make('AWS::Cognito::UserPool', {
        UserPoolName: 'pool',
        UserPoolAddOns: { AdvancedSecurityMode: 'ENFORCED' },
        UserPoolTier: 'PLUS',
      })
    ).id;
    const client = (await env.make('AWS::Cognito::UserPoolClient', { UserPoolId: pool })).attributes.ClientId!;
    return { pool, client };
  };
  return [await of(), await of()] as const;
}

const roleOf = async (env: Env) =>
  (
    await env.make('AWS::IAM::Role', {
      AssumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Principal: { Federated: 'cognito-identity.amazonaws.com' },
            Action: 'sts:AssumeRoleWithWebIdentity',
          },
        ],
      },
    })
  ).attributes.Arn!;

const identityPoolOf = async (env: Env) =>
  (await env.make('AWS::Cognito::IdentityPool', { AllowUnauthenticatedIdentities: true })).id;

const message = 'says only how the user is told';
const service = 'needs a function, a role or a verified address';

describeTypes(
  [cognito, iam, identity],
  [
    typeCase({
      type: 'AWS::Cognito::UserPool',
      deployed: { refuses: 'Updates are not allowed for property - UsernameAttributes.' },
      least: () => ({ UserPoolName: 'first' }),
      most: () => ({
        AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
        AutoVerifiedAttributes: ['email'],
        EnabledMfas: ['SOFTWARE_TOKEN_MFA'],
        MfaConfiguration: 'OPTIONAL',
        DeviceConfiguration: { ChallengeRequiredOnNewDevice: true, DeviceOnlyRememberedOnUserPrompt: false },
        Policies: { PasswordPolicy: { MinimumLength: 12, RequireSymbols: false } },
        UserPoolName: 'second',
        WebAuthnRelyingPartyID: 'login.example.com',
        WebAuthnUserVerification: 'required',
        UserPoolTags: { a: '1' },
      }),
      other: () => ({
        Schema: [{ Name: 'plan', AttributeDataType: 'String', Mutable: true }],
        UsernameAttributes: ['email'],
        UsernameConfiguration: { CaseSensitive: false },
      }),
      kept: {
        WebAuthnRelyingPartyID: 'cannot be taken away',
        WebAuthnUserVerification: 'cannot be taken away',
      },
      unread: { Schema: 'pools tell their standard attributes as well' },
      variants: {
        'with functions, texts and a plan': typeVariant({
          needs: roleOf,
          least: () => ({ UserPoolName: 'plain', AutoVerifiedAttributes: ['email'] }),
          most: (role) => ({
            AccountRecoverySetting: { RecoveryMechanisms: [{ Name: 'verified_email', Priority: 1 }] },
            EmailConfiguration: { ReplyToEmailAddress: 'a@example.com' },
            LambdaConfig: { PreSignUp: 'arn:aws:lambda:us-east-1:123456789012:function:sign-up' },
            SmsAuthenticationMessage: 'Code: {####}',
            SmsConfiguration: { SnsCallerArn: role, ExternalId: 'pool' },
            UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: ['email'] },
            UserPoolAddOns: { AdvancedSecurityMode: 'AUDIT' },
            UserPoolTier: 'PLUS',
            VerificationMessageTemplate: { DefaultEmailOption: 'CONFIRM_WITH_LINK' },
          }),
          other: () => ({ AliasAttributes: ['email'] }),
          deployed: { refuses: 'Updates are not allowed for property - AliasAttributes.' },
        }),
        'with passkeys and SMS, without second factors': typeVariant({
          needs: roleOf,
          least: () => ({ UserPoolName: 'passkeys' }),
          most: (role) => ({
            SmsConfiguration: { ExternalId: 'e', SnsCallerArn: role },
            WebAuthnRelyingPartyID: 'login.example.com',
            WebAuthnUserVerification: 'required',
          }),
          other: () => ({ UserPoolName: 'others' }),
          kept: {
            WebAuthnRelyingPartyID: 'cannot be taken away',
            WebAuthnUserVerification: 'cannot be taken away',
          },
        }),
        'with texts of the older form': typeVariant({
          least: () => ({ UserPoolName: 'older' }),
          most: () => ({
            EmailVerificationMessage: 'Your code: {####}',
            EmailVerificationSubject: 'Your code',
            SmsVerificationMessage: 'Code: {####}',
          }),
          other: () => ({ UserPoolName: 'oldest' }),
        }),
      },
      untried: {
        DeletionProtection: 'such a pool cannot be deleted',
        EmailAuthenticationMessage: service,
        EmailAuthenticationSubject: service,
        WebAuthnFactorConfiguration: 'has a default of its own',
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
      variants: {
        'with a secret': typeVariant({
          needs: poolOf,
          least: (UserPoolId) => ({ UserPoolId, ClientName: 'secret', GenerateSecret: true }),
          most: () => ({
            AuthSessionValidity: 5,
            EnablePropagateAdditionalUserContextData: true,
            EnableTokenRevocation: false,
            ReadAttributes: ['email'],
            RefreshTokenRotation: { Feature: 'ENABLED', RetryGracePeriodSeconds: 10 },
            WriteAttributes: ['email'],
          }),
          other: () => ({ ClientName: 'other' }),
        }),
      },
      untried: { AnalyticsConfiguration: 'needs a project of another service' },
    }),
    typeCase({
      type: 'AWS::Cognito::UserPoolGroup',
      needs: async (env) => ({ pool: await poolOf(env), role: await roleOf(env) }),
      least: ({ pool }) => ({ UserPoolId: pool }),
      most: ({ role }) => ({ Description: 'described', Precedence: 3, RoleArn: role }),
      other: () => ({ GroupName: 'named' }),
      kept: { Precedence: 'cannot be taken away', RoleArn: 'cannot be taken away' },
    }),
    typeCase({
      type: 'AWS::Cognito::UserPoolIdentityProvider',
      deployed: { drifts: { ProviderDetails: 'Cognito adds the addresses of a known provider' } },
      needs: poolOf,
      least: (UserPoolId) => ({
        UserPoolId,
        ProviderName: 'Google',
        ProviderType: 'Google',
        ProviderDetails: { client_id: 'a', client_secret: 'b', authorize_scopes: 'openid' },
      }),
      most: () => ({
        AttributeMapping: { email: 'email', username: 'sub' },
        IdpIdentifiers: ['one'],
        ProviderDetails: { client_id: 'c', client_secret: 'd', authorize_scopes: 'openid email' },
      }),
      other: () => ({
        ProviderName: 'Facebook',
        ProviderType: 'Facebook',
        AttributeMapping: { email: 'email', username: 'id' },
        IdpIdentifiers: ['two'],
      }),
    }),
    typeCase({
      type: 'AWS::Cognito::UserPoolResourceServer',
      needs: poolOf,
      least: (UserPoolId) => ({ UserPoolId, Identifier: 'https://one.example.com', Name: 'one' }),
      most: () => ({ Name: 'renamed', Scopes: [{ ScopeName: 'read', ScopeDescription: 'reads' }] }),
      other: () => ({ Identifier: 'https://two.example.com' }),
    }),
    typeCase({
      type: 'AWS::Cognito::UserPoolDomain',
      needs: clientsOf,
      least: ([one]) => ({ UserPoolId: one.pool, Domain: 'first-prefix' }),
      most: () => ({ ManagedLoginVersion: 2 }),
      other: ([, two]) => ({
        UserPoolId: two.pool,
        Domain: 'second-prefix',
      }),
      untried: { CustomDomainConfig: 'needs a certificate' },
    }),
    typeCase({
      type: 'AWS::Cognito::Terms',
      needs: clientsOf,
      least: ([one]) => ({
        UserPoolId: one.pool,
        ClientId: one.client,
        Enforcement: 'NONE',
        Links: { 'cognito:default': 'https://example.com/terms' },
        TermsName: 'terms-of-use',
        TermsSource: 'LINK',
      }),
      most: () => ({ Links: { 'cognito:default': 'https://example.com/privacy' }, TermsName: 'privacy-policy' }),
      other: ([, two]) => ({ UserPoolId: two.pool, ClientId: two.client }),
    }),
    typeCase({
      type: 'AWS::Cognito::UserPoolUser',
      needs: poolOf,
      least: (UserPoolId) => ({ UserPoolId }),
      other: () => ({
        Username: 'named',
        UserAttributes: [{ Name: 'email', Value: 'a@example.com' }],
        MessageAction: 'SUPPRESS',
        DesiredDeliveryMediums: ['EMAIL'],
        ForceAliasCreation: false,
        ClientMetadata: { a: '1' },
        ValidationData: [{ Name: 'a', Value: '1' }],
      }),
      unread: {
        ClientMetadata: message,
        DesiredDeliveryMediums: message,
        ForceAliasCreation: 'says only how the user is made',
        MessageAction: message,
        ValidationData: 'is only for a function',
      },
    }),
    typeCase({
      type: 'AWS::Cognito::UserPoolUserToGroupAttachment',
      needs: async (env) => {
        const UserPoolId = await poolOf(env);
        const last = (id: string) => id.slice(id.indexOf('|') + 1);
        const [group, one, two] = [
          await env.make('AWS::Cognito::UserPoolGroup', { UserPoolId }),
          await env.make('AWS::Cognito::UserPoolUser', { UserPoolId }),
          await env.make('AWS::Cognito::UserPoolUser', { UserPoolId }),
        ].map(({ id }) => last(id));
        return { UserPoolId, group: group!, one: one!, two: two! };
      },
      least: ({ UserPoolId, group, one }) => ({ UserPoolId, GroupName: group, Username: one }),
      other: ({ two }) => ({ Username: two }),
    }),
    typeCase({
      type: 'AWS::Cognito::UserPoolRiskConfigurationAttachment',
      needs: clientsOf,
      least: ([one]) => ({
        UserPoolId: one.pool,
        ClientId: one.client,
        CompromisedCredentialsRiskConfiguration: { Actions: { EventAction: 'BLOCK' } },
      }),
      most: () => ({
        CompromisedCredentialsRiskConfiguration: { Actions: { EventAction: 'NO_ACTION' }, EventFilter: ['SIGN_IN'] },
        RiskExceptionConfiguration: { BlockedIPRangeList: ['192.0.2.0/24'] },
      }),
      other: ([, two]) => ({ UserPoolId: two.pool, ClientId: 'ALL' }),
      untried: { AccountTakeoverRiskConfiguration: service },
    }),
    typeCase({
      type: 'AWS::Cognito::UserPoolUICustomizationAttachment',
      needs: async (env) => {
        const [one, two] = await clientsOf(env);
        for (const { pool } of [one, two])
          await env.make('AWS::Cognito::UserPoolDomain', { UserPoolId: pool, Domain: `pages-${++domains}` });
        return [one, two] as const;
      },
      least: ([one]) => ({ UserPoolId: one.pool, ClientId: one.client }),
      most: () => ({ CSS: '.label-customizable { font-weight: 400; }' }),
      other: ([, two]) => ({ UserPoolId: two.pool, ClientId: 'ALL' }),
    }),
    typeCase({
      type: 'AWS::Cognito::ManagedLoginBranding',
      needs: clientsOf,
      least: ([one]) => ({ UserPoolId: one.pool, ClientId: one.client }),
      most: () => ({
        Assets: [{ Category: 'FORM_LOGO', ColorMode: 'LIGHT', Extension: 'SVG', Bytes: 'PHN2Zy8+' }],
        Settings: { components: { form: { borderRadius: 3 } } },
        UseCognitoProvidedValues: false,
      }),
      other: ([, two]) => ({ UserPoolId: two.pool, ClientId: two.client }),
      kept: { UseCognitoProvidedValues: 'is returned' },
    }),
    typeCase({
      type: 'AWS::Cognito::LogDeliveryConfiguration',
      needs: clientsOf,
      least: ([one]) => ({
        UserPoolId: one.pool,
        LogConfigurations: [
          {
            EventSource: 'userNotification',
            LogLevel: 'ERROR',
            CloudWatchLogsConfiguration: { LogGroupArn: 'arn:aws:logs:us-east-1:123456789012:log-group:one' },
          },
        ],
      }),
      most: () => ({
        LogConfigurations: [
          {
            EventSource: 'userAuthEvents',
            LogLevel: 'INFO',
            S3Configuration: { BucketArn: 'arn:aws:s3:::logs' },
          },
        ],
      }),
      other: ([, two]) => ({ UserPoolId: two.pool }),
    }),
    typeCase({
      type: 'AWS::Cognito::IdentityPool',
      needs: async (env) => {
        const { pool, client } = (await clientsOf(env))[0];
        return { ClientId: client, ProviderName: `cognito-idp.us-east-1.amazonaws.com/${pool}` };
      },
      least: () => ({ AllowUnauthenticatedIdentities: false }),
      most: ({ ClientId, ProviderName }) => ({
        AllowClassicFlow: true,
        AllowUnauthenticatedIdentities: true,
        CognitoIdentityProviders: [{ ClientId, ProviderName, ServerSideTokenCheck: true }],
        DeveloperProviderName: 'login.example.com',
        IdentityPoolName: 'renamed',
        IdentityPoolTags: [{ Key: 'a', Value: '1' }],
        OpenIdConnectProviderARNs: ['arn:aws:iam::000000000000:oidc-provider/a.example.com'],
        SamlProviderARNs: ['arn:aws:iam::000000000000:saml-provider/one'],
        SupportedLoginProviders: { 'graph.facebook.com': '123' },
      }),
      kept: { DeveloperProviderName: 'cannot be taken away', IdentityPoolName: 'has no default' },
    }),
    typeCase({
      type: 'AWS::Cognito::IdentityPoolRoleAttachment',
      needs: async (env) => ({
        one: await identityPoolOf(env),
        two: await identityPoolOf(env),
        role: await roleOf(env),
        ...(await clientsOf(env))[0],
      }),
      least: ({ one, role }) => ({ IdentityPoolId: one, Roles: { authenticated: role } }),
      most: ({ client, pool, role }) => ({
        Roles: { authenticated: role, unauthenticated: role },
        RoleMappings: {
          own: {
            IdentityProvider: `cognito-idp.us-east-1.amazonaws.com/${pool}:${client}`,
            Type: 'Token',
            AmbiguousRoleResolution: 'Deny',
          },
        },
      }),
      other: ({ two }) => ({ IdentityPoolId: two }),
    }),
    typeCase({
      type: 'AWS::Cognito::IdentityPoolPrincipalTag',
      needs: async (env) => [await identityPoolOf(env), await identityPoolOf(env)] as const,
      least: ([one]) => ({ IdentityPoolId: one, IdentityProviderName: 'graph.facebook.com', UseDefaults: true }),
      most: () => ({ PrincipalTags: { name: 'sub' }, UseDefaults: false }),
      other: ([, two]) => ({ IdentityPoolId: two }),
    }),
  ],
);
