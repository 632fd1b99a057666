import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CognitoTest, claimsOf, failureOf, type Made, PASSWORD, startCognito } from './support.ts';

const REDIRECT = 'https://app.example.com/callback';

describe('OAuth endpoints', () => {
  let test: CognitoTest;
  let made: Made;
  let base: string;
  beforeAll(async () => {
    test = await startCognito();
    const { cognito } = test;
    const { UserPool } = await cognito.createUserPool({ PoolName: 'p' });
    const UserPoolId = UserPool!.Id!;
    const Scopes = [{ ScopeName: 'read', ScopeDescription: 'reads' }];
    await cognito.createResourceServer({ UserPoolId, Identifier: 'api', Name: 'API', Scopes });
    const { UserPoolClient } = await cognito.createUserPoolClient({
      UserPoolId,
      ClientName: 'c',
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthFlows: ['code', 'implicit'],
      AllowedOAuthScopes: ['openid', 'email', 'api/read'],
      CallbackURLs: [REDIRECT],
      LogoutURLs: ['https://app.example.com/'],
      SupportedIdentityProviders: ['COGNITO'],
      ExplicitAuthFlows: ['ALLOW_USER_PASSWORD_AUTH'],
    });
    made = { UserPoolId, ClientId: UserPoolClient!.ClientId! };
    base = `http://localhost:4566/${UserPoolId}`;
    await test.user(made, 'jane', { email: 'jane@example.com' });
  });
  afterAll(() => test[Symbol.asyncDispose]());

  const fetch = (url: string, init?: RequestInit) =>
    test.emulator.gateway.fetch(new Request(url, { redirect: 'manual', ...init })) as Promise<Response>;
  const authorizeQuery = (more: Record<string, string> = {}) =>
    new URLSearchParams({
      client_id: made.ClientId,
      redirect_uri: REDIRECT,
      response_type: 'code',
      ...more,
    }).toString();
  const token = async (form: Record<string, string>, headers: Record<string, string> = {}) => {
    const response = await fetch(`${base}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form), headers });
    return { status: response.status, json: (await response.json()) as Record<string, unknown> };
  };
  const mint = async (more: object = {}) =>
    (
      (
        await test.emulator.control('POST', '/_emulator/cognito/authorization-codes', {
          userPoolId: made.UserPoolId,
          username: 'jane',
          clientId: made.ClientId,
          ...more,
        })
      ).json as { code: string }
    ).code;

  it('serve the discovery documents', async () => {
    const response = await fetch(`${base}/.well-known/openid-configuration`, {
      headers: { origin: 'https://other.example' },
    });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toMatchObject({
      issuer: `https://cognito-idp.us-east-1.amazonaws.com/${made.UserPoolId}`,
      jwks_uri: `${base}/.well-known/jwks.json`,
      token_endpoint: `${base}/oauth2/token`,
    });
    const missing = await fetch('http://localhost:4566/us-east-1_none00000/.well-known/jwks.json');
    expect(missing.status).toBe(404);
    const asked = await fetch(`${base}/oauth2/token`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example.com', 'access-control-request-method': 'POST' },
    });
    expect(asked.status).toBeLessThan(300);
    expect(asked.headers.get('access-control-allow-origin')).toBeTruthy();
  });

  it('sign users in with the pages and issue codes', async () => {
    const verifier = 'v'.repeat(43);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const query = authorizeQuery({
      state: 's',
      nonce: 'n',
      scope: 'openid email',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    });
    const first = await fetch(`${base}/oauth2/authorize?${query}`);
    expect(first.status).toBe(302);
    const page = await fetch(first.headers.get('location')!);
    const html = await page.text();
    expect(html).toContain('Sign in');
    const cookie = page.headers.get('set-cookie')!.split(';')[0]!;
    const csrf = /name="_csrf" value="([^"]+)"/.exec(html)![1]!;
    const post = (form: Record<string, string>, cookies = cookie) =>
      fetch(`${base}/login?${query}`, {
        method: 'POST',
        body: new URLSearchParams(form),
        headers: { cookie: cookies },
      });
    expect((await post({ username: 'jane', password: PASSWORD, _csrf: 'x' })).status).toBe(403);
    const wrong = await post({ username: '<b>', password: 'x', _csrf: csrf });
    expect(await wrong.text()).toContain('User does not exist.');
    const done = await post({ username: 'jane', password: PASSWORD, _csrf: csrf });
    const location = new URL(done.headers.get('location')!);
    expect(location.origin + location.pathname).toBe(REDIRECT);
    expect(location.searchParams.get('state')).toBe('s');
    const code = location.searchParams.get('code')!;
    const session = done.headers.get('set-cookie')!.split(';')[0]!;
    const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, client_id: made.ClientId };
    expect((await token({ ...form, client_id: 'other', code_verifier: verifier })).json).toEqual({
      error: 'invalid_client',
    });
    const { json } = await token({ ...form, code_verifier: verifier });
    expect(claimsOf(json.id_token as string)).toMatchObject({
      nonce: 'n',
      email: 'jane@example.com',
      aud: made.ClientId,
    });
    expect(claimsOf(json.access_token as string)).toMatchObject({ scope: 'openid email' });
    expect((await token({ ...form, code_verifier: verifier })).json).toEqual({ error: 'invalid_grant' });
    const info = await fetch(`${base}/oauth2/userInfo`, { headers: { authorization: `Bearer ${json.access_token}` } });
    expect(await info.json()).toMatchObject({ username: 'jane', email: 'jane@example.com' });
    expect(await failureOf(test.cognito.getUser({ AccessToken: json.access_token as string }))).toMatch(
      /required scopes/,
    );
    const refreshed = await token({
      grant_type: 'refresh_token',
      refresh_token: json.refresh_token as string,
      client_id: made.ClientId,
    });
    expect(refreshed.json.access_token).toBeTruthy();
    expect(refreshed.json.refresh_token).toBeUndefined();
    const again = await fetch(`${base}/oauth2/authorize?${authorizeQuery()}`, { headers: { cookie: session } });
    expect(again.headers.get('location')).toContain('code=');
    const implicit = await fetch(`${base}/oauth2/authorize?${authorizeQuery({ response_type: 'token' })}`, {
      headers: { cookie: session },
    });
    expect(new URL(implicit.headers.get('location')!).hash).toContain('access_token=');
    const out = await fetch(
      `${base}/logout?client_id=${made.ClientId}&logout_uri=${encodeURIComponent('https://app.example.com/')}`,
      { headers: { cookie: session } },
    );
    expect(out.headers.get('location')).toBe('https://app.example.com/');
    const after = await fetch(`${base}/oauth2/authorize?${authorizeQuery({ prompt: 'none' })}`, {
      headers: { cookie: session },
    });
    expect(after.headers.get('location')).toContain('error=login_required');
    const gone = { token: json.refresh_token as string, client_id: made.ClientId };
    const revoked = await fetch(`${base}/oauth2/revoke`, { method: 'POST', body: new URLSearchParams(gone) });
    expect(revoked.status).toBe(200);
    const spent = await token({
      grant_type: 'refresh_token',
      refresh_token: json.refresh_token as string,
      client_id: made.ClientId,
    });
    expect(spent.json).toMatchObject({ error: 'invalid_grant' });
  });

  it('redirect only to the client’s URLs', async () => {
    const other = await fetch(`${base}/oauth2/authorize?${authorizeQuery({ redirect_uri: 'https://evil.example/' })}`);
    expect(other.status).toBe(400);
    const scope = await fetch(`${base}/oauth2/authorize?${authorizeQuery({ scope: 'phone' })}`);
    expect(scope.headers.get('location')).toContain('error=invalid_scope');
    const out = await fetch(`${base}/logout?client_id=${made.ClientId}&logout_uri=https://evil.example/`);
    expect(out.status).toBe(400);
  });

  it('bind access tokens to a resource and prefill the user name', async () => {
    const refused = await fetch(`${base}/oauth2/authorize?${authorizeQuery({ resource: 'http://api.example.com' })}`);
    expect(refused.headers.get('location')).toContain('error=invalid_request');
    const query = authorizeQuery({ resource: 'https://api.example.com/v1', login_hint: 'jane' });
    const page = await fetch(`${base}/login?${query}`);
    const text = await page.text();
    expect(text).toContain('name="username" type="text" value="jane"');
    const body = new URLSearchParams({
      _csrf: /name="_csrf" value="([^"]+)"/.exec(text)![1]!,
      username: 'jane',
      password: PASSWORD,
    });
    const cookie = page.headers.get('set-cookie')!.split(';')[0]!;
    const back = await fetch(`${base}/login?${query}`, { method: 'POST', body, headers: { cookie } });
    const code = new URL(back.headers.get('location')!).searchParams.get('code')!;
    const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, client_id: made.ClientId };
    const { json } = await token(form);
    expect(claimsOf(json.access_token as string)).toMatchObject({
      aud: 'https://api.example.com/v1',
      token_use: 'access',
    });
    const renewed = await token({
      grant_type: 'refresh_token',
      refresh_token: json.refresh_token as string,
      client_id: made.ClientId,
    });
    expect(claimsOf(renewed.json.access_token as string).aud).toBe('https://api.example.com/v1');
  });

  it('exchange codes of the control route once, with proof', async () => {
    const verifier = 'w'.repeat(43);
    const code = await mint({ codeChallenge: verifier, codeChallengeMethod: 'plain', nonce: 'n2' });
    const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, client_id: made.ClientId };
    expect((await token({ ...form, code_verifier: 'wrong' })).json).toEqual({ error: 'invalid_grant' });
    const late = await mint();
    await test.advance(6 * 60_000);
    expect((await token({ ...form, code: late })).json).toEqual({ error: 'invalid_grant' });
    const good = await token({ ...form, code: await mint({ nonce: 'n3' }) });
    expect(claimsOf(good.json.id_token as string).nonce).toBe('n3');
  });

  it('issue client credentials tokens', async () => {
    const { cognito } = test;
    const { UserPoolId } = made;
    const { UserPoolClient } = await cognito.createUserPoolClient({
      UserPoolId,
      ClientName: 'machine',
      GenerateSecret: true,
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthFlows: ['client_credentials'],
      AllowedOAuthScopes: ['api/read'],
    });
    const { ClientId, ClientSecret } = UserPoolClient!;
    const basic = (secret: string) => ({
      authorization: `Basic ${Buffer.from(`${ClientId}:${secret}`).toString('base64')}`,
    });
    const { status, json } = await token({ grant_type: 'client_credentials' }, basic(ClientSecret!));
    expect(status).toBe(200);
    expect(claimsOf(json.access_token as string)).toMatchObject({
      sub: ClientId,
      client_id: ClientId,
      scope: 'api/read',
      token_use: 'access',
    });
    const bound = await token(
      { grant_type: 'client_credentials', resource: 'https://api.example.com' },
      basic(ClientSecret!),
    );
    expect(claimsOf(bound.json.access_token as string).aud).toBe('https://api.example.com');
    const unbound = { grant_type: 'client_credentials', resource: 'http://api.example.com' };
    expect((await token(unbound, basic(ClientSecret!))).json).toEqual({ error: 'invalid_target' });
    expect((await token({ grant_type: 'client_credentials' }, basic('wrong'))).json).toEqual({
      error: 'invalid_client',
    });
    expect((await token({ grant_type: 'client_credentials', scope: 'api/write' }, basic(ClientSecret!))).json).toEqual({
      error: 'invalid_scope',
    });
  });

  it('serve prefix domains', async () => {
    const { cognito } = test;
    const { UserPoolId } = made;
    expect((await cognito.describeUserPoolDomain({ Domain: 'shop' })).DomainDescription).toEqual({});
    await cognito.createUserPoolDomain({ UserPoolId, Domain: 'shop' });
    expect(await failureOf(cognito.createUserPoolDomain({ UserPoolId, Domain: 'shop' }))).toMatch(/^InvalidParameter/);
    expect((await cognito.describeUserPoolDomain({ Domain: 'shop' })).DomainDescription).toMatchObject({
      UserPoolId,
      Status: 'ACTIVE',
    });
    expect((await cognito.describeUserPool({ UserPoolId })).UserPool!.Domain).toBe('shop');
    await cognito.updateUserPoolDomain({ UserPoolId, Domain: 'shop', ManagedLoginVersion: 2 });
    const page = await fetch(`http://shop.auth.us-east-1.localhost:4566/login?${authorizeQuery()}`, {
      headers: { host: 'shop.auth.us-east-1.localhost:4566' },
    });
    expect(await page.text()).toContain('Sign in');
    await cognito.deleteUserPoolDomain({ UserPoolId, Domain: 'shop' });
    expect((await cognito.describeUserPool({ UserPoolId })).UserPool!.Domain).toBeUndefined();
  });

  it('serve custom domains', async () => {
    const { cognito } = test;
    const { UserPoolId } = made;
    const Domain = 'auth.example.com';
    const CustomDomainConfig = { CertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/c' };
    expect(await failureOf(cognito.createUserPoolDomain({ UserPoolId, Domain }))).toMatch(
      /^InvalidParameterException: The domain name contains an invalid character/,
    );
    expect(await cognito.createUserPoolDomain({ UserPoolId, Domain, CustomDomainConfig })).toMatchObject({
      CloudFrontDomain: expect.stringMatching(/^d[a-z0-9]{13}\.cloudfront\.net$/),
    });
    expect((await cognito.describeUserPoolDomain({ Domain })).DomainDescription).toMatchObject({
      Domain,
      CustomDomainConfig,
    });
    expect((await cognito.describeUserPool({ UserPoolId })).UserPool).toMatchObject({ CustomDomain: Domain });
    const host = `${Domain}:4566`;
    const page = await fetch(`http://${host}/login?${authorizeQuery()}`, { headers: { host } });
    expect(await page.text()).toContain('Sign in');
    await cognito.deleteUserPoolDomain({ UserPoolId, Domain });
    expect((await fetch(`http://${host}/login?${authorizeQuery()}`, { headers: { host } })).status).toBe(403);
  });

  it('support sign-up and confirmation', async () => {
    const open = async (path: string) => {
      const page = await fetch(`${base}${path}?${authorizeQuery()}`);
      const html = await page.text();
      return {
        cookie: page.headers.get('set-cookie')!.split(';')[0]!,
        _csrf: /name="_csrf" value="([^"]+)"/.exec(html)![1]!,
      };
    };
    const send = async (path: string, form: Record<string, string>) => {
      const { cookie, _csrf } = await open(path);
      return fetch(`${base}${path}?${authorizeQuery()}`, {
        method: 'POST',
        headers: { cookie },
        body: new URLSearchParams({ ...form, _csrf }),
      });
    };
    const refused = await send('/signup', { username: 'new', password: 'short' });
    expect(await refused.text()).toContain('Password not long enough');
    const done = await send('/signup', { username: 'new', password: PASSWORD });
    expect(done.headers.get('location')).toContain('/confirm?');
    expect((await test.cognito.adminGetUser({ UserPoolId: made.UserPoolId, Username: 'new' })).UserStatus).toBe(
      'UNCONFIRMED',
    );
  });
});

describe('resource servers and identity providers', () => {
  let test: CognitoTest;
  let UserPoolId: string;
  beforeAll(async () => {
    test = await startCognito();
    ({ UserPoolId } = await test.make());
  });
  afterAll(() => test[Symbol.asyncDispose]());

  it('are created, described, changed, listed and deleted', async () => {
    const { cognito } = test;
    const server = { UserPoolId, Identifier: 'https://api' };
    await cognito.createResourceServer({ ...server, Name: 'a' });
    expect(await failureOf(cognito.createResourceServer({ ...server, Name: 'a' }))).toMatch(/^InvalidParameter/);
    await cognito.updateResourceServer({ ...server, Name: 'b', Scopes: [{ ScopeName: 'x', ScopeDescription: 'y' }] });
    expect((await cognito.describeResourceServer(server)).ResourceServer).toMatchObject({
      Name: 'b',
      Scopes: [{ ScopeName: 'x' }],
    });
    expect((await cognito.listResourceServers({ UserPoolId })).ResourceServers).toHaveLength(1);
    await cognito.deleteResourceServer(server);
    expect(await failureOf(cognito.describeResourceServer(server))).toMatch(/^ResourceNotFound/);
    const provider = { UserPoolId, ProviderName: 'Google' };
    const details = { client_id: 'a', client_secret: 'b', authorize_scopes: 'openid' };
    const make = (ProviderDetails: Record<string, string>) =>
      cognito.createIdentityProvider({ ...provider, ProviderType: 'Google', ProviderDetails, IdpIdentifiers: ['g'] });
    expect(await failureOf(make({ client_id: 'a' }))).toMatch(/client_secret is missing/);
    await make(details);
    expect(await failureOf(make(details))).toMatch(/^DuplicateProviderException/);
    await cognito.updateIdentityProvider({ ...provider, AttributeMapping: { email: 'email' } });
    expect((await cognito.describeIdentityProvider(provider)).IdentityProvider).toMatchObject({
      AttributeMapping: { email: 'email', username: 'sub' },
    });
    expect(
      (await cognito.getIdentityProviderByIdentifier({ UserPoolId, IdpIdentifier: 'g' })).IdentityProvider!
        .ProviderName,
    ).toBe('Google');
    expect((await cognito.listIdentityProviders({ UserPoolId })).Providers).toHaveLength(1);
    await test.user({ UserPoolId, ClientId: '' }, 'jane');
    const linked = { ProviderName: 'Google', ProviderAttributeName: 'Cognito_Subject', ProviderAttributeValue: '123' };
    const DestinationUser = { ProviderName: 'Cognito', ProviderAttributeValue: 'jane' };
    const link = (SourceUser: object) => cognito.adminLinkProviderForUser({ UserPoolId, DestinationUser, SourceUser });
    expect(await failureOf(link({ ...linked, ProviderName: 'none' }))).toMatch(/^InvalidParameter/);
    await link(linked);
    expect(await failureOf(link(linked))).toMatch(/Merging is not currently supported/);
    const identities = async () =>
      (await cognito.adminGetUser({ UserPoolId, Username: 'jane' })).UserAttributes!.find(
        ({ Name }) => Name === 'identities',
      );
    expect(JSON.parse((await identities())!.Value!)).toMatchObject([
      { userId: '123', providerName: 'Google', primary: false },
    ]);
    await cognito.adminDisableProviderForUser({ UserPoolId, User: linked });
    expect(await identities()).toBeUndefined();
    expect(await failureOf(cognito.adminDisableProviderForUser({ UserPoolId, User: linked }))).toMatch(/^UserNotFound/);
    await cognito.deleteIdentityProvider(provider);
    expect(await failureOf(cognito.describeIdentityProvider(provider))).toMatch(/^ResourceNotFound/);
  });
});
