import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { Lambda } from '@aws-sdk/client-lambda';
import { createTestEmulator, rejection, type TestEmulator, zipOf } from '@emu/gateway/testing';
import { manifest } from '@emu/svc-cognito-idp/manifest';
import { manifest as lambdaManifest } from '@emu/svc-lambda/manifest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Issuer, signInAt, startIssuer } from './oidc-issuer.ts';
import { makeSamlProvider, requestIn, type SamlProvider } from './saml-provider.ts';

const REDIRECT = 'https://app.example.com/callback';
const SIGNED_OUT = 'https://app.example.com/bye';
const POOL = 'us-east-1_federated';
const BASE = `http://localhost:4566/${POOL}`;

let emulator: TestEmulator;
let cognito: CognitoIdentityProvider;
let issuer: Issuer;
let saml: SamlProvider;
let ClientId: string;

const visit = (url: string, init: RequestInit = {}) =>
  emulator.gateway.fetch(new Request(url, { redirect: 'manual', ...init })) as Promise<Response>;
const authorize = async (provider: string, more: Record<string, string> = {}) => {
  const query = new URLSearchParams({
    client_id: ClientId,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'openid',
    state: 'mine',
    identity_provider: provider,
    ...more,
  });
  return visit(`${BASE}/oauth2/authorize?${query.toString()}`);
};
const exchange = async (location: string): Promise<Record<string, unknown>> => {
  const code = new URL(location).searchParams.get('code')!;
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT,
    client_id: ClientId,
  });
  const response = await visit(`${BASE}/oauth2/token`, { method: 'POST', body });
  const { id_token } = (await response.json()) as { id_token: string };
  return JSON.parse(Buffer.from(id_token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;
};
const post = (RelayState: string, SAMLResponse: string) =>
  visit(`${BASE}/saml2/idpresponse`, { method: 'POST', body: new URLSearchParams({ RelayState, SAMLResponse }) });
const relayOf = (address: string): string => new URL(address).searchParams.get('RelayState')!;
const errorOf = (response: Response): string | null =>
  new URL(response.headers.get('location')!).searchParams.get('error_description');

beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: [manifest, lambdaManifest] });
  cognito = new CognitoIdentityProvider(emulator.clientConfig());
  issuer = await startIssuer(() => `${BASE}/oauth2/idpresponse`);
  saml = await makeSamlProvider();
  const UserPoolId = POOL;
  await cognito.createUserPool({ PoolName: 'p', UserPoolTags: { _custom_id_: 'federated' } });
  await cognito.createIdentityProvider({
    UserPoolId,
    ProviderName: 'Foreign',
    ProviderType: 'OIDC',
    ProviderDetails: {
      client_id: 'pool',
      client_secret: 'secret',
      attributes_request_method: 'POST',
      oidc_issuer: issuer.url,
      authorize_scopes: 'openid email profile',
    },
    AttributeMapping: { email: 'email', email_verified: 'email_verified', name: 'name' },
    IdpIdentifiers: ['issuer.example'],
  });
  await cognito.createIdentityProvider({
    UserPoolId,
    ProviderName: 'Corp',
    ProviderType: 'SAML',
    ProviderDetails: { MetadataFile: saml.metadata, IDPSignout: 'true' },
    AttributeMapping: { email: 'mail' },
  });
  const { UserPoolClient } = await cognito.createUserPoolClient({
    UserPoolId,
    ClientName: 'c',
    AllowedOAuthFlowsUserPoolClient: true,
    AllowedOAuthFlows: ['code'],
    AllowedOAuthScopes: ['openid', 'email'],
    CallbackURLs: [REDIRECT],
    LogoutURLs: [SIGNED_OUT],
    SupportedIdentityProviders: ['COGNITO', 'Foreign', 'Corp'],
  });
  ClientId = UserPoolClient!.ClientId!;
});
afterAll(async () => {
  await issuer[Symbol.asyncDispose]();
  await emulator.close();
});

describe('sign-in at an OpenID Connect provider', () => {
  const signIn = async (login: string, more: Record<string, string> = {}): Promise<Response> => {
    const sent = await authorize('Foreign', more);
    return visit(await signInAt(issuer, sent.headers.get('location')!, login));
  };

  test('creates a user with mapped attributes, and finds the user the next time', async () => {
    const back = await signIn('ann', { nonce: 'n' });
    const location = back.headers.get('location')!;
    expect(new URL(location).searchParams.get('state')).toBe('mine');
    expect(await exchange(location)).toMatchObject({
      'cognito:username': 'Foreign_ann',
      email: 'ann@issuer.example',
      email_verified: true,
      nonce: 'n',
      'cognito:groups': [`${POOL}_Foreign`],
      identities: [{ userId: 'ann', providerName: 'Foreign', providerType: 'OIDC', primary: true }],
    });
    const user = await cognito.adminGetUser({ UserPoolId: POOL, Username: 'Foreign_ann' });
    expect(user.UserStatus).toBe('EXTERNAL_PROVIDER');
    const again = await signIn('ann');
    expect((await exchange(again.headers.get('location')!)).sub).toBe(
      user.UserAttributes!.find(({ Name }) => Name === 'sub')!.Value,
    );
    const session = back.headers.get('set-cookie')!.split(';')[0]!;
    const query = new URLSearchParams({ client_id: ClientId, redirect_uri: REDIRECT, response_type: 'code' });
    const known = await visit(`${BASE}/oauth2/authorize?${query.toString()}`, { headers: { cookie: session } });
    expect(known.headers.get('location')).toContain(`${REDIRECT}?code=`);
  });

  test('signs in as the user that an administrator linked', async () => {
    await cognito.adminCreateUser({ UserPoolId: POOL, Username: 'boss', MessageAction: 'SUPPRESS' });
    await cognito.adminLinkProviderForUser({
      UserPoolId: POOL,
      DestinationUser: { ProviderName: 'Cognito', ProviderAttributeValue: 'boss' },
      SourceUser: {
        ProviderName: 'Foreign',
        ProviderAttributeName: 'email',
        ProviderAttributeValue: 'bob@issuer.example',
      },
    });
    const back = await signIn('bob');
    expect(await exchange(back.headers.get('location')!)).toMatchObject({ 'cognito:username': 'boss' });
  });

  test('is rejected for a sign-in that was not started, was answered already, or belongs to another provider', async () => {
    const sent = await authorize('Foreign');
    const address = await signInAt(issuer, sent.headers.get('location')!, 'eve');
    const forged = new URL(address);
    forged.searchParams.set('code', 'forged');
    expect(errorOf(await visit(forged.href))).toContain('refused the sign-in');
    expect((await visit(address)).status).toBe(400);
    expect((await visit(`${BASE}/oauth2/idpresponse?state=x&code=y`)).status).toBe(400);
    const unknown = await authorize('Nobody');
    expect(await unknown.text()).toContain('Login option is not available');
  });

  test("is selected by an identifier, or as the client's only provider", async () => {
    const { UserPoolClient } = await cognito.createUserPoolClient({
      UserPoolId: POOL,
      ClientName: 'only',
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid'],
      CallbackURLs: [REDIRECT],
      SupportedIdentityProviders: ['Foreign'],
    });
    const query = { client_id: UserPoolClient!.ClientId!, redirect_uri: REDIRECT, response_type: 'code' };
    const only = await visit(`${BASE}/oauth2/authorize?${new URLSearchParams(query).toString()}`);
    expect(only.headers.get('location')).toContain(issuer.url);
    const identifier = new URLSearchParams({ ...query, idp_identifier: 'issuer.example' });
    const named = await visit(`${BASE}/oauth2/authorize?${identifier.toString()}`);
    expect(named.headers.get('location')).toContain(issuer.url);
  });
});

describe('sign-in at a SAML provider', () => {
  const begin = async (): Promise<string> => (await authorize('Corp')).headers.get('location')!;

  test('creates a user from the assertion', async () => {
    const address = await begin();
    expect(requestIn(address)).toContain(`urn:amazon:cognito:sp:${POOL}`);
    const response = saml.respond(address, 'ann@corp', { mail: 'ann@corp.example' });
    const back = await post(relayOf(address), response);
    expect(await exchange(back.headers.get('location')!)).toMatchObject({
      'cognito:username': 'Corp_ann@corp',
      email: 'ann@corp.example',
      identities: [{ providerName: 'Corp', providerType: 'SAML' }],
    });
    expect((await post(relayOf(address), response)).status).toBe(400);
    const session = back.headers.get('set-cookie')!.split(';')[0]!;
    const out = await visit(`${BASE}/logout?client_id=${ClientId}&logout_uri=${encodeURIComponent(SIGNED_OUT)}`, {
      headers: { cookie: session },
    });
    const slo = out.headers.get('location')!;
    expect(slo).toContain('https://idp.example.com/slo');
    expect(requestIn(slo)).toContain('ann@corp');
    expect(new URL(slo).searchParams.get('Signature')).toBeTruthy();
    const done = await visit(`${BASE}/saml2/logout?RelayState=${relayOf(slo)}`);
    expect(done.headers.get('location')).toBe(SIGNED_OUT);
  });

  test('rejects responses that are unsigned, for another request or for another audience', async () => {
    const refused = async (change: (address: string) => string): Promise<string | null> => {
      const address = await begin();
      return errorOf(await post(relayOf(address), change(address)));
    };
    const forged = (address: string): string =>
      Buffer.from(
        Buffer.from(saml.respond(address, 'eve', {}), 'base64')
          .toString()
          .replace('>eve<', '>admin<'),
      ).toString('base64');
    expect(await refused(forged)).toContain('Invalid samlResponse');
    const other = await begin();
    expect(await refused(() => saml.respond(other, 'eve', {}))).toContain('Invalid samlResponse');
    expect(await refused((address) => saml.respond(address, 'eve', {}, { audience: 'urn:other' }))).toContain(
      'Invalid samlResponse',
    );
    expect(await refused(() => 'bm90IHhtbA==')).toContain('Invalid samlResponse');
  });

  test('accepts an unsolicited response only if the provider may send one', async () => {
    const relay = new URLSearchParams({
      identity_provider: 'Corp',
      client_id: ClientId,
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: 'openid',
    }).toString();
    const response = saml.respond(await begin(), 'ina@corp', { mail: 'ina@corp.example' }, { isUnasked: true });
    expect((await post(relay, response)).status).toBe(400);
    const ProviderDetails = { MetadataFile: saml.metadata, IDPSignout: 'true', IDPInit: 'true' };
    const named = { UserPoolId: POOL, ProviderName: 'Corp' };
    await cognito.updateIdentityProvider({ ...named, ProviderDetails });
    const back = await post(relay, response);
    expect(await exchange(back.headers.get('location')!)).toMatchObject({ 'cognito:username': 'Corp_ina@corp' });
    const elsewhere = new URLSearchParams(relay);
    elsewhere.set('redirect_uri', 'https://evil.example.com/');
    expect(await (await post(elsewhere.toString(), response)).text()).toContain('redirect_mismatch');
  });

  test('requires metadata, and has a certificate for signed requests', async () => {
    const { name } = await rejection(
      cognito.createIdentityProvider({
        UserPoolId: POOL,
        ProviderName: 'Broken',
        ProviderType: 'SAML',
        ProviderDetails: { MetadataFile: '<x/>' },
      }),
    );
    expect(name).toBe('InvalidParameterException');
    const { Certificate } = await cognito.getSigningCertificate({ UserPoolId: POOL });
    expect(Certificate).toMatch(/^[A-Za-z0-9+/=]{500,}$/);
    expect((await cognito.getSigningCertificate({ UserPoolId: POOL })).Certificate).toBe(Certificate);
  });
});

test('a function of the pool changes the attributes from a provider', async () => {
  const lambda = new Lambda(emulator.clientConfig());
  const handler =
    'exports.handler = async (event) => { const { idToken } = event.request.attributes; event.response.userAttributesToMap = { email: idToken.sub + "@" + event.request.providerName + ".changed" }; return event; };';
  const { FunctionArn } = await lambda.createFunction({
    FunctionName: 'inbound',
    Runtime: 'nodejs20.x',
    Handler: 'index.handler',
    Role: 'arn:aws:iam::000000000000:role/function',
    Code: { ZipFile: zipOf({ 'index.js': handler }) },
  });
  await cognito.updateUserPool({
    UserPoolId: POOL,
    LambdaConfig: { InboundFederation: { LambdaVersion: 'V1_0', LambdaArn: FunctionArn } },
  });
  const sent = await authorize('Foreign');
  const back = await visit(await signInAt(issuer, sent.headers.get('location')!, 'zoe'));
  expect(await exchange(back.headers.get('location')!)).toMatchObject({
    'cognito:username': 'Foreign_zoe',
    email: 'zoe@Foreign.changed',
  });
});
