import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiTest, functionArn, functionUri, START, startApis } from './support.ts';

let test: ApiTest;
let apiId: string;
let issuerServer: Server;
let issuer: string;
let sign: (claims: Record<string, unknown>, expires?: number) => Promise<string>;
/** Keys that the issuer publishes, which tests add to. */
let keys: object[];
let fetched = 0;

const now = Date.parse(START) / 1000;
const UNAUTHORIZED = { status: 401, body: '{"message":"Unauthorized"}' };
const FORBIDDEN = { status: 403, body: '{"message":"Forbidden"}' };

/** Creates a key of the issuer, with its signing function. */
async function newKey(kid: string, alg = 'RS256') {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const key = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' };
  const signer = (claims: JWTPayload) => new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(privateKey);
  return { key, signer };
}

beforeAll(async () => {
  const { key, signer } = await newKey('k1');
  keys = [key];
  issuerServer = createServer((request, response) => {
    fetched++;
    const jwks = request.url === '/keys';
    response.end(JSON.stringify(jwks ? { keys } : { issuer, jwks_uri: `${issuer}/keys` }));
  });
  await new Promise<void>((resolve) => issuerServer.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(issuerServer.address() as AddressInfo).port}`;
  sign = (claims, expires = now + 3600) => signer({ iss: issuer, aud: 'app', ...claims, exp: expires });
  test = await startApis();
  apiId = await test.create();
  test.functions.set('context', ({ requestContext }) => ({
    statusCode: 200,
    body: JSON.stringify(requestContext.authorizer ?? null),
  }));
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await new Promise((resolve) => issuerServer.close(resolve));
});

describe('JWT authorizers', () => {
  let routeId: string;

  beforeAll(async () => {
    const { AuthorizerId } = await test.api.createAuthorizer({
      ApiId: apiId,
      Name: 'jwt',
      AuthorizerType: 'JWT',
      IdentitySource: ['$request.header.Authorization'],
      JwtConfiguration: { Issuer: issuer, Audience: ['app'] },
    });
    ({ routeId } = await test.route(apiId, 'GET /jwt', 'context'));
    await test.api.updateRoute({ ApiId: apiId, RouteId: routeId, AuthorizationType: 'JWT', AuthorizerId });
  });

  const get = (token?: string) =>
    test.fetch(apiId, '/jwt', token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });

  it('accept tokens of the issuer for the audience and pass claims to the function as text', async () => {
    const { status, body } = await get(await sign({ sub: 'u1', groups: ['a', 'b'], admin: true }));
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({
      jwt: {
        claims: { iss: issuer, aud: 'app', sub: 'u1', groups: '[a b]', admin: 'true', exp: String(now + 3600) },
        scopes: null,
      },
    });
    const client = await sign({ aud: undefined, client_id: 'app' });
    expect((await get(client)).status).toBe(200);
    const before = fetched;
    expect((await get(client)).status).toBe(200);
    expect(fetched).toBe(before);
  });

  it('reject all others', async () => {
    expect(await get()).toMatchObject(UNAUTHORIZED);
    expect(await get('nonsense')).toMatchObject(UNAUTHORIZED);
    expect(await get(await sign({ aud: 'other' }))).toMatchObject(UNAUTHORIZED);
    expect(await get(await sign({ iss: 'http://127.0.0.1:1' }))).toMatchObject(UNAUTHORIZED);
    const expired = await get(await sign({}, now - 1));
    expect(expired).toMatchObject(UNAUTHORIZED);
    expect(expired.headers['www-authenticate']).toContain('error_description="the token has expired"');
  });

  it('accept all RSA algorithms and no others, and fetch rotated keys', async () => {
    const claims = { iss: issuer, aud: 'app', exp: now + 3600 };
    const [old] = keys;
    expect((await get(await sign({}))).status).toBe(200);
    await test.advance(60_000);
    const later = await newKey('k2', 'PS512');
    keys.push(later.key);
    const before = fetched;
    expect((await get(await later.signer(claims))).status).toBe(200);
    expect(fetched).toBe(before + 2);
    // Within a minute, keys are not fetched again for unknown ids.
    const unknown = await newKey('k3');
    expect(await get(await unknown.signer(claims))).toMatchObject(UNAUTHORIZED);
    expect(fetched).toBe(before + 2);
    const curve = await newKey('k4', 'ES256');
    keys.push(curve.key);
    await test.advance(60_000);
    expect(await get(await curve.signer(claims))).toMatchObject(UNAUTHORIZED);
    // After two hours keys are fetched again, and revoked ones are rejected.
    keys = [later.key];
    expect((await get(await sign({}, now + 90_000))).status).toBe(200);
    await test.advance(2 * 60 * 60_000);
    expect(await get(await sign({}, now + 90_000))).toMatchObject(UNAUTHORIZED);
    expect((await get(await later.signer({ ...claims, exp: now + 90_000 }))).status).toBe(200);
    keys = [old!, later.key];
    await test.advance(2 * 60 * 60_000);
  });

  it('reject tokens that are not yet valid, and fail closed if the issuer is unavailable', async () => {
    const later = test.emulator.kernel.clock.now() / 1000 + 100;
    expect(await get(await sign({ nbf: later }, later + 100))).toMatchObject(UNAUTHORIZED);
    expect(await get(await sign({ iat: later }, later + 100))).toMatchObject(UNAUTHORIZED);
    const { AuthorizerId } = await test.api.createAuthorizer({
      ApiId: apiId,
      Name: 'nowhere',
      AuthorizerType: 'JWT',
      IdentitySource: ['$request.querystring.token'],
      JwtConfiguration: { Issuer: 'http://127.0.0.1:1', Audience: ['app'] },
    });
    const made = await test.route(apiId, 'GET /nowhere', 'context');
    await test.api.updateRoute({ ApiId: apiId, RouteId: made.routeId, AuthorizationType: 'JWT', AuthorizerId });
    const token = await sign({ iss: 'http://127.0.0.1:1' });
    expect(await test.fetch(apiId, `/nowhere?token=${token}`)).toMatchObject(UNAUTHORIZED);
  });

  it("require one of the route's scopes", async () => {
    await test.api.updateRoute({ ApiId: apiId, RouteId: routeId, AuthorizationScopes: ['read', 'write'] });
    const expires = test.emulator.kernel.clock.now() / 1000 + 60;
    expect(await get(await sign({ scope: 'other' }, expires))).toMatchObject(FORBIDDEN);
    expect((await get(await sign({ scp: ['write'] }, expires))).status).toBe(200);
    const { status, body } = await get(await sign({ scope: 'other read' }, expires));
    expect([status, JSON.parse(body).jwt.scopes]).toEqual([200, ['other', 'read']]);
  });
});

describe('Lambda authorizers', () => {
  const authorizer = async (path: string, fn: string, more: object) => {
    const { AuthorizerId } = await test.api.createAuthorizer({
      ApiId: apiId,
      Name: path,
      AuthorizerType: 'REQUEST',
      AuthorizerUri: functionUri(fn),
      AuthorizerPayloadFormatVersion: '2.0',
      EnableSimpleResponses: true,
      IdentitySource: ['$request.header.x-token'],
      ...more,
    });
    const { routeId } = await test.route(apiId, `ANY /${path}`, 'context');
    await test.api.updateRoute({ ApiId: apiId, RouteId: routeId, AuthorizationType: 'CUSTOM', AuthorizerId });
    return { AuthorizerId, routeId };
  };
  const get = (path: string, token?: string) =>
    test.fetch(apiId, `/${path}`, token === undefined ? {} : { headers: { 'x-token': token } });

  it('allow or deny, are invoked only with an identity, and are cached for their TTL', async () => {
    const seen: Record<string, unknown>[] = [];
    test.functions.set('simple', (event) => {
      seen.push(event);
      return { isAuthorized: event.headers['x-token'] === 'good', context: { user: 'u', n: 1 } };
    });
    await authorizer('simple', 'simple', { AuthorizerResultTtlInSeconds: 60 });
    expect(await get('simple')).toMatchObject(UNAUTHORIZED);
    expect(seen).toEqual([]);
    expect(await get('simple', 'bad')).toMatchObject(FORBIDDEN);
    const { status, body } = await get('simple', 'good');
    expect([status, JSON.parse(body)]).toEqual([200, { lambda: { user: 'u', n: 1 } }]);
    expect(seen[1]).toMatchObject({
      version: '2.0',
      type: 'REQUEST',
      routeArn: `arn:aws:execute-api:us-east-1:000000000000:${apiId}/$default/GET/simple`,
      identitySource: ['good'],
      routeKey: 'ANY /simple',
    });
    expect(seen[1]).not.toHaveProperty('body');
    await get('simple', 'good');
    expect(seen).toHaveLength(2);
    await test.api.resetAuthorizersCache({ ApiId: apiId, StageName: '$default' });
    await get('simple', 'good');
    expect(seen).toHaveLength(3);
    await test.advance(60_000);
    await get('simple', 'good');
    expect(seen).toHaveLength(4);
  });

  it('receive the whole request except its body, in both formats', async () => {
    const seen: Record<string, unknown>[] = [];
    test.functions.set('told', (event) => {
      seen.push(event);
      return { isAuthorized: true };
    });
    const asked = {
      method: 'POST',
      rawHeaders: [
        ['X-Token', 't'],
        ['User-Agent', 'agent'],
        ['Cookie', 'a=1'],
      ] as const,
      body: 'b',
    };
    const more = { IdentitySource: ['$request.header.X-Token', '$request.querystring.q'] };
    await authorizer('told/{id}', 'told', more);
    expect((await test.fetch(apiId, '/told/7?q=1&q=2', asked)).status).toBe(200);
    const policy = { ...more, AuthorizerPayloadFormatVersion: '1.0', EnableSimpleResponses: false, Name: 'told1' };
    await authorizer('told1/{id}', 'told', policy);
    await test.fetch(apiId, '/told1/7?q=1&q=2', asked);
    const host = `${apiId}.execute-api.us-east-1.amazonaws.com`;
    const time = test.emulator.kernel.clock.now();
    const arn = (path: string) => `arn:aws:execute-api:us-east-1:000000000000:${apiId}/$default/POST/${path}/7`;
    const own = { host, 'content-length': '1', 'user-agent': 'agent', 'x-token': 't' };
    const added = { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-port': '443', 'x-forwarded-proto': 'https' };
    const context = { accountId: '000000000000', apiId, domainName: host, domainPrefix: apiId, stage: '$default' };
    const [two, one] = seen;
    expect(two).toEqual({
      version: '2.0',
      type: 'REQUEST',
      routeArn: arn('told'),
      identitySource: ['t', '1,2'],
      routeKey: 'ANY /told/{id}',
      rawPath: '/told/7',
      rawQueryString: 'q=1&q=2',
      cookies: ['a=1'],
      headers: { ...own, ...added, 'x-amzn-trace-id': expect.any(String) },
      queryStringParameters: { q: '1,2' },
      requestContext: {
        ...context,
        http: { method: 'POST', path: '/told/7', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'agent' },
        requestId: expect.any(String),
        routeKey: 'ANY /told/{id}',
        time: expect.any(String),
        timeEpoch: time,
      },
      pathParameters: { id: '7' },
    });
    const { headers, multiValueHeaders, requestContext, ...rest } = one as Record<string, Record<string, unknown>>;
    expect(rest).toEqual({
      version: '1.0',
      type: 'REQUEST',
      methodArn: arn('told1'),
      identitySource: 't,1,2',
      authorizationToken: 't,1,2',
      resource: '/told1/{id}',
      path: '/told1/7',
      httpMethod: 'POST',
      queryStringParameters: { q: '2' },
      multiValueQueryStringParameters: { q: ['1', '2'] },
      pathParameters: { id: '7' },
      stageVariables: null,
    });
    expect(headers).toMatchObject({ 'X-Token': 't', Cookie: 'a=1' });
    expect(multiValueHeaders).toMatchObject({ 'X-Token': ['t'] });
    expect(requestContext).toMatchObject({ ...context, path: '/told1/7', resourcePath: '/told1/{id}' });
  });

  it('are cached for all routes of an API, or per route if the identity contains the route', async () => {
    let asked = 0;
    test.functions.set('counts', () => {
      asked++;
      return { isAuthorized: true };
    });
    const share = async (name: string, IdentitySource: string[]) => {
      const more = { IdentitySource, AuthorizerResultTtlInSeconds: 300 };
      const { AuthorizerId } = await authorizer(`${name}-a`, 'counts', more);
      const { routeId } = await test.route(apiId, `ANY /${name}-b`, 'context');
      await test.api.updateRoute({ ApiId: apiId, RouteId: routeId, AuthorizationType: 'CUSTOM', AuthorizerId });
      asked = 0;
      for (const path of [`${name}-a`, `${name}-b`]) expect((await get(path, 'same')).status).toBe(200);
      return asked;
    };
    expect(await share('shared', ['$request.header.x-token'])).toBe(1);
    expect(await share('apart', ['$request.header.x-token', '$context.routeKey'])).toBe(2);
    // A TTL of zero disables the cache.
    await authorizer('unkept', 'counts', { AuthorizerResultTtlInSeconds: 0 });
    asked = 0;
    for (const _ of [1, 2]) await get('unkept', 't');
    expect(asked).toBe(2);
  });

  it('take identities from query strings, stage variables and the context', async () => {
    test.functions.set('identity', ({ identitySource }) => ({
      isAuthorized: true,
      context: { identity: identitySource.join('|') },
    }));
    await test.api.updateStage({ ApiId: apiId, StageName: '$default', StageVariables: { color: 'red' } });
    await authorizer('sources', 'identity', {
      IdentitySource: ['$request.querystring.key', '$stageVariables.color', '$context.httpMethod'],
    });
    expect(await test.fetch(apiId, '/sources')).toMatchObject(UNAUTHORIZED);
    const { body } = await test.fetch(apiId, '/sources?key=k');
    expect(JSON.parse(body)).toEqual({ lambda: { identity: 'k|red|GET' } });
    await test.api.updateStage({ ApiId: apiId, StageName: '$default', StageVariables: { color: '' } });
  });

  it('may return policies in format 2.0, too', async () => {
    test.functions.set('policy2', ({ routeArn, headers }) => ({
      principalId: 'me',
      policyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: headers['x-token'] === 'good' ? 'Allow' : 'Deny',
            Action: 'execute-api:Invoke',
            Resource: routeArn,
          },
        ],
      },
      context: { n: 1, list: ['a'] },
    }));
    await authorizer('policy2', 'policy2', { EnableSimpleResponses: false });
    expect(await get('policy2', 'bad')).toMatchObject(FORBIDDEN);
    expect(JSON.parse((await get('policy2', 'good')).body)).toEqual({ lambda: { n: 1, list: ['a'] } });
  });

  it('return policies that are evaluated per route despite the cache', async () => {
    let asked = 0;
    test.functions.set('policy', ({ methodArn }) => {
      asked++;
      const Resource = methodArn.replace(/\/GET\/.*/, '/GET/*');
      return {
        principalId: 'me',
        context: { role: 'r' },
        policyDocument: {
          Version: '2012-10-17',
          Statement: [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource }],
        },
      };
    });
    const more = {
      AuthorizerPayloadFormatVersion: '1.0',
      EnableSimpleResponses: false,
      AuthorizerResultTtlInSeconds: 60,
    };
    await authorizer('policy', 'policy', more);
    const { status, body } = await get('policy', 't');
    expect([status, JSON.parse(body)]).toEqual([200, { lambda: { role: 'r' } }]);
    const posted = await test.fetch(apiId, '/policy', { method: 'POST', headers: { 'x-token': 't' } });
    expect([posted.status, asked]).toEqual([403, 1]);
  });

  it('deny access when they fail or return invalid results', async () => {
    const failed = { status: 500, body: '{"message":"Internal Server Error"}' };
    test.functions.set('crash', () => {
      throw new Error('boom');
    });
    await authorizer('crash', 'crash', {});
    expect(await get('crash', 't')).toMatchObject(failed);
    for (const [at, answer] of [null, 'yes', {}, { isAuthorized: 'true' }].entries()) {
      test.functions.set(`odd${at}`, () => answer);
      await authorizer(`odd${at}`, `odd${at}`, {});
      expect(await get(`odd${at}`, 't')).toMatchObject(failed);
    }
    const policies = { EnableSimpleResponses: false };
    for (const [at, answer] of [{ isAuthorized: true }, { principalId: 'me' }, { policyDocument: {} }].entries()) {
      test.functions.set(`policy-odd${at}`, () => answer);
      await authorizer(`policy-odd${at}`, `policy-odd${at}`, policies);
      expect(await get(`policy-odd${at}`, 't')).toMatchObject(failed);
    }
    // An invalid policy denies everything.
    const document = { principalId: 'me', policyDocument: { Statement: [{ Effect: 'Perhaps' }] } };
    test.functions.set('policy-none', () => document);
    await authorizer('policy-none', 'policy-none', policies);
    expect(await get('policy-none', 't')).toMatchObject(FORBIDDEN);
    test.functions.set('never', () => test.advance(10_000).then(() => new Promise(() => undefined)));
    await authorizer('never', 'never', {});
    expect(await get('never', 't')).toMatchObject(failed);
    await authorizer('gone', 'no-such-function', {});
    expect(await get('gone', 't')).toMatchObject(failed);
  });
});

it('IAM authorization accepts signed requests', async () => {
  const { routeId } = await test.route(apiId, 'GET /iam', 'context');
  await test.api.updateRoute({ ApiId: apiId, RouteId: routeId, AuthorizationType: 'AWS_IAM' });
  expect(await test.fetch(apiId, '/iam')).toMatchObject(FORBIDDEN);
  const authorization =
    'AWS4-HMAC-SHA256 Credential=123456789012/20260101/us-east-1/execute-api/aws4_request, SignedHeaders=host, Signature=0';
  const { status, body } = await test.fetch(apiId, '/iam', { headers: { authorization } });
  expect([status, JSON.parse(body).iam]).toMatchObject([200, { accountId: '123456789012', accessKey: '123456789012' }]);
});

it('stage variables select functions', async () => {
  const id = await test.create();
  await test.api.updateStage({ ApiId: id, StageName: '$default', StageVariables: { fn: 'context' } });
  const { IntegrationId } = await test.api.createIntegration({
    ApiId: id,
    IntegrationType: 'AWS_PROXY',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how API Gateway writes it
    IntegrationUri: functionArn('${stageVariables.fn}'),
    PayloadFormatVersion: '2.0',
  });
  await test.api.createRoute({ ApiId: id, RouteKey: 'GET /', Target: `integrations/${IntegrationId}` });
  expect(await test.fetch(id, '/')).toMatchObject({ status: 200, body: 'null' });
});
