import { APIGateway } from '@aws-sdk/client-api-gateway';
import { createTestEmulator, fakeService, sendRaw, type TestEmulator } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manifest } from '../src/manifest.ts';
import { type Answered, type Asked, ask } from './support.ts';

const ACCOUNT = '123456789012';
const URI = `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/arn:aws:lambda:us-east-1:${ACCOUNT}:function:f/invocations`;

type Json = Record<string, unknown>;

let emulator: TestEmulator;
let api: APIGateway;
let event: Json;
let payload: string;
let restApiId: string;
/** Ids of the API's resources by path. */
let resources: Record<string, string>;

beforeAll(async () => {
  const lambda = fakeService('lambda', {
    Invoke({ Payload }) {
      event = JSON.parse(Buffer.from(Payload as Uint8Array).toString()) as Json;
      return { StatusCode: 200, Payload: Buffer.from(payload) };
    },
  });
  emulator = await createTestEmulator({ manifests: [manifest, lambda] });
  emulator.kernel.clock.freeze();
  api = new APIGateway({ ...emulator.clientConfig(), maxAttempts: 1 });
  const { id, rootResourceId } = await api.createRestApi({
    name: 'proxy',
    binaryMediaTypes: ['image/png', 'application/x-*', 'audio/*'],
  });
  restApiId = id!;
  resources = { '/': rootResourceId! };
  for (const [parent, pathPart] of [
    ['/', 'users'],
    ['/users', '{id}'],
    ['/', '{proxy+}'],
  ] as const) {
    const made = await api.createResource({ restApiId, parentId: resources[parent], pathPart });
    resources[made.path!] = made.id!;
  }
  for (const resourceId of Object.values(resources)) {
    const place = { restApiId, resourceId, httpMethod: 'ANY' };
    await api.putMethod({ ...place, authorizationType: 'NONE' });
    await api.putIntegration({ ...place, type: 'AWS_PROXY', uri: URI, integrationHttpMethod: 'POST' });
  }
  const { id: deploymentId } = await api.createDeployment({ restApiId });
  await api.createStage({ restApiId, stageName: 'dev', deploymentId, variables: { v: '1', w: 'x' } });
  await api.createStage({ restApiId, stageName: 'bare', deploymentId });
  const domainName = 'proxy.example.com';
  await api.createDomainName({
    domainName,
    regionalCertificateArn: `arn:aws:acm:us-east-1:${ACCOUNT}:certificate/1`,
    endpointConfiguration: { types: ['REGIONAL'] },
  });
  await api.createBasePathMapping({ domainName, restApiId, stage: 'dev', basePath: 'base' });
});
afterAll(() => emulator.close());

/** Returns the event of a request to the API. */
async function eventOf(asked: Partial<Asked> & { path: string }): Promise<Json> {
  payload = '{"statusCode": 200}';
  const host = `${restApiId}.execute-api.us-east-1.amazonaws.com`;
  const { status } = await ask(emulator, { host, ...asked });
  expect(status).toBe(200);
  return event;
}

const answered = (answer: unknown, headers: Record<string, string> = {}): Promise<Answered> => {
  payload = typeof answer === 'string' ? answer : JSON.stringify(answer);
  return ask(emulator, { path: `/_aws/execute-api/${restApiId}/dev/users`, headers });
};

describe('the event of a proxy integration', () => {
  it('has exactly these members', async () => {
    const { headers, multiValueHeaders, requestContext, ...rest } = await eventOf({
      method: 'POST',
      path: '/dev/users/7?a=1&a=2',
      headers: { 'User-Agent': 'agent', 'X-Own': 'o' },
      body: 'text',
    });
    expect(rest).toEqual({
      resource: '/users/{id}',
      path: '/users/7',
      httpMethod: 'POST',
      queryStringParameters: { a: '2' },
      multiValueQueryStringParameters: { a: ['1', '2'] },
      pathParameters: { id: '7' },
      stageVariables: { v: '1', w: 'x' },
      body: 'text',
      isBase64Encoded: false,
    });
    const host = `${restApiId}.execute-api.us-east-1.amazonaws.com`;
    const trace = expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/) as string;
    const own = {
      Host: host,
      'User-Agent': 'agent',
      'X-Own': 'o',
      'X-Amzn-Trace-Id': trace,
      'X-Forwarded-For': '127.0.0.1',
      'X-Forwarded-Port': '80',
      'X-Forwarded-Proto': 'http',
    };
    expect(headers).toEqual(own);
    expect(multiValueHeaders).toEqual(Object.fromEntries(Object.entries(own).map(([name, value]) => [name, [value]])));
    expect(requestContext).toEqual({
      accountId: ACCOUNT,
      apiId: restApiId,
      deploymentId: expect.any(String) as string,
      domainName: host,
      domainPrefix: restApiId,
      extendedRequestId: expect.stringMatching(/^[\w-]{14}=$/) as string,
      httpMethod: 'POST',
      identity: {
        accessKey: null,
        accountId: null,
        caller: null,
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
      path: '/dev/users/7',
      protocol: 'HTTP/1.1',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      requestTime: expect.stringMatching(/^\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d \+0000$/) as string,
      requestTimeEpoch: emulator.kernel.clock.now(),
      resourceId: resources['/users/{id}'],
      resourcePath: '/users/{id}',
      stage: 'dev',
    });
  });

  it.each<[what: string, asked: Partial<Asked> & { path: string }, members: Json]>([
    [
      'null for what is not there',
      { path: '/bare' },
      {
        resource: '/',
        path: '/',
        queryStringParameters: null,
        multiValueQueryStringParameters: null,
        pathParameters: null,
        stageVariables: null,
        body: null,
        isBase64Encoded: false,
      },
    ],
    [
      'the path without the stage',
      { path: '/dev/users' },
      { resource: '/users', path: '/users', pathParameters: null },
    ],
    ['a slash at the end', { path: '/dev/users/' }, { resource: '/users', path: '/users/' }],
    [
      'paths and variables as they were sent',
      { path: '/dev/users/a%20b%2Fc' },
      { path: '/users/a%20b%2Fc', pathParameters: { id: 'a%20b%2Fc' } },
    ],
    [
      'everything that is left for greedy variables',
      { path: '/dev/x/y%20z//w' },
      { resource: '/{proxy+}', path: '/x/y%20z//w', pathParameters: { proxy: 'x/y%20z//w' } },
    ],
    ['one slash after the stage', { path: '/dev//x' }, { path: '/x', pathParameters: { proxy: 'x' } }],
    [
      'decoded parameters of the query string, the last of a name, and all',
      { path: '/dev/users?a=1%202&a=3+4&b=&c&%C3%A4=%C3%B6&a=1' },
      {
        queryStringParameters: { a: '1', b: '', c: '', ä: 'ö' },
        multiValueQueryStringParameters: { a: ['1 2', '3 4', '1'], b: [''], c: [''], ä: ['ö'] },
      },
    ],
    [
      'the last of a header, with the name as it was sent',
      { path: '/dev/users', headers: { 'x-ONE': '1', Accept: 'a, b', Cookie: 'c=1; d=2' } },
      {
        headers: expect.objectContaining({ 'x-ONE': '1', Accept: 'a, b', Cookie: 'c=1; d=2' }),
        multiValueHeaders: expect.objectContaining({ Accept: ['a, b'], Cookie: ['c=1; d=2'] }),
      },
    ],
    [
      'who forwarded it before',
      { path: '/dev/users', headers: { 'X-Forwarded-For': '10.0.0.1' } },
      { headers: expect.objectContaining({ 'X-Forwarded-For': '10.0.0.1, 127.0.0.1' }) },
    ],
    [
      'no path of the stage for custom domains, and their base path in the context alone',
      { host: 'proxy.example.com', path: '/base/users/7' },
      {
        path: '/users/7',
        requestContext: expect.objectContaining({
          path: '/base/users/7',
          stage: 'dev',
          domainName: 'proxy.example.com',
          domainPrefix: 'proxy',
        }),
      },
    ],
    [
      'text of every other type',
      { method: 'PUT', path: '/dev/users', headers: { 'Content-Type': 'application/json' }, body: '{"ä":1}' },
      { httpMethod: 'PUT', body: '{"ä":1}', isBase64Encoded: false },
    ],
    [
      'base64 of a binary type',
      { method: 'PUT', path: '/dev/users', headers: { 'Content-Type': 'image/png; q=1' }, body: 'bin' },
      { body: 'Ymlu', isBase64Encoded: true },
    ],
    [
      'base64 of a type that a wildcard names',
      { method: 'PUT', path: '/dev/users', headers: { 'Content-Type': 'AUDIO/mp4' }, body: 'bin' },
      { body: 'Ymlu', isBase64Encoded: true },
    ],
    [
      'no base64 of an empty body',
      { method: 'PUT', path: '/dev/users', headers: { 'Content-Type': 'image/png' } },
      { body: null, isBase64Encoded: false },
    ],
  ])('has %s', async (_what, asked, members) => {
    expect(await eventOf(asked)).toMatchObject(members);
  });

  it('has no connection headers', async () => {
    const { headers } = (await eventOf({
      path: '/dev/users',
      headers: {
        Connection: 'close',
        TE: 'trailers',
        Expect: 'x',
        'Max-Forwards': '1',
        'Content-MD5': 'x',
        Server: 's',
      },
    })) as { headers: Json };
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    for (const name of ['connection', 'te', 'expect', 'max-forwards', 'content-md5', 'server', 'content-length'])
      expect(names).not.toContain(name);
  });
});

describe('the response of a proxy integration', () => {
  it.each<[what: string, answer: unknown, status: number, members: Partial<Answered>]>([
    ['nothing but a status', { statusCode: 204 }, 204, { text: '' }],
    ['a status as text', { statusCode: '202', body: 'b' }, 202, { text: 'b' }],
    ['no status', { body: 'b' }, 200, { text: 'b' }],
    [
      'null for what is not there',
      { statusCode: 200, headers: null, multiValueHeaders: null, body: null, isBase64Encoded: null },
      200,
      { text: '' },
    ],
    [
      'headers of every kind of value',
      { headers: { a: 'x', b: 1, c: true } },
      200,
      { headers: { a: 'x', b: '1', c: 'true' } },
    ],
    [
      'a type of its own',
      { headers: { 'content-type': 'text/html' } },
      200,
      { headers: { 'content-type': 'text/html' } },
    ],
    ['no type', { body: 'b' }, 200, { headers: { 'content-type': 'application/json' } }],
    [
      'several values, to which a single one is added',
      { multiValueHeaders: { 'X-M': ['1', '2'], Y: ['3'] }, headers: { 'x-m': '4', y: '3' } },
      200,
      { headers: { 'x-m': ['1', '2', '4'], y: '3' } },
    ],
    [
      'cookies',
      { multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'] } },
      200,
      { headers: { 'set-cookie': ['a=1', 'b=2'] } },
    ],
    [
      'headers that are remapped',
      { headers: { Connection: 'x', 'Content-Length': '9', Date: 'd', Server: 's', 'WWW-Authenticate': 'w' } },
      200,
      {
        headers: {
          'x-amzn-remapped-connection': 'x',
          'x-amzn-remapped-content-length': '9',
          'x-amzn-remapped-date': 'd',
          'x-amzn-remapped-server': 's',
          'x-amzn-remapped-www-authenticate': 'w',
        },
      },
    ],
    ['base64 for who accepts text', { body: 'aGk=', isBase64Encoded: true }, 200, { text: 'aGk=' }],
    [
      'base64 of a binary type, for who accepts text',
      { body: 'aGk=', isBase64Encoded: true, headers: { 'Content-Type': 'image/png' } },
      200,
      { text: 'aGk=' },
    ],
  ])('may have %s', async (_what, answer, status, { headers = {}, ...members }) => {
    const got = await answered(answer);
    expect(got).toMatchObject({ status, headers, ...members });
  });

  it.each([
    ['image/png', 'hi'],
    ['image/png, */*', 'hi'],
    ['audio/mp4;q=0.5', 'hi'],
    ['text/html, image/png', 'aGk='],
    ['*/*', 'aGk='],
  ])('is decoded if the first media type that the client accepts is binary: %s', async (accept, text) => {
    const answer = { body: 'aGk=', isBase64Encoded: true, headers: { 'Content-Type': 'text/plain' } };
    expect((await answered(answer, { Accept: accept })).text).toBe(text);
  });

  it('is decoded for all clients if all types are binary', async () => {
    await api.updateRestApi({ restApiId, patchOperations: [{ op: 'add', path: '/binaryMediaTypes/*~1*' }] });
    await api.createDeployment({ restApiId, stageName: 'all' });
    payload = JSON.stringify({ body: '/wA=', isBase64Encoded: true });
    const target = `/_aws/execute-api/${restApiId}/all/users`;
    for (const accept of ['', 'text/html'])
      expect((await sendRaw(emulator, { method: 'GET', target, headers: { accept } })).bytes).toEqual(
        Buffer.from([0xff, 0]),
      );
  });

  // Recorded from AWS: test_aws_proxy_response_payload_format_validation.
  it.each<[what: string, answer: unknown]>([
    ['no JSON', 'text'],
    ['null', 'null'],
    ['a text', '"text"'],
    ['a list', '[]'],
    ['an empty object', {}],
    ['an unknown member', { statusCode: 200, other: 1 }],
    ['a non-numeric status', { statusCode: 'x' }],
    ['an invalid status', { statusCode: 99 }],
    ['an object as its body', { statusCode: 200, body: { a: 1 } }],
    ['a number as its body', { statusCode: 200, body: 1 }],
    ['an object as a header', { statusCode: 200, headers: { a: {} } }],
    ['a text as its headers', { statusCode: 200, headers: 'a' }],
    ['a text as several values', { statusCode: 200, multiValueHeaders: { a: 'b' } }],
    ['a text as a flag', { statusCode: 200, isBase64Encoded: 'true' }],
  ])('is 502 if it is %s', async (_what, answer) => {
    const { status, text, headers } = await answered(answer);
    expect([status, text, headers['x-amzn-errortype']]).toEqual([
      502,
      '{"message":"Internal server error"}',
      'InternalServerErrorException',
    ]);
  });
});
