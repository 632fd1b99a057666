import * as sdk from '@aws-sdk/client-cognito-identity';
import { definePlugin, provide, type ServiceManifest, type UserPoolTokens, userPoolTokens } from '@emu/core/service';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-cognito-identity/model/cognito-identity.json' with { type: 'json' };
import userPoolModel from '../../../../packages/svc-cognito-idp/model/cognito-idp.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';

const PROVIDER = 'login.app';
const role = (name: string) => `arn:aws:iam::123456789012:role/${name}`;
const USERS = 'cognito-idp.us-east-1.amazonaws.com/us-east-1_a';

/** A fake user pool that trusts the claims of any token. */
const readUserToken = async (token: string) => ({
  poolId: 'us-east-1_a',
  region: 'us-east-1',
  claims: JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>,
  active: true,
});
const userPools: ServiceManifest = {
  name: 'cognito-idp',
  signingNames: ['cognito-idp'],
  hostNames: ['cognito-idp'],
  provides: [userPoolTokens],
  load: async () =>
    definePlugin<Record<string, never>, undefined>({
      name: 'cognito-idp',
      model: userPoolModel as unknown as ServiceModel,
      stateScope: 'region',
      collections: [],
      provides: [provide(userPoolTokens, (): UserPoolTokens => ({ read: readUserToken, isIssuer: () => false }))],
      operations: [],
    }),
};
/** Returns the login of one of its users. */
const user = (sub: string) => {
  const claims = { sub, aud: 'c', token_use: 'id', exp: 4_000_000_000 };
  return { [USERS]: `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s` };
};
const jane = () => user('jane');
const pool = ({ IdentityPoolId }: Facts) => ({ IdentityPoolId });
const arnOf = (id: string) => `arn:aws:cognito-identity:us-east-1:123456789012:identitypool/${id}`;
const named = (f: Facts) => ({ ResourceArn: arnOf(f.IdentityPoolId!) });
const providers = () => ({
  AllowClassicFlow: true,
  SupportedLoginProviders: { 'accounts.google.com': 'app' },
  DeveloperProviderName: PROVIDER,
  OpenIdConnectProviderARNs: ['arn:aws:iam::123456789012:oidc-provider/example.com'],
  CognitoIdentityProviders: [{ ProviderName: USERS, ClientId: 'c', ServerSideTokenCheck: true }],
  SamlProviderARNs: ['arn:aws:iam::123456789012:saml-provider/corp'],
  IdentityPoolTags: { team: 'a' },
});
const rules = () => ({
  Type: 'Rules',
  AmbiguousRoleResolution: 'Deny',
  RulesConfiguration: { Rules: [{ Claim: 'c', MatchType: 'Equals', Value: 'v', RoleARN: role('ruled') }] },
});
const own = (f: Facts) => ({ 'cognito-identity.amazonaws.com': f.Token! });

/** Creates a pool with a guest and two users of its developer provider. */
async function setUp(send: Send): Promise<Facts> {
  const { IdentityPoolId } = (await send('CreateIdentityPool', {
    IdentityPoolName: 'known',
    AllowUnauthenticatedIdentities: true,
    ...providers(),
  })) as { IdentityPoolId: string };
  await send('SetIdentityPoolRoles', {
    IdentityPoolId,
    Roles: { authenticated: role('member'), unauthenticated: role('guest') },
  });
  const guest = (await send('GetId', { IdentityPoolId })) as { IdentityId: string };
  const developed = async (name: string) =>
    (await send('GetOpenIdTokenForDeveloperIdentity', { IdentityPoolId, Logins: { [PROVIDER]: name } })) as {
      IdentityId: string;
      Token: string;
    };
  const { IdentityId: JaneId } = (await send('GetId', { IdentityPoolId, Logins: jane() })) as { IdentityId: string };
  const first = await developed('first');
  await developed('second');
  return { IdentityPoolId, GuestId: guest.IdentityId, IdentityId: first.IdentityId, Token: first.Token, JaneId };
}

/** Returns every pool with its roles, tags and identities. */
async function observe(send: Send): Promise<unknown> {
  const answer = async (operation: string, input: Record<string, unknown>) => {
    const { $metadata: _, ...rest } = await send(operation, input);
    return rest;
  };
  const { IdentityPools } = await send('ListIdentityPools', { MaxResults: 60 });
  return Promise.all(
    (IdentityPools as { IdentityPoolId: string }[]).map(async ({ IdentityPoolId }) => [
      await answer('DescribeIdentityPool', { IdentityPoolId }),
      await answer('GetIdentityPoolRoles', { IdentityPoolId }),
      await answer('ListIdentities', { IdentityPoolId, MaxResults: 60 }),
      await answer('GetPrincipalTagAttributeMap', { IdentityPoolId, IdentityProviderName: PROVIDER }),
    ]),
  );
}

const rename = (send: Send, { IdentityPoolId }: Facts) =>
  send('UpdateIdentityPool', {
    IdentityPoolId,
    IdentityPoolName: 'renamed',
    AllowUnauthenticatedIdentities: true,
    DeveloperProviderName: PROVIDER,
  });
const another = (send: Send, { IdentityPoolId, IdentityId }: Facts) =>
  send('GetOpenIdTokenForDeveloperIdentity', { IdentityPoolId, IdentityId, Logins: { [PROVIDER]: 'third' } });

/** Amazon Cognito identity pools. */
export const cognitoIdentity: Scenario = {
  service: 'cognito-identity',
  others: ['sts'],
  fakes: [userPools],
  model: model as unknown as ServiceModel,
  client: (emulator) =>
    sender(new sdk.CognitoIdentityClient({ ...emulator.clientConfig(), maxAttempts: 1 }) as never, sdk),
  setUp,
  observe,
  inputs: {
    CreateIdentityPool: () => ({ IdentityPoolName: 'new', AllowUnauthenticatedIdentities: true, ...providers() }),
    DeleteIdentities: (f) => ({ IdentityIdsToDelete: [f.GuestId] }),
    DeleteIdentityPool: pool,
    DescribeIdentity: (f) => ({ IdentityId: f.IdentityId }),
    DescribeIdentityPool: pool,
    GetCredentialsForIdentity: (f) => ({ IdentityId: f.GuestId, Logins: user('joan') }),
    GetId: (f) => ({ ...pool(f), AccountId: '123456789012' }),
    GetIdentityPoolRoles: pool,
    GetOpenIdToken: (f) => ({ IdentityId: f.GuestId, Logins: user('joan') }),
    GetOpenIdTokenForDeveloperIdentity: (f) => ({
      ...pool(f),
      IdentityId: f.GuestId,
      Logins: { [PROVIDER]: 'new' },
      PrincipalTags: { team: 'a' },
      TokenDuration: 60,
    }),
    GetPrincipalTagAttributeMap: (f) => ({ ...pool(f), IdentityProviderName: PROVIDER }),
    ListIdentities: (f) => ({ ...pool(f), MaxResults: 60 }),
    ListIdentityPools: () => ({ MaxResults: 60 }),
    ListTagsForResource: named,
    LookupDeveloperIdentity: (f) => ({ ...pool(f), IdentityId: f.IdentityId }),
    MergeDeveloperIdentities: (f) => ({
      ...pool(f),
      SourceUserIdentifier: 'first',
      DestinationUserIdentifier: 'second',
      DeveloperProviderName: PROVIDER,
    }),
    SetIdentityPoolRoles: (f) => ({
      ...pool(f),
      Roles: { authenticated: role('new') },
      RoleMappings: { 'accounts.google.com': rules() },
    }),
    SetPrincipalTagAttributeMap: (f) => ({
      ...pool(f),
      IdentityProviderName: PROVIDER,
      PrincipalTags: { who: 'sub' },
    }),
    TagResource: (f) => ({ ...named(f), Tags: { added: 'x' } }),
    UnlinkDeveloperIdentity: (f) => ({
      ...pool(f),
      IdentityId: f.IdentityId,
      DeveloperProviderName: PROVIDER,
      DeveloperUserIdentifier: 'first',
    }),
    UnlinkIdentity: (f) => ({ IdentityId: f.JaneId, Logins: jane(), LoginsToRemove: [USERS] }),
    UntagResource: (f) => ({ ...named(f), TagKeys: ['team'] }),
    UpdateIdentityPool: (f) => ({
      ...pool(f),
      IdentityPoolName: 'renamed',
      AllowUnauthenticatedIdentities: false,
      ...providers(),
      IdentityPoolTags: { other: 'b' },
    }),
  },
  also: {
    GetCredentialsForIdentity: [(f) => ({ IdentityId: f.IdentityId, Logins: own(f) })],
    GetOpenIdToken: [(f) => ({ IdentityId: f.IdentityId, Logins: own(f) })],
    LookupDeveloperIdentity: [(f) => ({ ...pool(f), DeveloperUserIdentifier: 'first' })],
    SetPrincipalTagAttributeMap: [(f) => ({ ...pool(f), IdentityProviderName: PROVIDER, UseDefaults: true })],
  },
  reads: {
    DescribeIdentity: (send, f) =>
      send('UnlinkDeveloperIdentity', {
        ...pool(f),
        IdentityId: f.IdentityId,
        DeveloperProviderName: PROVIDER,
        DeveloperUserIdentifier: 'first',
      }),
    DescribeIdentityPool: rename,
    GetIdentityPoolRoles: (send, f) => send('SetIdentityPoolRoles', { ...pool(f), Roles: {} }),
    GetPrincipalTagAttributeMap: (send, f) =>
      send('SetPrincipalTagAttributeMap', { ...pool(f), IdentityProviderName: PROVIDER, UseDefaults: true }),
    ListIdentities: (send, f) => send('GetId', pool(f)),
    ListIdentityPools: rename,
    ListTagsForResource: (send, f) => send('TagResource', { ...named(f), Tags: { added: 'x' } }),
    LookupDeveloperIdentity: another,
  },
};
