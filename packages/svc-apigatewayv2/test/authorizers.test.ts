import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiTest, functionArn, functionUri, START, startApis } from './support.ts';

let test: ApiTest;
let apiId: string;
let issuerServer: Server;
let issuer: string;
let sign: (claims: Record<string, unknown>, expires?: number) => Promise<string>;
let fetched = 0;

const now = Date.parse(START) / 1000;
const UNAUTHORIZED = { status: 401, body: '{"message":"Unauthorized"}' };
const FORBIDDEN = { status: 403, body: '{"message":"Forbidden"}' };

beforeAll(async () => {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' };
  issuerServer = createServer((request, response) => {
    fetched++;
    const jwks = request.url === '/keys';
    response.end(JSON.stringify(jwks ? { keys: [key] } : { issuer, jwks_uri: `${issuer}/keys` }));
  });
  await new Promise<void>((resolve) => issuerServer.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(issuerServer.address() as AddressInfo).port}`;
  sign = (claims, expires = now + 3600) =>
    new SignJWT({ iss: issuer, aud: 'app', ...claims, exp: expires })
      .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
      .sign(privateKey);
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

  it('let in who has a token of the issuer for the audience, whose claims reach the function as text', async () => {
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

  it('refuse all others', async () => {
    expect(await get()).toMatchObject(UNAUTHORIZED);
    expect(await get('nonsense')).toMatchObject(UNAUTHORIZED);
    expect(await get(await sign({ aud: 'other' }))).toMatchObject(UNAUTHORIZED);
    expect(await get(await sign({ iss: 'http://127.0.0.1:1' }))).toMatchObject(UNAUTHORIZED);
    const expired = await get(await sign({}, now - 1));
    expect(expired).toMatchObject(UNAUTHORIZED);
    expect(expired.headers['www-authenticate']).toContain('error_description="the token has expired"');
  });

  it('ask for one of the scopes of the route', async () => {
    await test.api.updateRoute({ ApiId: apiId, RouteId: routeId, AuthorizationScopes: ['read', 'write'] });
    expect(await get(await sign({ scope: 'other' }))).toMatchObject(FORBIDDEN);
    const { status, body } = await get(await sign({ scope: 'other read' }));
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

  it('say yes or no, are asked only with an identity, and are remembered for their time', async () => {
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

  it('return policies, which are asked about each route though they are remembered', async () => {
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

  it('let nobody in when they fail or return nonsense', async () => {
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
    await authorizer('gone', 'no-such-function', {});
    expect(await get('gone', 't')).toMatchObject(failed);
  });
});

it('IAM authorization lets in who has signed', async () => {
  const { routeId } = await test.route(apiId, 'GET /iam', 'context');
  await test.api.updateRoute({ ApiId: apiId, RouteId: routeId, AuthorizationType: 'AWS_IAM' });
  expect(await test.fetch(apiId, '/iam')).toMatchObject(FORBIDDEN);
  const authorization =
    'AWS4-HMAC-SHA256 Credential=123456789012/20260101/us-east-1/execute-api/aws4_request, SignedHeaders=host, Signature=0';
  const { status, body } = await test.fetch(apiId, '/iam', { headers: { authorization } });
  expect([status, JSON.parse(body).iam]).toMatchObject([200, { accountId: '123456789012', accessKey: '123456789012' }]);
});

it('functions are named by stage variables', async () => {
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
