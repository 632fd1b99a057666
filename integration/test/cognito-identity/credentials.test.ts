import { createHmac } from 'node:crypto';
import { CognitoIdentity, type GetCredentialsForIdentityCommandOutput } from '@aws-sdk/client-cognito-identity';
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { IAM } from '@aws-sdk/client-iam';
import { SQS } from '@aws-sdk/client-sqs';
import { STS } from '@aws-sdk/client-sts';
import { createTestEmulator, refusal, type TestEmulator } from '@emu/gateway/testing';
import { manifest } from '@emu/svc-cognito-identity/manifest';
import { manifest as userPoolManifest } from '@emu/svc-cognito-idp/manifest';
import { manifest as iamManifest } from '@emu/svc-iam/manifest';
import { manifest as sqsManifest } from '@emu/svc-sqs/manifest';
import { manifest as stsManifest } from '@emu/svc-sts/manifest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ACCOUNT = '000000000000';
const PASSWORD = 'Passw0rd!';
const ANOTHER = '111111111111';

let emulator: TestEmulator;
let pools: CognitoIdentity;
/** A client of another account, because unsigned requests must find the pool in any account. */
let app: CognitoIdentity;
let users: CognitoIdentityProvider;
let iam: IAM;
let sts: STS;
let UserPoolId: string;
let ClientId: string;
let provider: string;

const failureOf = async (request: Promise<unknown>): Promise<string> => {
  const { name, message } = await refusal(request);
  return `${name}: ${message}`;
};
const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;

/** Creates a role that identities of a pool may assume, with its permissions. */
async function role(RoleName: string, poolId: string, amr: string, actions: string[]): Promise<string> {
  const Version = '2012-10-17';
  const trust = {
    Effect: 'Allow',
    Principal: { Federated: 'cognito-identity.amazonaws.com' },
    Action: ['sts:AssumeRoleWithWebIdentity', 'sts:TagSession'],
    Condition: {
      StringEquals: { 'cognito-identity.amazonaws.com:aud': poolId },
      'ForAnyValue:StringLike': { 'cognito-identity.amazonaws.com:amr': amr },
    },
  };
  const { Role } = await iam.createRole({
    RoleName,
    AssumeRolePolicyDocument: JSON.stringify({ Version, Statement: [trust] }),
  });
  const PolicyDocument = JSON.stringify({
    Version,
    Statement: [{ Effect: 'Allow', Action: actions, Resource: '*' }],
  });
  await iam.putRolePolicy({ RoleName, PolicyName: 'p', PolicyDocument });
  return Role!.Arn!;
}

async function signIn(): Promise<{ IdToken: string; AccessToken: string }> {
  const { AuthenticationResult } = await users.initiateAuth({
    ClientId,
    AuthFlow: 'USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: 'jane', PASSWORD },
  });
  return AuthenticationResult as { IdToken: string; AccessToken: string };
}

const poolOf = async (more: object = {}): Promise<string> => {
  const { IdentityPoolId } = await pools.createIdentityPool({
    IdentityPoolName: 'p',
    AllowUnauthenticatedIdentities: true,
    AllowClassicFlow: true,
    CognitoIdentityProviders: [{ ProviderName: provider, ClientId, ServerSideTokenCheck: true }],
    ...more,
  });
  return IdentityPoolId!;
};

type Answer = GetCredentialsForIdentityCommandOutput;
/** Configuration of an SDK client with an identity's credentials. */
const configOf = ({ Credentials }: Answer) => ({
  ...emulator.clientConfig(),
  maxAttempts: 1,
  credentials: {
    accessKeyId: Credentials!.AccessKeyId!,
    secretAccessKey: Credentials!.SecretKey!,
    sessionToken: Credentials!.SessionToken!,
  },
});

beforeAll(async () => {
  emulator = await createTestEmulator({
    manifests: [manifest, userPoolManifest, iamManifest, sqsManifest, stsManifest],
    settings: { accountId: ACCOUNT, region: 'us-east-1', values: { EMULATOR_ENFORCE_IAM: true } },
  });
  emulator.kernel.clock.freeze();
  const config = { ...emulator.clientConfig(), maxAttempts: 1 };
  pools = new CognitoIdentity(config);
  app = new CognitoIdentity({ ...config, credentials: { accessKeyId: ANOTHER, secretAccessKey: 'x' } });
  users = new CognitoIdentityProvider(config);
  iam = new IAM(config);
  sts = new STS(config);
  UserPoolId = (await users.createUserPool({ PoolName: 'users' })).UserPool!.Id!;
  const made = await users.createUserPoolClient({
    UserPoolId,
    ClientName: 'c',
    ExplicitAuthFlows: ['ALLOW_USER_PASSWORD_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
  });
  ClientId = made.UserPoolClient!.ClientId!;
  provider = `cognito-idp.us-east-1.amazonaws.com/${UserPoolId}`;
  await users.adminCreateUser({ UserPoolId, Username: 'jane', MessageAction: 'SUPPRESS' });
  await users.adminSetUserPassword({ UserPoolId, Username: 'jane', Password: PASSWORD, Permanent: true });
});
afterAll(() => emulator.close());

describe('guests', () => {
  test('receive credentials of their role that are enforced and limited to the permissions of guests', async () => {
    const IdentityPoolId = await poolOf();
    const { IdentityId } = await app.getId({ IdentityPoolId });
    expect(await failureOf(app.getCredentialsForIdentity({ IdentityId }))).toBe(
      'InvalidIdentityPoolConfigurationException: Invalid identity pool configuration. Check assigned IAM roles for this pool.',
    );
    const guest = await role('guest', IdentityPoolId, 'unauthenticated', ['sqs:ListQueues', 'iam:ListUsers']);
    await pools.setIdentityPoolRoles({ IdentityPoolId, Roles: { unauthenticated: guest } });
    const answer = await app.getCredentialsForIdentity({ IdentityId });
    const config = configOf(answer);
    const { Arn } = await new STS(config).getCallerIdentity({});
    expect(Arn).toBe(`arn:aws:sts::${ACCOUNT}:assumed-role/guest/CognitoIdentityCredentials`);
    expect((await new SQS(config).listQueues({})).$metadata.httpStatusCode).toBe(200);
    expect(await failureOf(new SQS(config).createQueue({ QueueName: 'q' }))).toContain('AccessDenied');
    expect(await failureOf(new IAM(config).listUsers({}))).toContain('AccessDenied');
    expect(answer.Credentials!.Expiration!.getTime()).toBeLessThanOrEqual(emulator.kernel.clock.now() + 3_600_000);
  });

  test('are rejected if the pool allows none, and by a role that does not trust the pool', async () => {
    const none = await poolOf({ AllowUnauthenticatedIdentities: false });
    expect(await failureOf(app.getId({ IdentityPoolId: none }))).toBe(
      'NotAuthorizedException: Unauthenticated access is not supported for this identity pool.',
    );
    const IdentityPoolId = await poolOf();
    const stranger = await role('stranger', none, 'unauthenticated', ['sqs:*']);
    await pools.setIdentityPoolRoles({ IdentityPoolId, Roles: { unauthenticated: stranger } });
    const { IdentityId } = await app.getId({ IdentityPoolId });
    expect(await failureOf(app.getCredentialsForIdentity({ IdentityId }))).toContain(
      'InvalidIdentityPoolConfigurationException',
    );
  });
});

describe('users of a user pool', () => {
  test('have one identity, and credentials of the authenticated role', async () => {
    const IdentityPoolId = await poolOf();
    const authenticated = await role('member', IdentityPoolId, 'authenticated', ['sqs:CreateQueue']);
    await pools.setIdentityPoolRoles({ IdentityPoolId, Roles: { authenticated } });
    const Logins = { [provider]: (await signIn()).IdToken };
    const { IdentityId } = await app.getId({ IdentityPoolId, Logins });
    expect((await app.getId({ IdentityPoolId, Logins })).IdentityId).toBe(IdentityId);
    expect((await pools.describeIdentity({ IdentityId })).Logins).toEqual([provider]);
    expect(await failureOf(app.getCredentialsForIdentity({ IdentityId }))).toBe(
      `NotAuthorizedException: Access to Identity '${IdentityId}' is forbidden.`,
    );
    const config = configOf(await app.getCredentialsForIdentity({ IdentityId, Logins }));
    await new SQS(config).createQueue({ QueueName: 'mine' });
    expect(await failureOf(new SQS(config).listQueues({}))).toContain('AccessDenied');
  });

  test('keep their guest identity, and lose it when unlinked', async () => {
    const IdentityPoolId = await poolOf();
    const { IdentityId } = await app.getId({ IdentityPoolId });
    const Logins = { [provider]: (await signIn()).IdToken };
    await app.getOpenIdToken({ IdentityId, Logins });
    expect((await app.getId({ IdentityPoolId, Logins })).IdentityId).toBe(IdentityId);
    await app.unlinkIdentity({ IdentityId, Logins, LoginsToRemove: [provider] });
    expect(await failureOf(app.getOpenIdToken({ IdentityId, Logins }))).toContain('forbidden');
    expect((await app.getId({ IdentityPoolId, Logins })).IdentityId).not.toBe(IdentityId);
    const { Identities } = await pools.listIdentities({ IdentityPoolId, MaxResults: 10, HideDisabled: true });
    expect(Identities).toHaveLength(1);
    expect(await failureOf(app.unlinkIdentity({ IdentityId, Logins, LoginsToRemove: [provider] }))).toContain(
      "NotAuthorizedException: Logins don't match.",
    );
  });

  test('require valid ID tokens signed for one of the clients', async () => {
    const IdentityPoolId = await poolOf();
    const { IdToken, AccessToken } = await signIn();
    const id = (token: string, key = provider) => failureOf(app.getId({ IdentityPoolId, Logins: { [key]: token } }));
    expect(await id(AccessToken)).toBe('NotAuthorizedException: Invalid login token. Missing a required claim: aud');
    expect(await id('x')).toContain('Not a valid OpenId Connect identity token.');
    expect(await id(IdToken, 'graph.facebook.com')).toBe(
      'NotAuthorizedException: Token is not from a supported provider of this identity pool.',
    );
    const [head, body] = IdToken.split('.') as [string, string];
    const forged = createHmac('sha256', 'k').update(`${head}.${body}`).digest('base64url');
    expect(await id(`${head}.${body}.${forged}`)).toContain("Couldn't verify signed token.");
    const other = await poolOf({ CognitoIdentityProviders: [{ ProviderName: provider, ClientId: 'other' }] });
    expect(await failureOf(app.getId({ IdentityPoolId: other, Logins: { [provider]: IdToken } }))).toContain(
      'Incorrect token audience.',
    );
    await users.adminUserGlobalSignOut({ UserPoolId, Username: 'jane' });
    expect(await id(IdToken)).toContain('Token has been revoked.');
    const late = (await signIn()).IdToken;
    await emulator.kernel.clock.advance(3_600_000);
    expect(await id(late)).toContain('Token expired: ');
  });

  test('receive the role from a rule or their token', async () => {
    const IdentityPoolId = await poolOf();
    const roles = await Promise.all(
      ['plain', 'ruled', 'grouped'].map((name) => role(name, IdentityPoolId, 'authenticated', ['sqs:*'])),
    );
    const [plain, ruled, grouped] = roles as [string, string, string];
    await users.createGroup({ UserPoolId, GroupName: 'g', RoleArn: grouped });
    await users.adminAddUserToGroup({ UserPoolId, GroupName: 'g', Username: 'jane' });
    const Logins = { [provider]: (await signIn()).IdToken };
    const { IdentityId } = await app.getId({ IdentityPoolId, Logins });
    const name = async (CustomRoleArn?: string): Promise<string> => {
      const answer = await app.getCredentialsForIdentity({ IdentityId, Logins, CustomRoleArn });
      return (await new STS(configOf(answer)).getCallerIdentity({})).Arn!.split('/')[1]!;
    };
    const set = (mapping: object) =>
      pools.setIdentityPoolRoles({
        IdentityPoolId,
        Roles: { authenticated: plain },
        RoleMappings: { [`${provider}:${ClientId}`]: { AmbiguousRoleResolution: 'Deny', ...mapping } as never },
      });
    const rule = (MatchType: string, Value: string) => ({
      Type: 'Rules',
      RulesConfiguration: { Rules: [{ Claim: 'cognito:username', MatchType, Value, RoleARN: ruled }] },
    });
    for (const [type, value] of [
      ['Equals', 'jane'],
      ['StartsWith', 'ja'],
      ['Contains', 'an'],
      ['NotEqual', 'joan'],
    ] as const) {
      await set(rule(type, value));
      expect(await name()).toBe('ruled');
    }
    await set(rule('Equals', 'joan'));
    expect(await failureOf(name())).toContain('NotAuthorizedException');
    await set({ ...rule('Equals', 'joan'), AmbiguousRoleResolution: 'AuthenticatedRole' });
    expect(await name()).toBe('plain');
    await set({ Type: 'Token' });
    expect(await name()).toBe('grouped');
    expect(await name(grouped)).toBe('grouped');
    expect(await failureOf(name(plain))).toContain('NotAuthorizedException');
  });

  test('have session tags from their claims', async () => {
    const IdentityPoolId = await poolOf();
    const authenticated = await role('tagged', IdentityPoolId, 'authenticated', ['sqs:ListQueues']);
    const statement = {
      Effect: 'Allow',
      Action: 'sqs:CreateQueue',
      Resource: '*',
      Condition: { StringEquals: { 'aws:PrincipalTag/who': 'jane' } },
    };
    const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
    await iam.putRolePolicy({ RoleName: 'tagged', PolicyName: 'tags', PolicyDocument });
    await pools.setIdentityPoolRoles({ IdentityPoolId, Roles: { authenticated } });
    const Logins = { [provider]: (await signIn()).IdToken };
    const { IdentityId } = await app.getId({ IdentityPoolId, Logins });
    const create = async () =>
      new SQS(configOf(await app.getCredentialsForIdentity({ IdentityId, Logins }))).createQueue({ QueueName: 'tag' });
    expect(await failureOf(create())).toContain('AccessDenied');
    await pools.setPrincipalTagAttributeMap({
      IdentityPoolId,
      IdentityProviderName: provider,
      PrincipalTags: { who: 'cognito:username' },
    });
    expect((await create()).QueueUrl).toContain('/tag');
  });
});

describe('OpenID tokens', () => {
  test('are valid for AssumeRoleWithWebIdentity in the basic flow, and are verified by the published keys', async () => {
    const IdentityPoolId = await poolOf();
    const RoleArn = await role('basic', IdentityPoolId, 'unauthenticated', ['iam:ListUsers']);
    const { IdentityId } = await app.getId({ IdentityPoolId });
    const { Token } = await app.getOpenIdToken({ IdentityId });
    expect(claimsOf(Token!)).toMatchObject({
      sub: IdentityId,
      aud: IdentityPoolId,
      amr: ['unauthenticated'],
      iss: 'https://cognito-identity.amazonaws.com',
    });
    const assume = (WebIdentityToken: string) =>
      sts.assumeRoleWithWebIdentity({ RoleArn, RoleSessionName: 'basic', WebIdentityToken });
    const { Credentials } = await assume(Token!);
    const credentials = {
      accessKeyId: Credentials!.AccessKeyId!,
      secretAccessKey: Credentials!.SecretAccessKey!,
      sessionToken: Credentials!.SessionToken!,
    };
    // The basic flow does not limit the permissions of guests.
    const client = new IAM({ ...emulator.clientConfig(), credentials });
    expect((await client.listUsers({})).Users).toEqual([]);
    const [head, body] = Token!.split('.') as [string, string];
    expect(await failureOf(assume(`${head}.${body}.AAAA`))).toContain('InvalidIdentityToken');
    await emulator.kernel.clock.advance(600_000);
    expect(await failureOf(assume(Token!))).toContain('ExpiredToken');
  });

  test('require the classic flow of the pool', async () => {
    const IdentityPoolId = await poolOf({ AllowClassicFlow: false });
    const { IdentityId } = await app.getId({ IdentityPoolId });
    expect(await failureOf(app.getOpenIdToken({ IdentityId }))).toBe(
      'InvalidParameterException: Basic (classic) flow is not enabled, please use enhanced flow.',
    );
  });

  test("of developers' users are logins for their credentials", async () => {
    const IdentityPoolId = await poolOf({ DeveloperProviderName: 'login.app' });
    const authenticated = await role('developer', IdentityPoolId, 'login.app', ['sqs:ListQueues']);
    await pools.setIdentityPoolRoles({ IdentityPoolId, Roles: { authenticated } });
    const { IdentityId, Token } = await pools.getOpenIdTokenForDeveloperIdentity({
      IdentityPoolId,
      Logins: { 'login.app': 'u1' },
      TokenDuration: 60,
    });
    const Logins = { 'cognito-identity.amazonaws.com': Token! };
    const config = configOf(await app.getCredentialsForIdentity({ IdentityId, Logins }));
    expect((await new SQS(config).listQueues({})).$metadata.httpStatusCode).toBe(200);
    const stranger = (await app.getId({ IdentityPoolId })).IdentityId;
    expect(await failureOf(app.getCredentialsForIdentity({ IdentityId: stranger, Logins }))).toContain(
      "Logins don't match",
    );
    await emulator.kernel.clock.advance(60_000);
    expect(await failureOf(app.getCredentialsForIdentity({ IdentityId, Logins }))).toContain('Token expired');
  });
});

test('tokens of OpenID Connect providers require the provider and its audience', async () => {
  const { OpenIDConnectProviderArn: arn } = await iam.createOpenIDConnectProvider({
    Url: 'https://127.0.0.1/oidc',
    ClientIDList: ['app'],
    ThumbprintList: ['a'.repeat(40)],
  });
  const IdentityPoolId = await poolOf({ OpenIdConnectProviderARNs: [arn!] });
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(emulator.kernel.clock.now() / 1000) + 60;
  const id = (claims: object) => {
    const body = part({ iss: 'https://127.0.0.1/oidc', sub: 's', aud: 'app', exp, ...claims });
    const Logins = { '127.0.0.1/oidc': `${part({ alg: 'RS256' })}.${body}.AAAA` };
    return failureOf(app.getId({ IdentityPoolId, Logins }));
  };
  expect(await id({ iss: 'https://other' })).toContain("Issuer doesn't match providerName");
  expect(await id({ aud: 'other' })).toContain('Incorrect token audience.');
  // Its keys cannot be fetched, so the token cannot be verified.
  expect(await id({})).toContain("Couldn't verify signed token.");
});
