import { createPublicKey, verify } from 'node:crypto';
import { CognitoIdentity, type CreateIdentityPoolCommandInput } from '@aws-sdk/client-cognito-identity';
import { enforceQuota, type TestEmulator } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failureOf, startIdentity } from './support.ts';

const UNKNOWN = 'us-east-1:00000000-0000-0000-0000-000000000000';
const ROLE = 'arn:aws:iam::000000000000:role/team/member';
const MISSING = `ResourceNotFoundException: IdentityPool '${UNKNOWN}' not found.`;

let emulator: TestEmulator;
let pools: CognitoIdentity;
beforeAll(async () => {
  ({ emulator, pools } = await startIdentity());
});
afterAll(() => emulator.close());

const make = async (more: Partial<CreateIdentityPoolCommandInput> = {}): Promise<string> =>
  (await pools.createIdentityPool({ IdentityPoolName: 'p', AllowUnauthenticatedIdentities: true, ...more }))
    .IdentityPoolId!;
const developerPool = () => make({ DeveloperProviderName: 'login.app' });

describe('pools', () => {
  test('are created, described, updated, listed and deleted', async () => {
    const settings = {
      IdentityPoolName: 'all',
      AllowUnauthenticatedIdentities: false,
      AllowClassicFlow: true,
      SupportedLoginProviders: { 'accounts.google.com': 'a;b' },
      DeveloperProviderName: 'login.app',
      OpenIdConnectProviderARNs: ['arn:aws:iam::000000000000:oidc-provider/example.com/id'],
      CognitoIdentityProviders: [
        { ProviderName: 'cognito-idp.us-east-1.amazonaws.com/us-east-1_a', ClientId: 'c', ServerSideTokenCheck: true },
      ],
      SamlProviderARNs: ['arn:aws:iam::000000000000:saml-provider/corp'],
      IdentityPoolTags: { team: 'a' },
    };
    const { $metadata: _, ...made } = await pools.createIdentityPool(settings);
    const { IdentityPoolId } = made;
    expect(made).toEqual({ IdentityPoolId: expect.stringMatching(/^us-east-1:[0-9a-f-]{36}$/), ...settings });
    expect(await pools.describeIdentityPool({ IdentityPoolId })).toMatchObject(made);
    const { IdentityPools = [] } = await pools.listIdentityPools({ MaxResults: 60 });
    expect(IdentityPools).toContainEqual({ IdentityPoolId, IdentityPoolName: 'all' });
    const change = {
      IdentityPoolId,
      IdentityPoolName: 'renamed',
      AllowUnauthenticatedIdentities: true,
      DeveloperProviderName: 'login.app',
    };
    await pools.updateIdentityPool(change);
    const { $metadata: __, ...after } = await pools.describeIdentityPool({ IdentityPoolId });
    expect(after).toEqual({ ...change, IdentityPoolTags: { team: 'a' } });
    expect(await failureOf(pools.updateIdentityPool({ ...change, DeveloperProviderName: 'other' }))).toContain(
      'InvalidParameterException',
    );
    const { IdentityId } = await pools.getId({ IdentityPoolId });
    await pools.deleteIdentityPool({ IdentityPoolId });
    expect(await failureOf(pools.describeIdentityPool({ IdentityPoolId }))).toContain('ResourceNotFoundException');
    expect(await failureOf(pools.describeIdentity({ IdentityId }))).toBe(
      `ResourceNotFoundException: Identity '${IdentityId}' not found.`,
    );
  });

  test('reject invalid providers', async () => {
    const refused = async (more: object) => expect(await failureOf(make(more))).toContain('InvalidParameterException');
    await refused({ OpenIdConnectProviderARNs: ['arn:aws:iam::000000000000:role/not-a-provider'] });
    await refused({ SamlProviderARNs: ['arn:aws:iam::000000000000:role/not-a-provider'] });
    await refused({ CognitoIdentityProviders: [{ ProviderName: 'example.com', ClientId: 'c' }] });
    const twice = { ProviderName: 'cognito-idp.us-east-1.amazonaws.com/us-east-1_a', ClientId: 'c' };
    expect(await failureOf(make({ CognitoIdentityProviders: [twice, twice] }))).toContain('ResourceConflictException');
  });

  test('that do not exist', async () => {
    const IdentityPoolId = UNKNOWN;
    const update = { IdentityPoolId, IdentityPoolName: 'p', AllowUnauthenticatedIdentities: true };
    const requests: Promise<unknown>[] = [
      pools.describeIdentityPool({ IdentityPoolId }),
      pools.updateIdentityPool(update),
      pools.deleteIdentityPool({ IdentityPoolId }),
      pools.getIdentityPoolRoles({ IdentityPoolId }),
      pools.setIdentityPoolRoles({ IdentityPoolId, Roles: {} }),
      pools.getPrincipalTagAttributeMap({ IdentityPoolId, IdentityProviderName: 'a' }),
      pools.setPrincipalTagAttributeMap({ IdentityPoolId, IdentityProviderName: 'a' }),
      pools.listIdentities({ IdentityPoolId, MaxResults: 1 }),
      pools.getId({ IdentityPoolId }),
      pools.getOpenIdTokenForDeveloperIdentity({ IdentityPoolId, Logins: { a: 'b' } }),
      pools.lookupDeveloperIdentity({ IdentityPoolId }),
    ];
    for (const request of requests) expect(await failureOf(request)).toBe(MISSING);
  });

  test('have tags', async () => {
    const IdentityPoolId = await make({ IdentityPoolTags: { a: '1' } });
    const ResourceArn = `arn:aws:cognito-identity:us-east-1:000000000000:identitypool/${IdentityPoolId}`;
    await pools.tagResource({ ResourceArn, Tags: { b: '2' } });
    await pools.untagResource({ ResourceArn, TagKeys: ['a'] });
    expect((await pools.listTagsForResource({ ResourceArn })).Tags).toEqual({ b: '2' });
    expect(await failureOf(pools.tagResource({ ResourceArn, Tags: { 'aws:x': 'y' } }))).toContain('InvalidParameter');
    const unknown = `arn:aws:cognito-identity:us-east-1:000000000000:identitypool/${UNKNOWN}`;
    expect(await failureOf(pools.listTagsForResource({ ResourceArn: unknown }))).toBe(MISSING);
    expect(await failureOf(pools.untagResource({ ResourceArn: ROLE, TagKeys: ['a'] }))).toContain('InvalidParameter');
  });

  // The Terraform provider omits the name in updates (resourcePoolUpdate).
  test('keep the name of their developer provider', async () => {
    const IdentityPoolId = await developerPool();
    const update = (more = {}) =>
      pools.updateIdentityPool({
        IdentityPoolId,
        IdentityPoolName: 'renamed',
        AllowUnauthenticatedIdentities: false,
        ...more,
      });
    expect(await update()).toMatchObject({ IdentityPoolName: 'renamed', DeveloperProviderName: 'login.app' });
    expect(await failureOf(update({ DeveloperProviderName: 'other' }))).toContain('InvalidParameterException');
  });

  test('have roles, role mappings and mappings of tags', async () => {
    const IdentityPoolId = await make();
    const rule = { Claim: 'c', MatchType: 'Equals' as const, Value: 'v', RoleARN: ROLE };
    const RoleMappings = {
      'accounts.google.com': {
        Type: 'Rules' as const,
        AmbiguousRoleResolution: 'Deny' as const,
        RulesConfiguration: { Rules: [rule] },
      },
    };
    await pools.setIdentityPoolRoles({ IdentityPoolId, Roles: { authenticated: ROLE }, RoleMappings });
    expect(await pools.getIdentityPoolRoles({ IdentityPoolId })).toMatchObject({
      Roles: { authenticated: ROLE },
      RoleMappings,
    });
    const set = (Roles: Record<string, string>, mapping: object = { Type: 'Token', AmbiguousRoleResolution: 'Deny' }) =>
      failureOf(pools.setIdentityPoolRoles({ IdentityPoolId, Roles, RoleMappings: { p: mapping as never } }));
    expect(await set({ authenticated: 'arn:aws:iam::000000000000:user/jane' })).toContain('InvalidParameterException');
    expect(await set({}, { Type: 'Token' })).toContain('AmbiguousRoleResolution is required');
    expect(await set({}, { Type: 'Rules', AmbiguousRoleResolution: 'Deny' })).toContain('RulesConfiguration');
    const IdentityProviderName = 'accounts.google.com';
    const PrincipalTags = { who: 'email' };
    await pools.setPrincipalTagAttributeMap({ IdentityPoolId, IdentityProviderName, PrincipalTags });
    const mapping = await pools.getPrincipalTagAttributeMap({ IdentityPoolId, IdentityProviderName });
    expect(mapping).toMatchObject({ UseDefaults: false, PrincipalTags });
    const other = await pools.getPrincipalTagAttributeMap({ IdentityPoolId, IdentityProviderName: 'toString' });
    expect(other.PrincipalTags).toEqual({});
  });
});

describe('identities', () => {
  test('are listed in pages, described and deleted', async () => {
    const IdentityPoolId = await make();
    const made = await Promise.all([1, 2, 3].map(async () => (await pools.getId({ IdentityPoolId })).IdentityId!));
    expect(new Set(made).size).toBe(3);
    const first = await pools.listIdentities({ IdentityPoolId, MaxResults: 2 });
    const second = await pools.listIdentities({ IdentityPoolId, MaxResults: 2, NextToken: first.NextToken });
    const listed = [...first.Identities!, ...second.Identities!].map(({ IdentityId }) => IdentityId);
    expect(listed.sort()).toEqual([...made].sort());
    expect(second.NextToken).toBeUndefined();
    const { UnprocessedIdentityIds } = await pools.deleteIdentities({ IdentityIdsToDelete: [made[0]!, UNKNOWN] });
    expect(UnprocessedIdentityIds).toEqual([{ IdentityId: UNKNOWN, ErrorCode: 'AccessDenied' }]);
    expect(await failureOf(pools.describeIdentity({ IdentityId: made[0]! }))).toContain('ResourceNotFoundException');
    expect((await pools.describeIdentity({ IdentityId: made[1]! })).Logins).toEqual([]);
    expect(await failureOf(pools.getId({ IdentityPoolId, AccountId: '999999999999' }))).toContain('ResourceNotFound');
  });

  test('of developers are looked up, merged and unlinked', async () => {
    const IdentityPoolId = await developerPool();
    const identify = async (user: string, IdentityId?: string) => {
      const Logins = { 'login.app': user };
      return (await pools.getOpenIdTokenForDeveloperIdentity({ IdentityPoolId, IdentityId, Logins })).IdentityId!;
    };
    const [a, b] = [await identify('a'), await identify('b')];
    expect(await identify('a')).toBe(a);
    expect(await identify('a2', a)).toBe(a);
    expect(await failureOf(identify('a', b))).toContain('DeveloperUserAlreadyRegisteredException');
    const lookup = (input: object) => pools.lookupDeveloperIdentity({ IdentityPoolId, ...input });
    expect((await lookup({ IdentityId: a })).DeveloperUserIdentifierList).toEqual(['a', 'a2']);
    expect((await lookup({ DeveloperUserIdentifier: 'b' })).IdentityId).toBe(b);
    expect(await failureOf(lookup({ IdentityId: a, DeveloperUserIdentifier: 'b' }))).toContain('ResourceConflict');
    expect(await failureOf(lookup({}))).toContain('InvalidParameterException');
    const merge = (SourceUserIdentifier: string, DestinationUserIdentifier: string, name = 'login.app') =>
      pools.mergeDeveloperIdentities({
        IdentityPoolId,
        DeveloperProviderName: name,
        SourceUserIdentifier,
        DestinationUserIdentifier,
      });
    expect(await failureOf(merge('a', 'a2'))).toContain('InvalidParameterException');
    expect(await failureOf(merge('x', 'a'))).toContain('ResourceNotFoundException');
    expect(await failureOf(merge('a', 'b', 'other'))).toContain('InvalidParameterException');
    expect((await merge('a', 'b')).IdentityId).toBe(b);
    expect((await lookup({ IdentityId: b })).DeveloperUserIdentifierList).toEqual(['a', 'a2', 'b']);
    const shown = await pools.listIdentities({ IdentityPoolId, MaxResults: 9, HideDisabled: true });
    expect(shown.Identities!.map(({ IdentityId }) => IdentityId)).toEqual([b]);
    const unlink = () =>
      pools.unlinkDeveloperIdentity({
        IdentityPoolId,
        IdentityId: b,
        DeveloperProviderName: 'login.app',
        DeveloperUserIdentifier: 'a2',
      });
    await unlink();
    expect(await failureOf(unlink())).toContain('ResourceConflictException');
    expect(await failureOf(lookup({ DeveloperUserIdentifier: 'a2' }))).toContain('ResourceNotFoundException');
  });

  test('receive tokens with tags that the published keys verify', async () => {
    const IdentityPoolId = await developerPool();
    const { Token, IdentityId } = await pools.getOpenIdTokenForDeveloperIdentity({
      IdentityPoolId,
      Logins: { 'login.app': 'u' },
      PrincipalTags: { team: 'a' },
      TokenDuration: 120,
    });
    const [head, body, signature] = Token!.split('.') as [string, string, string];
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
    expect(claims).toMatchObject({
      sub: IdentityId,
      aud: IdentityPoolId,
      amr: ['authenticated', 'login.app', `login.app:${IdentityPoolId}:u`],
      'https://aws.amazon.com/tags': { principal_tags: { team: ['a'] } },
    });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(120);
    const base = `${emulator.clientConfig().endpoint}/_aws/cognito-identity/.well-known`;
    const get = async (path: string) => (await emulator.gateway.fetch(new Request(path))).json() as Promise<never>;
    const { jwks_uri }: { jwks_uri: string } = await get(`${base}/openid-configuration`);
    const { keys }: { keys: { kid: string }[] } = await get(jwks_uri);
    const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid: string };
    const key = createPublicKey({ key: keys.find((one) => one.kid === kid)! as never, format: 'jwk' });
    expect(verify('sha512', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
    const refused = pools.getOpenIdTokenForDeveloperIdentity({ IdentityPoolId, Logins: { other: 'u' } });
    expect(await failureOf(refused)).toContain('NotAuthorizedException');
  });
});

test('pools and requests have quotas', async () => {
  const place = { region: 'eu-west-1' };
  const europe = new CognitoIdentity({ ...emulator.clientConfig(place), maxAttempts: 1 });
  const pool = { IdentityPoolName: 'p', AllowUnauthenticatedIdentities: true };
  await enforceQuota(emulator, 'cognito-identity/L-8692CE1C', 1, place);
  await enforceQuota(emulator, 'cognito-identity/L-DBF99350', 1, place);
  const { IdentityPoolId } = await europe.createIdentityPool(pool);
  expect(await failureOf(europe.createIdentityPool(pool))).toBe(
    'LimitExceededException: The account has reached its limit of 1 identity pools.',
  );
  const list = () => europe.listIdentities({ IdentityPoolId, MaxResults: 1 });
  expect((await list()).Identities).toEqual([]);
  expect(await failureOf(list())).toBe('TooManyRequestsException: Rate exceeded');
});
