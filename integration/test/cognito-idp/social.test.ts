import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest } from '@emu/svc-cognito-idp/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Issuer, signInAt, startIssuer } from './oidc-issuer.ts';
import { type SocialServer, startSocialServer } from './social-server.ts';

const REDIRECT = 'https://app.example.com/callback';
const UserPoolId = 'us-east-1_social';
const BASE = `http://localhost:4566/${UserPoolId}`;
const CALLBACK = `${BASE}/oauth2/idpresponse`;

let emulator: TestEmulator;
let cognito: CognitoIdentityProvider;
let issuer: Issuer;
let social: SocialServer;
let ClientId: string;

beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: [manifest] });
  cognito = new CognitoIdentityProvider(emulator.clientConfig());
  issuer = await startIssuer(() => CALLBACK);
  social = await startSocialServer();
  await cognito.createUserPool({ PoolName: 'p', UserPoolTags: { _custom_id_: 'social' } });
  const make = (
    type: 'Facebook' | 'Google' | 'LoginWithAmazon' | 'SignInWithApple',
    details: object,
    mapping: object,
  ) =>
    cognito.createIdentityProvider({
      UserPoolId,
      ProviderName: type,
      ProviderType: type,
      ProviderDetails: { client_id: 'pool', client_secret: 'secret', ...details },
      AttributeMapping: { ...mapping },
    });
  await make(
    'Google',
    { authorize_scopes: 'openid email profile', oidc_issuer: issuer.url },
    { email: 'email', name: 'name' },
  );
  await make(
    'LoginWithAmazon',
    {
      authorize_scopes: 'openid profile email',
      authorize_url: `${issuer.url}/auth`,
      token_url: `${issuer.url}/token`,
      attributes_url: `${issuer.url}/me`,
    },
    { email: 'email' },
  );
  await make(
    'Facebook',
    {
      client_id: 'app',
      client_secret: 'hush',
      authorize_scopes: 'public_profile,email',
      authorize_url: `${social.url}/facebook/dialog`,
      token_url: `${social.url}/facebook/token`,
      attributes_url: `${social.url}/facebook/me?fields=`,
    },
    { email: 'email', name: 'name' },
  );
  await make(
    'SignInWithApple',
    {
      client_id: 'com.example.app',
      team_id: 'TEAM',
      key_id: 'KEY',
      private_key: social.applePrivateKey,
      authorize_scopes: 'email name',
      oidc_issuer: `${social.url}/apple`,
      authorize_url: `${social.url}/apple/authorize`,
      token_url: `${social.url}/apple/token`,
      jwks_uri: `${social.url}/apple/keys`,
    },
    { email: 'email', given_name: 'firstName' },
  );
  const { UserPoolClient } = await cognito.createUserPoolClient({
    UserPoolId,
    ClientName: 'c',
    AllowedOAuthFlowsUserPoolClient: true,
    AllowedOAuthFlows: ['code'],
    AllowedOAuthScopes: ['openid', 'email'],
    CallbackURLs: [REDIRECT],
    SupportedIdentityProviders: ['Facebook', 'Google', 'LoginWithAmazon', 'SignInWithApple'],
  });
  ClientId = UserPoolClient!.ClientId!;
});
afterAll(async () => {
  await issuer[Symbol.asyncDispose]();
  await social[Symbol.asyncDispose]();
  await emulator.close();
});

const visit = (url: string, init: RequestInit = {}) =>
  emulator.gateway.fetch(new Request(url, { redirect: 'manual', ...init })) as Promise<Response>;
/** Returns the sign-in URL to which a browser is redirected. */
const begin = async (provider: string, more: object = {}): Promise<URL> => {
  const query = new URLSearchParams({
    client_id: ClientId,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'openid',
    identity_provider: provider,
    ...more,
  });
  return new URL((await visit(`${BASE}/oauth2/authorize?${query}`)).headers.get('location')!);
};
/** Returns the claims of the ID token that a client receives for a browser's redirect. */
const claimsAt = async (back: Response): Promise<Record<string, unknown>> => {
  const location = new URL(back.headers.get('location')!);
  expect(location.searchParams.get('error_description')).toBeNull();
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: location.searchParams.get('code')!,
    redirect_uri: REDIRECT,
    client_id: ClientId,
  });
  const tokens = (await (await visit(`${BASE}/oauth2/token`, { method: 'POST', body })).json()) as { id_token: string };
  return JSON.parse(Buffer.from(tokens.id_token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;
};

test('Google signs in by its ID token and attributes', async () => {
  const sent = await begin('Google', { login_hint: 'ann' });
  expect(sent.searchParams.get('login_hint')).toBe('ann');
  const back = await visit(await signInAt(issuer, sent.href, 'ann'));
  expect(await claimsAt(back)).toMatchObject({
    'cognito:username': 'Google_ann',
    email: 'ann@issuer.example',
    identities: [{ userId: 'ann', providerName: 'Google', providerType: 'Google' }],
  });
});

test('Login with Amazon signs in with OAuth 2.0, and identifies its users by user_id', async () => {
  const back = await visit(await signInAt(issuer, (await begin('LoginWithAmazon')).href, 'bob'));
  expect(await claimsAt(back)).toMatchObject({
    'cognito:username': 'LoginWithAmazon_amzn.bob',
    email: 'bob@issuer.example',
  });
});

test('Facebook is queried for the mapped attributes', async () => {
  const sent = await begin('Facebook');
  expect(sent.pathname).toBe('/facebook/dialog');
  expect(Object.fromEntries(sent.searchParams)).toMatchObject({
    client_id: 'app',
    redirect_uri: CALLBACK,
    scope: 'public_profile email',
  });
  const state = sent.searchParams.get('state')!;
  expect(await claimsAt(await visit(`${CALLBACK}?code=good&state=${state}`))).toMatchObject({
    'cognito:username': 'Facebook_1234',
    email: 'ann@facebook.example',
    name: 'Ann',
  });
  expect(social.fields.at(-1)!.split(',').sort()).toEqual(['email', 'id', 'name']);
  const refused = async (parameters: string): Promise<string | null> => {
    const again = (await begin('Facebook')).searchParams.get('state')!;
    const { headers } = await visit(`${CALLBACK}?${parameters}&state=${again}`);
    return new URL(headers.get('location')!).searchParams.get('error_description');
  };
  expect(await refused('code=bad')).toContain('refused the sign-in: it answered 400');
  expect(await refused('error=access_denied')).toContain('access_denied');
});

test('Apple responds with a form, to a client whose secret is signed with its key', async () => {
  const sent = await begin('SignInWithApple');
  expect(sent.searchParams.get('response_mode')).toBe('form_post');
  social.expectNonce(sent.searchParams.get('nonce')!);
  const user = JSON.stringify({ name: { firstName: 'Ann', lastName: 'Apple' }, email: 'ann@apple.example' });
  const body = new URLSearchParams({ code: 'good', state: sent.searchParams.get('state')!, user });
  expect(await claimsAt(await visit(CALLBACK, { method: 'POST', body }))).toMatchObject({
    'cognito:username': 'SignInWithApple_001.ann',
    email: 'ann@apple.example',
    given_name: 'Ann',
  });
});

test('provider details have default endpoints unless set', async () => {
  const described = async (ProviderName: string) =>
    (await cognito.describeIdentityProvider({ UserPoolId, ProviderName })).IdentityProvider!.ProviderDetails!;
  expect(await described('Facebook')).toMatchObject({
    attributes_url_add_attributes: 'true',
    token_request_method: 'GET',
    token_url: `${social.url}/facebook/token`,
  });
  await cognito.updateIdentityProvider({
    UserPoolId,
    ProviderName: 'Facebook',
    ProviderDetails: { client_id: 'app', client_secret: 'hush', authorize_scopes: 'email', api_version: 'v17.0' },
  });
  expect(await described('Facebook')).toMatchObject({
    authorize_url: 'https://www.facebook.com/v17.0/dialog/oauth',
    attributes_url: 'https://graph.facebook.com/v17.0/me?fields=',
  });
  expect((await begin('Facebook')).host).toBe('www.facebook.com');
});
