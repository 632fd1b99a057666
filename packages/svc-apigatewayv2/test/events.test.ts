import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT, type ApiTest, functionUri, type HttpRequest, REGION, START, startApis } from './support.ts';

const TRACE = 'Root=1-67891233-abcdef012345678912345678';
const FORWARDED = { for: '127.0.0.1', port: '443', proto: 'https' };
const AGENT = ['User-Agent', 'agent'] as const;

let test: ApiTest;
/** APIs whose functions receive payloads of each version. */
const apis = new Map<string, string>();

beforeAll(async () => {
  test = await startApis();
  test.functions.set('echo', (event) => ({ statusCode: 200, body: JSON.stringify(event) }));
  for (const version of ['1.0', '2.0']) {
    const ApiId = await test.create();
    await test.api.createStage({ ApiId, StageName: 'v1', AutoDeploy: true, StageVariables: { color: 'red' } });
    apis.set(version, ApiId);
  }
});
afterAll(() => test[Symbol.asyncDispose]());

/** A request, and its specific members in events of both versions. */
interface Case {
  readonly says: string;
  readonly key: string;
  readonly target: string;
  readonly request?: HttpRequest;
  readonly stage?: string;
  /** Path in both versions. */
  readonly path: string;
  readonly one?: Record<string, unknown>;
  readonly two?: Record<string, unknown>;
  /** Headers besides API Gateway's, as lists by name as sent. */
  readonly headers?: Record<string, string[]>;
}

const CASES: readonly Case[] = [
  { says: 'a request without anything', key: 'GET /plain', target: '/plain', path: '/plain' },
  {
    says: 'parameters with several values, the last of which is the one of version 1.0',
    key: 'GET /query',
    target: '/query?a=1&a=2&b=&c=x%20y&c=%2B',
    path: '/query',
    one: {
      queryStringParameters: { a: '2', b: '', c: '+' },
      multiValueQueryStringParameters: { a: ['1', '2'], b: [''], c: ['x y', '+'] },
    },
    two: {
      rawQueryString: 'a=1&a=2&b=&c=x%20y&c=%2B',
      queryStringParameters: { a: '1,2', b: '', c: 'x y,+' },
    },
  },
  {
    says: 'headers with several values, spelled as they are in version 1.0 and small in 2.0',
    key: 'GET /headers',
    target: '/headers',
    path: '/headers',
    request: { rawHeaders: [['X-Many', 'a'], ['x-many', 'b'], ['X-ONE', 'C'], AGENT] },
    headers: { 'X-Many': ['a', 'b'], 'X-ONE': ['C'] },
  },
  {
    says: 'cookies, which version 2.0 has apart',
    key: 'GET /cookies',
    target: '/cookies',
    path: '/cookies',
    request: { rawHeaders: [['Cookie', 'a=1; b=2'], ['Cookie', 'c=3'], AGENT] },
    headers: { Cookie: ['a=1; b=2', 'c=3'] },
    two: { cookies: ['a=1', 'b=2', 'c=3'] },
  },
  {
    says: 'a stage with a name and variables: its name is part of the path',
    key: 'GET /staged/{id}',
    target: '/v1/staged/7',
    stage: 'v1',
    path: '/v1/staged/7',
    one: { pathParameters: { id: '7' }, stageVariables: { color: 'red' } },
    two: { pathParameters: { id: '7' }, stageVariables: { color: 'red' } },
  },
  {
    says: 'a greedy variable, and what is percent-encoded',
    key: 'GET /files/{proxy+}',
    target: '/files/a%20b/c%2Fd/%C3%BC',
    path: '/files/a b/c/d/ü',
    one: { pathParameters: { proxy: 'a b/c/d/ü' } },
    two: { pathParameters: { proxy: 'a b/c/d/ü' } },
  },
  {
    says: 'a body of JSON, as text',
    key: 'POST /json',
    target: '/json',
    path: '/json',
    request: { method: 'POST', body: '{"ü":1}', rawHeaders: [['Content-Type', 'application/json'], AGENT] },
    headers: { 'Content-Type': ['application/json'], 'content-length': ['8'] },
    one: { httpMethod: 'POST', body: '{"ü":1}' },
    two: { body: '{"ü":1}' },
  },
  {
    says: 'a body of another type, as base64',
    key: 'PUT /bytes',
    target: '/bytes',
    path: '/bytes',
    request: { method: 'PUT', body: Buffer.from([0, 255]), rawHeaders: [['Content-Type', 'image/png'], AGENT] },
    headers: { 'Content-Type': ['image/png'], 'content-length': ['2'] },
    one: { httpMethod: 'PUT', body: 'AP8=', isBase64Encoded: true },
    two: { body: 'AP8=', isBase64Encoded: true },
  },
  {
    says: 'a body without a type, as base64',
    key: 'POST /untyped',
    target: '/untyped',
    path: '/untyped',
    request: { method: 'POST', body: 'a', rawHeaders: [AGENT] },
    headers: { 'content-length': ['1'] },
    one: { httpMethod: 'POST', body: 'YQ==', isBase64Encoded: true },
    two: { body: 'YQ==', isBase64Encoded: true },
  },
  {
    says: 'the route for everything',
    key: '$default',
    target: '/nowhere/',
    path: '/nowhere/',
    request: { method: 'DELETE', rawHeaders: [AGENT] },
    one: { httpMethod: 'DELETE', resource: '$default' },
  },
  {
    says: 'a proxy before the API, and a trace that is there already',
    key: 'GET /proxied',
    target: '/proxied',
    path: '/proxied',
    request: { rawHeaders: [['X-Forwarded-For', '10.0.0.9'], ['X-Amzn-Trace-Id', TRACE], AGENT] },
    headers: { 'X-Forwarded-For': [`10.0.0.9, ${FORWARDED.for}`], 'X-Amzn-Trace-Id': [TRACE] },
  },
];

const hostOf = (ApiId: string): string => `${ApiId}.execute-api.${REGION}.amazonaws.com`;

/** Returns the headers of a case in both versions, including API Gateway's. */
function headersOf({ headers = {} }: Case, ApiId: string): Map<string, string[]> {
  const all = new Map([['Host', [hostOf(ApiId)]], ['User-Agent', ['agent']], ...Object.entries(headers)]);
  const added = [
    ['X-Amzn-Trace-Id', expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/)],
    ['X-Forwarded-For', FORWARDED.for],
    ['X-Forwarded-Port', FORWARDED.port],
    ['X-Forwarded-Proto', FORWARDED.proto],
  ] as const;
  for (const [name, value] of added) if (!all.has(name)) all.set(name, [value]);
  return all;
}

const mapped = <T>(headers: Map<string, string[]>, of: (name: string, values: string[]) => [string, T]) =>
  Object.fromEntries([...headers].map(([name, values]) => of(name, values)));

/** Joins values; a single one may be a matcher. */
const joined = (values: string[]): string => (values.length === 1 ? values[0]! : values.join(','));

async function eventOf(version: string, { key, target, request = { rawHeaders: [AGENT] } }: Case) {
  const ApiId = apis.get(version)!;
  await test.route(ApiId, key, 'echo', version);
  const { status, body, headers } = await test.fetch(ApiId, target, request);
  expect(status).toBe(200);
  return { ApiId, event: JSON.parse(body) as unknown, requestId: headers['apigw-requestid'] };
}

describe.each(CASES)('the event of $says', (one) => {
  const { key, path, stage = '$default', request } = one;
  const method = request?.method ?? 'GET';
  const resource = key.includes(' ') ? key.slice(key.indexOf(' ') + 1) : key;

  it('in payload format 1.0', async () => {
    const { ApiId, event, requestId } = await eventOf('1.0', one);
    const headers = headersOf(one, ApiId);
    expect(event).toEqual({
      version: '1.0',
      resource,
      path,
      httpMethod: method,
      headers: mapped(headers, (name, values) => [name, values.at(-1)!]),
      multiValueHeaders: mapped(headers, (name, values) => [name, values]),
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      pathParameters: null,
      stageVariables: null,
      requestContext: {
        accountId: ACCOUNT,
        apiId: ApiId,
        domainName: hostOf(ApiId),
        domainPrefix: ApiId,
        extendedRequestId: requestId,
        httpMethod: method,
        identity: {
          accessKey: null,
          accountId: null,
          caller: null,
          cognitoAmr: null,
          cognitoAuthenticationProvider: null,
          cognitoAuthenticationType: null,
          cognitoIdentityId: null,
          cognitoIdentityPoolId: null,
          principalOrgId: null,
          sourceIp: '127.0.0.1',
          user: null,
          userAgent: 'agent',
          userArn: null,
        },
        path,
        protocol: 'HTTP/1.1',
        requestId,
        requestTime: '01/Jan/2026:00:00:00 +0000',
        requestTimeEpoch: Date.parse(START),
        resourceId: key,
        resourcePath: resource,
        stage,
      },
      body: null,
      isBase64Encoded: false,
      ...one.one,
    });
  });

  it('in payload format 2.0', async () => {
    const { ApiId, event, requestId } = await eventOf('2.0', one);
    const { Cookie: _, ...headers } = mapped(headersOf(one, ApiId), (name, values) => [name, joined(values)]);
    expect(event).toEqual({
      version: '2.0',
      routeKey: key,
      rawPath: path,
      rawQueryString: '',
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      requestContext: {
        accountId: ACCOUNT,
        apiId: ApiId,
        domainName: hostOf(ApiId),
        domainPrefix: ApiId,
        http: { method, path, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'agent' },
        requestId,
        routeKey: key,
        stage,
        time: '01/Jan/2026:00:00:00 +0000',
        timeEpoch: Date.parse(START),
      },
      isBase64Encoded: false,
      ...one.two,
    });
  });
});

/** Authorizer members in events of both versions. */
describe('the authorizer of events', () => {
  const authorized = async (version: string, key: string, route: object) => {
    const ApiId = apis.get(version)!;
    const { routeId } = await test.route(ApiId, key, 'echo', version);
    await test.api.updateRoute({ ApiId, RouteId: routeId, ...route });
    return async (headers: Record<string, string>) => {
      const { body } = await test.fetch(ApiId, key.slice(key.indexOf('/')), { headers });
      return JSON.parse(body).requestContext;
    };
  };

  it('has the context of a function', async () => {
    const context = { text: 'a', number: 1, yes: true, list: ['a'] };
    test.functions.set('auth', ({ routeArn }) => ({
      principalId: 'me',
      context,
      policyDocument: {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource: routeArn }],
      },
    }));
    for (const [version, expected] of [
      ['1.0', { ...context, principalId: 'me' }],
      ['2.0', { lambda: context }],
    ] as const) {
      const { AuthorizerId } = await test.api.createAuthorizer({
        ApiId: apis.get(version),
        Name: 'function',
        AuthorizerType: 'REQUEST',
        AuthorizerUri: functionUri('auth'),
        AuthorizerPayloadFormatVersion: '2.0',
        IdentitySource: ['$request.header.x-token'],
      });
      const ask = await authorized(version, 'GET /by-function', { AuthorizationType: 'CUSTOM', AuthorizerId });
      expect((await ask({ 'x-token': 't' })).authorizer).toEqual(expected);
    }
  });

  it('has the signer, and the identity of identity pool credentials', async () => {
    const accessKeyId = 'ASIAIDENTITYPOOL0001';
    const principal = {
      type: 'assumed-role' as const,
      accountId: ACCOUNT,
      arn: `arn:aws:sts::${ACCOUNT}:assumed-role/app/CognitoIdentityCredentials`,
      userId: 'AROAROLE:CognitoIdentityCredentials',
    };
    const amr = [
      'authenticated',
      'cognito-idp.us-east-1.amazonaws.com/p',
      'cognito-idp.us-east-1.amazonaws.com/p:CognitoSignIn:s',
    ];
    const of = 'cognito-identity.amazonaws.com';
    test.emulator.kernel.credentials.put({
      accessKeyId,
      secretAccessKey: 'secret',
      active: true,
      principal,
      session: {
        name: 'CognitoIdentityCredentials',
        issuedAt: Date.parse(START),
        claims: { [`${of}:sub`]: 'us-east-1:id', [`${of}:aud`]: 'us-east-1:pool', [`${of}:amr`]: amr },
      },
    });
    const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/${REGION}/execute-api/aws4_request, SignedHeaders=host, Signature=0`;
    const two = await (await authorized('2.0', 'GET /signed', { AuthorizationType: 'AWS_IAM' }))({ authorization });
    expect(two.authorizer).toEqual({
      iam: {
        accessKey: accessKeyId,
        accountId: ACCOUNT,
        callerId: principal.userId,
        cognitoIdentity: { amr, identityId: 'us-east-1:id', identityPoolId: 'us-east-1:pool' },
        principalOrgId: null,
        userArn: principal.arn,
        userId: principal.userId,
      },
    });
    const one = await (await authorized('1.0', 'GET /signed', { AuthorizationType: 'AWS_IAM' }))({ authorization });
    expect(one.authorizer).toBeUndefined();
    expect(one.identity).toMatchObject({
      accessKey: accessKeyId,
      accountId: ACCOUNT,
      caller: principal.userId,
      cognitoAmr: amr,
      cognitoAuthenticationProvider: amr.slice(1).join(','),
      cognitoAuthenticationType: 'authenticated',
      cognitoIdentityId: 'us-east-1:id',
      cognitoIdentityPoolId: 'us-east-1:pool',
      user: principal.userId,
      userArn: principal.arn,
    });
  });
});

describe('responses of functions', () => {
  const JSON_TYPE = 'application/json';
  const TEXT_TYPE = 'text/plain;charset=UTF-8';
  const failed = [500, JSON_TYPE, '{"message":"Internal Server Error"}'] as const;

  it.each([
    ['2.0', 'a text', 'hello', [200, JSON_TYPE, 'hello']],
    ['2.0', 'an object', { a: 1 }, [200, JSON_TYPE, '{"a":1}']],
    ['2.0', 'a list', [1, 'b'], [200, JSON_TYPE, '[1,"b"]']],
    ['2.0', 'a number', 7, [200, JSON_TYPE, '7']],
    ['2.0', 'true', true, [200, JSON_TYPE, 'true']],
    ['2.0', 'null', null, [200, JSON_TYPE, 'null']],
    ['2.0', 'a status alone', { statusCode: 204 }, [204, TEXT_TYPE, '']],
    ['2.0', 'a status as text', { statusCode: '201', body: 'x' }, [201, TEXT_TYPE, 'x']],
    ['2.0', 'an impossible status', { statusCode: 99 }, failed],
    ['2.0', 'an invalid status', { statusCode: 'ok' }, failed],
    ['2.0', 'a body that is an object', { statusCode: 200, body: { a: 1 } }, failed],
    ['2.0', 'a type of its own', { statusCode: 200, headers: { 'Content-Type': 'a/b' }, body: 'x' }, [200, 'a/b', 'x']],
    ['2.0', 'base64', { statusCode: 200, isBase64Encoded: true, body: 'aGk=' }, [200, TEXT_TYPE, 'hi']],
    ['1.0', 'a status alone', { statusCode: 200 }, [200, TEXT_TYPE, '']],
    ['1.0', 'a text', 'hello', failed],
    ['1.0', 'an object without a status', { body: 'x' }, failed],
    ['1.0', 'null', null, failed],
    ['1.0', 'base64', { statusCode: 200, isBase64Encoded: true, body: 'aGk=' }, [200, TEXT_TYPE, 'hi']],
  ] as const)('%s: %s', async (version, says, result, [status, type, body]) => {
    const ApiId = apis.get(version)!;
    const path = `/answer-${says.replaceAll(' ', '-')}`;
    test.functions.set(path, () => result);
    await test.route(ApiId, `GET ${path}`, path, version);
    const answer = await test.fetch(ApiId, path);
    expect([answer.status, answer.headers['content-type'], answer.body]).toEqual([status, type, body]);
  });

  it('1.0 supports lists besides single values, and lists come first', async () => {
    const headers = { 'X-Both': 'single', 'X-Single': 's' };
    const multiValueHeaders = { 'X-Both': ['a', 'b'], 'Set-Cookie': ['a=1', 'b=2'] };
    test.functions.set('lists', () => ({ statusCode: 200, headers, multiValueHeaders, body: '' }));
    await test.route(apis.get('1.0')!, 'GET /lists', 'lists', '1.0');
    expect((await test.fetch(apis.get('1.0')!, '/lists')).headers).toMatchObject({
      'x-both': 'a,b',
      'x-single': 's',
      'set-cookie': ['a=1', 'b=2'],
    });
  });

  it('2.0 has separate cookies and no lists', async () => {
    test.functions.set('cookies', () => ({
      statusCode: 200,
      headers: { 'x-a': 1, Connection: 'close', 'apigw-requestid': 'mine' },
      multiValueHeaders: { 'x-b': ['1'] },
      cookies: ['a=1; Path=/', 'b=2'],
    }));
    await test.route(apis.get('2.0')!, 'GET /set', 'cookies', '2.0');
    const { headers } = await test.fetch(apis.get('2.0')!, '/set');
    expect(headers).toMatchObject({ 'x-a': '1', 'set-cookie': ['a=1; Path=/', 'b=2'] });
    expect(headers['x-b']).toBeUndefined();
    expect(headers['apigw-requestid']).not.toBe('mine');
  });
});
