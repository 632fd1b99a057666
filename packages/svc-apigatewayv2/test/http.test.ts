import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiTest, startApis } from './support.ts';

let test: ApiTest;
let apiId: string;

beforeAll(async () => {
  test = await startApis();
  apiId = await test.create();
  test.functions.set('echo', (event) => ({ statusCode: 200, body: JSON.stringify(event) }));
  test.functions.set('bare', () => ({ hello: 'world' }));
  test.functions.set('throws', () => {
    throw new Error('boom');
  });
  test.functions.set('name', ({ routeKey }) => ({ statusCode: 200, body: routeKey }));
});
afterAll(() => test[Symbol.asyncDispose]());

describe('routes', () => {
  it.each([
    ['GET', '/pets/dog/1', 'GET /pets/dog/1'],
    ['GET', '/pets/dog/2', 'GET /pets/dog/{id}'],
    ['POST', '/pets/dog/1', 'ANY /pets/{kind}/{id}'],
    ['GET', '/pets/cat', 'GET /pets/{proxy+}'],
    ['GET', '/pets', 'ANY /{proxy+}'],
    ['GET', '/pets/', 'ANY /{proxy+}'],
    ['GET', '/', '$default'],
  ])('%s %s matches %s in any order of creation', async (method, path, key) => {
    if (!test.functions.has('routes-made')) {
      test.functions.set('routes-made', () => null);
      for (const one of [
        '$default',
        'ANY /{proxy+}',
        'GET /pets/{proxy+}',
        'ANY /pets/{kind}/{id}',
        'GET /pets/dog/{id}',
        'GET /pets/dog/1',
      ])
        await test.route(apiId, one, 'name');
    }
    expect(await test.fetch(apiId, path, { method })).toMatchObject({ status: 200, body: key });
  });

  it('the order of route creation is irrelevant', async () => {
    const all = ['$default', 'ANY /{proxy+}', 'GET /a/{proxy+}', 'ANY /a/{x}', 'GET /a/{x}', 'ANY /a/b', 'GET /a/b'];
    const orders = [all, all.toReversed(), all.toSorted(), [...all.slice(3), ...all.slice(0, 3)]];
    for (const order of orders) {
      const id = await test.create();
      for (const key of order) await test.route(id, key, 'name');
      for (const [method, path, key] of [
        ['GET', '/a/b', 'GET /a/b'],
        ['PUT', '/a/b', 'ANY /a/b'],
        ['GET', '/a/c', 'GET /a/{x}'],
        ['PUT', '/a/c', 'ANY /a/{x}'],
        ['GET', '/a/b/c', 'GET /a/{proxy+}'],
        ['PUT', '/a/b/c', 'ANY /{proxy+}'],
        ['GET', '/', '$default'],
      ] as const)
        expect((await test.fetch(id, path, { method })).body).toBe(key);
    }
  });

  it('rejects requests without a matching route or stage', async () => {
    const other = await test.create();
    await test.route(other, 'GET /a', 'name');
    const refused = { status: 404, body: '{"message":"Not Found"}' };
    expect(await test.fetch(other, '/b')).toMatchObject(refused);
    expect(await test.fetch(other, '/a', { method: 'POST' })).toMatchObject(refused);
    expect(await test.fetch(other, '/a')).toMatchObject({ status: 200 });
    await test.api.updateApi({ ApiId: other, DisableExecuteApiEndpoint: true });
    expect(await test.fetch(other, '/a')).toMatchObject(refused);
    expect(await test.fetch('nothere123', '/a')).toMatchObject({ status: 403, body: '{"message":"Forbidden"}' });
  });

  it('stages have separate paths, variables and deployments', async () => {
    const { ApiId } = await test.api.createApi({ Name: 'staged', ProtocolType: 'HTTP' });
    await test.route(ApiId!, 'GET /who', 'echo');
    await test.api.createStage({ ApiId, StageName: 'prod', StageVariables: { color: 'red' } });
    expect(await test.fetch(ApiId!, '/prod/who')).toMatchObject({ status: 404 });
    const { DeploymentId } = await test.api.createDeployment({ ApiId, StageName: 'prod' });
    const event = JSON.parse((await test.fetch(ApiId!, '/prod/who')).body);
    expect(event).toMatchObject({
      rawPath: '/prod/who',
      stageVariables: { color: 'red' },
      requestContext: { stage: 'prod', http: { path: '/prod/who' } },
    });
    // Changes after a deployment are served only after the next one.
    await test.route(ApiId!, 'GET /later', 'name');
    expect(await test.fetch(ApiId!, '/prod/later')).toMatchObject({ status: 404 });
    await test.api.createDeployment({ ApiId, StageName: 'prod' });
    expect(await test.fetch(ApiId!, '/prod/later')).toMatchObject({ status: 200 });
    await test.api.updateStage({ ApiId, StageName: 'prod', DeploymentId });
    expect(await test.fetch(ApiId!, '/prod/later')).toMatchObject({ status: 404 });
    const host = 'localhost:4566';
    expect(await test.fetchHost(host, `/_aws/execute-api/${ApiId}/prod/who`)).toMatchObject({ status: 200 });
    expect(await test.fetchHost(host, `/restapis/${ApiId}/prod/_user_request_/who`)).toMatchObject({ status: 200 });
    // emu's own paths may name the stage that AWS's paths never contain.
    await test.api.createStage({ ApiId, StageName: '$default', AutoDeploy: true });
    for (const path of ['$default/who', '%24default/who', 'who']) {
      const { body } = await test.fetchHost(host, `/_aws/execute-api/${ApiId}/${path}`);
      expect(JSON.parse(body)).toMatchObject({ rawPath: '/who', requestContext: { stage: '$default' } });
    }
  });
});

describe('events', () => {
  it('format 2.0 has one value per header, separate cookies, and no empty members', async () => {
    await test.route(apiId, 'POST /events/{id}', 'echo');
    const { body, headers } = await test.fetch(apiId, '/events/a%20b?x=1&x=2&y=', {
      method: 'POST',
      headers: { 'X-Custom': 'One', cookie: 'a=1; b=2', 'content-type': 'application/json', 'user-agent': 'agent' },
      body: '{"a":1}',
    });
    const event = JSON.parse(body);
    expect(headers['content-type']).toBe('text/plain;charset=UTF-8');
    const id = headers['apigw-requestid'];
    expect(event).toEqual({
      version: '2.0',
      routeKey: 'POST /events/{id}',
      rawPath: '/events/a b',
      rawQueryString: 'x=1&x=2&y=',
      cookies: ['a=1', 'b=2'],
      headers: {
        'content-length': '7',
        'content-type': 'application/json',
        host: `${apiId}.execute-api.us-east-1.amazonaws.com`,
        'user-agent': 'agent',
        'x-amzn-trace-id': expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/),
        'x-custom': 'One',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-port': '443',
        'x-forwarded-proto': 'https',
      },
      queryStringParameters: { x: '1,2', y: '' },
      requestContext: {
        accountId: '000000000000',
        apiId,
        domainName: `${apiId}.execute-api.us-east-1.amazonaws.com`,
        domainPrefix: apiId,
        http: { method: 'POST', path: '/events/a b', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'agent' },
        requestId: id,
        routeKey: 'POST /events/{id}',
        stage: '$default',
        time: '01/Jan/2026:00:00:00 +0000',
        timeEpoch: Date.parse('2026-01-01T00:00:00Z'),
      },
      pathParameters: { id: 'a b' },
      body: '{"a":1}',
      isBase64Encoded: false,
    });
  });

  it('non-text bodies are sent as base64', async () => {
    await test.route(apiId, 'POST /bytes', 'echo');
    const send = async (type: string) => {
      const { body } = await test.fetch(apiId, '/bytes', {
        method: 'POST',
        headers: { 'content-type': type },
        body: 'a=1',
      });
      return JSON.parse(body);
    };
    expect(await send('application/x-www-form-urlencoded')).toMatchObject({ isBase64Encoded: true, body: 'YT0x' });
    expect(await send('text/plain')).toMatchObject({ isBase64Encoded: false, body: 'a=1' });
    expect(await send('application/vnd.api+json')).toMatchObject({ isBase64Encoded: false, body: 'a=1' });
  });

  it('format 1.0 has all values of each header, and null for missing members', async () => {
    await test.route(apiId, 'GET /one/{proxy+}', 'echo', '1.0');
    const event = JSON.parse((await test.fetch(apiId, '/one/b/c?q=1&q=2')).body);
    expect(event).toMatchObject({
      version: '1.0',
      resource: '/one/{proxy+}',
      path: '/one/b/c',
      httpMethod: 'GET',
      queryStringParameters: { q: '2' },
      multiValueQueryStringParameters: { q: ['1', '2'] },
      pathParameters: { proxy: 'b/c' },
      stageVariables: null,
      body: null,
      isBase64Encoded: false,
      requestContext: {
        apiId,
        httpMethod: 'GET',
        path: '/one/b/c',
        resourceId: 'GET /one/{proxy+}',
        resourcePath: '/one/{proxy+}',
        identity: { sourceIp: '127.0.0.1', userArn: null, cognitoIdentityId: null },
      },
    });
    expect(event.multiValueHeaders.host).toEqual([`${apiId}.execute-api.us-east-1.amazonaws.com`]);
  });
});

describe('answers', () => {
  it('a 2.0 result without status is the body of a 200', async () => {
    await test.route(apiId, 'GET /bare', 'bare');
    const { status, body, headers } = await test.fetch(apiId, '/bare');
    expect([status, body, headers['content-type']]).toEqual([200, '{"hello":"world"}', 'application/json']);
  });

  it('1.0 requires a status', async () => {
    await test.route(apiId, 'GET /bare1', 'bare', '1.0');
    expect(await test.fetch(apiId, '/bare1')).toMatchObject({
      status: 500,
      body: '{"message":"Internal Server Error"}',
    });
  });

  it('a failing or missing function and a missing status are 500', async () => {
    await test.route(apiId, 'GET /throws', 'throws');
    await test.route(apiId, 'GET /missing', 'nobody');
    for (const path of ['/throws', '/missing'])
      expect(await test.fetch(apiId, path)).toMatchObject({ status: 500, body: '{"message":"Internal Server Error"}' });
  });

  it('supports cookies, base64 and multi-value headers', async () => {
    test.functions.set('rich', () => ({
      statusCode: 201,
      headers: { 'X-One': 'a', 'content-type': 'image/png', 'content-length': 99 },
      cookies: ['a=1', 'b=2'],
      body: Buffer.from('bytes').toString('base64'),
      isBase64Encoded: true,
    }));
    await test.route(apiId, 'GET /rich', 'rich');
    const { status, body, headers } = await test.fetch(apiId, '/rich');
    expect([status, body]).toEqual([201, 'bytes']);
    expect(headers).toMatchObject({ 'x-one': 'a', 'content-type': 'image/png', 'set-cookie': ['a=1', 'b=2'] });
    expect(headers['content-length']).toBeUndefined();
    test.functions.set('multi', () => ({ statusCode: 200, headers: { b: '1' }, multiValueHeaders: { a: ['1', '2'] } }));
    await test.route(apiId, 'GET /multi', 'multi', '1.0');
    expect((await test.fetch(apiId, '/multi')).headers).toMatchObject({ a: '1,2', b: '1' });
  });

  it('rejects a body above 10 MB', async () => {
    await test.route(apiId, 'POST /large', 'bare');
    const answer = await test.fetch(apiId, '/large', { method: 'POST', body: Buffer.alloc(10 * 1024 * 1024 + 1) });
    expect(answer).toMatchObject({ status: 413, body: '{"message":"Request Entity Too Large"}' });
  });

  it('an integration timeout is 503', async () => {
    let release = (): void => undefined;
    test.functions.set(
      'slow',
      () =>
        new Promise<void>((resolve) => {
          release = resolve;
          void test.advance(30_000);
        }),
    );
    await test.route(apiId, 'GET /slow', 'slow');
    expect(await test.fetch(apiId, '/slow')).toMatchObject({ status: 503, body: '{"message":"Service Unavailable"}' });
    release();
  });
});

describe('CORS', () => {
  it('preflights are answered by the configuration, and responses have only its headers', async () => {
    const id = await test.create({
      CorsConfiguration: {
        AllowOrigins: ['https://a.example'],
        AllowMethods: ['GET'],
        AllowHeaders: ['x-a'],
        MaxAge: 60,
      },
    });
    test.functions.set('own-cors', () => ({ statusCode: 200, headers: { 'Access-Control-Allow-Origin': '*' } }));
    await test.route(id, 'GET /x', 'own-cors');
    const ask = (origin: string) =>
      test.fetch(id, '/x', { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'GET' } });
    const allowed = await ask('https://a.example');
    expect(allowed.status).toBe(204);
    expect(allowed.headers).toMatchObject({
      'access-control-allow-origin': 'https://a.example',
      'access-control-allow-methods': 'GET',
      'access-control-allow-headers': 'x-a',
      'access-control-max-age': '60',
    });
    const other = await ask('https://b.example');
    expect([other.status, other.headers['access-control-allow-origin']]).toEqual([204, undefined]);
    const read = await test.fetch(id, '/x', { headers: { origin: 'https://a.example' } });
    expect(read.headers['access-control-allow-origin']).toBe('https://a.example');
    await test.api.deleteCorsConfiguration({ ApiId: id });
    expect((await test.fetch(id, '/x')).headers['access-control-allow-origin']).toBe('*');
    expect((await ask('https://a.example')).status).toBe(404);
  });
});

it("preflights need no authorization, and CORS headers replace the integration's", async () => {
  const id = await test.create({
    CorsConfiguration: {
      AllowOrigins: ['https://*', 'http://b.example'],
      AllowMethods: ['GET', 'POST'],
      AllowCredentials: true,
      ExposeHeaders: ['x-seen', 'date'],
    },
  });
  let called = 0;
  test.functions.set('closed', () => {
    called++;
    return {
      statusCode: 200,
      headers: { 'access-control-allow-origin': '*', 'Access-Control-Allow-Methods': 'PUT', vary: 'accept' },
    };
  });
  const { routeId } = await test.route(id, 'ANY /closed', 'closed');
  await test.api.updateRoute({ ApiId: id, RouteId: routeId, AuthorizationType: 'AWS_IAM' });
  const origin = 'https://any.example';
  const preflight = { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } };
  const asked = await test.fetch(id, '/closed', preflight);
  expect([asked.status, called]).toEqual([204, 0]);
  expect(asked.headers).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'GET,POST',
    'access-control-expose-headers': 'x-seen,date',
  });
  // A request that is not a preflight is authorized, and the rejection has CORS headers, so that pages can read it.
  const refused = await test.fetch(id, '/closed', { headers: { origin } });
  expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([403, origin]);
  await test.api.updateRoute({ ApiId: id, RouteId: routeId, AuthorizationType: 'NONE' });
  const read = await test.fetch(id, '/closed', { headers: { origin } });
  expect(read.headers).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'x-seen,date',
    vary: 'accept,origin',
  });
  expect(read.headers['access-control-allow-methods']).toBeUndefined();
  const foreign = await test.fetch(id, '/closed', { headers: { origin: 'http://c.example' } });
  expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
  // OPTIONS without preflight headers is an ordinary request.
  called = 0;
  await test.fetch(id, '/closed', { method: 'OPTIONS', headers: { origin } });
  expect(called).toBe(1);
});

it('throttles by the settings of stages and routes', async () => {
  const id = await test.create();
  await test.route(id, 'GET /t', 'bare');
  await test.api.updateStage({
    ApiId: id,
    StageName: '$default',
    RouteSettings: { 'GET /t': { ThrottlingBurstLimit: 2, ThrottlingRateLimit: 1 } },
  });
  const statuses = async (count: number) => {
    const found: number[] = [];
    for (let at = 0; at < count; at++) found.push((await test.fetch(id, '/t')).status);
    return found;
  };
  expect(await statuses(3)).toEqual([200, 200, 429]);
  await test.advance(1000);
  expect(await statuses(2)).toEqual([200, 429]);
  await test.api.deleteRouteSettings({ ApiId: id, StageName: '$default', RouteKey: 'GET /t' });
  expect(await statuses(3)).toEqual([200, 200, 200]);
});
