import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';
import { Authenticator } from './authenticator.ts';
import { PASSWORD } from './support.ts';

/** Creates state of every persistent kind with the operations for it. */
async function act(config: TestClientConfig): Promise<void> {
  const cognito = new CognitoIdentityProvider(config);
  const { UserPool } = await cognito.createUserPool({
    PoolName: 'p',
    UserPoolTags: { team: 'a' },
    Policies: { SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD', 'WEB_AUTHN'] } },
  });
  const UserPoolId = UserPool!.Id!;
  await cognito.createResourceServer({
    UserPoolId,
    Identifier: 'api',
    Name: 'API',
    Scopes: [{ ScopeName: 'read', ScopeDescription: 'r' }],
  });
  await cognito.createIdentityProvider({
    UserPoolId,
    ProviderName: 'Google',
    ProviderType: 'Google',
    ProviderDetails: { client_id: 'a', client_secret: 'b', authorize_scopes: 'openid' },
  });
  await cognito.createUserPoolDomain({
    UserPoolId,
    Domain: `d-${config.region}-${config.credentials.accessKeyId}`.toLowerCase(),
  });
  const { UserPoolClient } = await cognito.createUserPoolClient({
    UserPoolId,
    ClientName: 'c',
    ExplicitAuthFlows: ['ALLOW_USER_PASSWORD_AUTH', 'ALLOW_USER_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
  });
  const ClientId = UserPoolClient!.ClientId!;
  await cognito.setUICustomization({ UserPoolId, CSS: '.label-customizable { color: red }' });
  await cognito.createManagedLoginBranding({ UserPoolId, ClientId, Settings: { components: {} } });
  await cognito.setLogDeliveryConfiguration({
    UserPoolId,
    LogConfigurations: [
      {
        EventSource: 'userNotification',
        LogLevel: 'ERROR',
        CloudWatchLogsConfiguration: { LogGroupArn: 'arn:aws:logs:us-east-1:000000000000:log-group:pool' },
      },
    ],
  });
  await cognito.createUserImportJob({
    UserPoolId,
    JobName: 'import',
    CloudWatchLogsRoleArn: 'arn:aws:iam::000000000000:role/logs',
  });
  await cognito.getSigningCertificate({ UserPoolId });
  await cognito.createGroup({ UserPoolId, GroupName: 'g', Description: 'ü' });
  await cognito.adminCreateUser({ UserPoolId, Username: 'jane' });
  await cognito.adminSetUserPassword({ UserPoolId, Username: 'jane', Password: PASSWORD, Permanent: true });
  await cognito.adminAddUserToGroup({ UserPoolId, Username: 'jane', GroupName: 'g' });
  const { AuthenticationResult } = await cognito.initiateAuth({
    ClientId,
    AuthFlow: 'USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: 'jane', PASSWORD },
  });
  const { AccessToken } = AuthenticationResult!;
  const { CredentialCreationOptions } = await cognito.startWebAuthnRegistration({ AccessToken });
  const options = CredentialCreationOptions as unknown as { challenge: string; rp: { id: string } };
  const Credential = new Authenticator(`https://${options.rp.id}`).create(options);
  await cognito.completeWebAuthnRegistration({ AccessToken, Credential });
}

/** Returns its visible state. */
async function observe(config: TestClientConfig): Promise<unknown> {
  const cognito = new CognitoIdentityProvider(config);
  const { UserPools = [] } = await cognito.listUserPools({ MaxResults: 60 });
  return Promise.all(
    UserPools.map(async ({ Id }) => {
      const UserPoolId = Id!;
      const { UserPoolClients = [] } = await cognito.listUserPoolClients({ UserPoolId });
      return [
        (await cognito.describeUserPool({ UserPoolId })).UserPool,
        await Promise.all(
          UserPoolClients.map(
            async ({ ClientId }) => (await cognito.describeUserPoolClient({ UserPoolId, ClientId })).UserPoolClient,
          ),
        ),
        (await cognito.listUsers({ UserPoolId })).Users,
        (await cognito.listGroups({ UserPoolId })).Groups,
        (await cognito.listUsersInGroup({ UserPoolId, GroupName: 'g' })).Users,
        (await cognito.listResourceServers({ UserPoolId })).ResourceServers,
        (await cognito.listIdentityProviders({ UserPoolId })).Providers,
        (await cognito.getUICustomization({ UserPoolId })).UICustomization?.CSS,
        (await cognito.getLogDeliveryConfiguration({ UserPoolId })).LogDeliveryConfiguration,
        (await cognito.listUserImportJobs({ UserPoolId, MaxResults: 60 })).UserImportJobs,
        (await cognito.getSigningCertificate({ UserPoolId })).Certificate,
        await Promise.all(
          UserPoolClients.map(
            async ({ ClientId }) =>
              (await cognito.describeManagedLoginBrandingByClient({ UserPoolId, ClientId })).ManagedLoginBranding,
          ),
        ),
        (
          await cognito.adminInitiateAuth({
            UserPoolId,
            ClientId: UserPoolClients[0]!.ClientId,
            AuthFlow: 'USER_AUTH',
            AuthParameters: { USERNAME: 'jane' },
          })
        ).AvailableChallenges,
      ];
    }),
  );
}

describeServiceContract({ manifest, scope: 'region', act, observe });
