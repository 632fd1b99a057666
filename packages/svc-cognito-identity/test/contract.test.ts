import { CognitoIdentity } from '@aws-sdk/client-cognito-identity';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

/** Creates state of every persisted kind. */
async function act(config: TestClientConfig): Promise<void> {
  const pools = new CognitoIdentity(config);
  const { IdentityPoolId } = await pools.createIdentityPool({
    IdentityPoolName: 'p',
    AllowUnauthenticatedIdentities: true,
    AllowClassicFlow: true,
    DeveloperProviderName: 'login.app',
    IdentityPoolTags: { team: 'ü' },
  });
  await pools.setIdentityPoolRoles({
    IdentityPoolId,
    Roles: { authenticated: 'arn:aws:iam::000000000000:role/member' },
  });
  await pools.setPrincipalTagAttributeMap({ IdentityPoolId, IdentityProviderName: 'login.app', UseDefaults: true });
  await pools.getOpenIdTokenForDeveloperIdentity({ IdentityPoolId, Logins: { 'login.app': 'u1' } });
}

/** Reads the state through operations. */
async function observe(config: TestClientConfig): Promise<unknown> {
  const pools = new CognitoIdentity(config);
  const { IdentityPools = [] } = await pools.listIdentityPools({ MaxResults: 60 });
  return Promise.all(
    IdentityPools.map(async ({ IdentityPoolId }) => {
      const { $metadata: _, ...pool } = await pools.describeIdentityPool({ IdentityPoolId });
      const { PrincipalTags, UseDefaults } = await pools.getPrincipalTagAttributeMap({
        IdentityPoolId,
        IdentityProviderName: 'login.app',
      });
      return [
        pool,
        (await pools.getIdentityPoolRoles({ IdentityPoolId })).Roles,
        (await pools.listIdentities({ IdentityPoolId, MaxResults: 60 })).Identities,
        [PrincipalTags, UseDefaults],
      ];
    }),
  );
}

describeServiceContract({ manifest, scope: 'region', act, observe });
