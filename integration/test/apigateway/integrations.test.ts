import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { APIGateway, type PutIntegrationCommandInput } from '@aws-sdk/client-api-gateway';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { Lambda } from '@aws-sdk/client-lambda';
import { S3 } from '@aws-sdk/client-s3';
import { SQS } from '@aws-sdk/client-sqs';
import { createTestEmulator, type TestEmulator, zipOf } from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as lambdaManifest } from '@emu/svc-lambda/manifest';
import { manifest as logsManifest } from '@emu/svc-logs/manifest';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { manifest as sqsManifest } from '@emu/svc-sqs/manifest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const CODE = `
exports.handler = async (event, context) => {
  if (event.type === 'TOKEN' || event.type === 'REQUEST') {
    const token = event.authorizationToken ?? event.headers.Authorization ?? event.headers.authorization;
    if (token === 'unauthorized') throw new Error('Unauthorized');
    if (token === 'broken') return { no: 'policy' };
    if (token === 'crash') throw new Error('crash');
    const Effect = token === 'deny' ? 'Deny' : 'Allow';
    globalThis.asked = (globalThis.asked ?? 0) + 1;
    return { principalId: 'user', context: { asked: globalThis.asked, flag: true },
      policyDocument: { Version: '2012-10-17', Statement: [{ Action: 'execute-api:Invoke', Effect, Resource: event.methodArn }] } };
  }
  if (event.httpMethod) {
    const { answer } = event.queryStringParameters ?? {};
    if (answer === 'throw') throw new Error('thrown');
    if (answer) return JSON.parse(answer);
    return { statusCode: 201, headers: { 'X-One': 'a', 'Content-Length': '5' }, multiValueHeaders: { 'X-Two': ['b', 'c'] },
      body: JSON.stringify(event) };
  }
  if (event.fail) throw new Error('four hundred: ' + event.fail);
  return { got: event };
};`;
const ACCOUNT = '123456789012';
const ROLE = `arn:aws:iam::${ACCOUNT}:role/any`;

let emulator: TestEmulator;
let api: APIGateway;
let server: Server;
let functionArn: string;
let functionUri: string;
let endpoint: string;

beforeAll(async () => {
  emulator = await createTestEmulator({
    manifests: [apigateway, lambdaManifest, logsManifest, s3Manifest, sqsManifest],
  });
  const config = emulator.clientConfig();
  api = new APIGateway(config);
  const lambda = new Lambda(config);
  const made = await lambda.createFunction({
    FunctionName: 'f',
    Runtime: 'nodejs20.x',
    Role: ROLE,
    Handler: 'index.handler',
    Code: { ZipFile: zipOf({ 'index.js': CODE }) },
  });
  functionArn = made.FunctionArn!;
  functionUri = `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${functionArn}/invocations`;
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      const status = Number(/status=(\d+)/.exec(url!)?.[1] ?? 200);
      response.writeHead(status, { 'content-type': 'application/json', server: 'test' });
      response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await emulator.close();
  await new Promise((resolve) => server.close(resolve));
});

interface Made {
  restApiId: string;
  resourceId: string;
  httpMethod: string;
}

/** Creates and deploys an API with one resource and one method. */
async function make(
  integration: Partial<PutIntegrationCommandInput> & Pick<PutIntegrationCommandInput, 'type'>,
  { part = '{proxy+}', method = {}, responses = [{}] as object[], binary = [] as string[] } = {},
): Promise<Made> {
  const { id: restApiId, rootResourceId } = await api.createRestApi({ name: 'i', binaryMediaTypes: binary });
  const { id } = await api.createResource({ restApiId, parentId: rootResourceId, pathPart: part });
  const place = { restApiId: restApiId!, resourceId: id!, httpMethod: 'ANY' };
  await api.putMethod({
    ...place,
    authorizationType: 'NONE',
    requestParameters: { 'method.request.path.proxy': true },
    ...method,
  });
  await api.putIntegration({ ...place, integrationHttpMethod: 'POST', ...integration });
  for (const response of responses) {
    const one = { statusCode: '200', ...response };
    await api.putMethodResponse({ ...place, statusCode: one.statusCode });
    await api.putIntegrationResponse({ ...place, ...one });
  }
  await api.createDeployment({ restApiId, stageName: 'dev', variables: { fn: 'f', v: '1' } });
  return place;
}

async function ask(
  { restApiId }: Made,
  path: string,
  { method = 'GET', headers = {} as Record<string, string>, body = '' } = {},
) {
  const bytes = Buffer.from(body);
  const host = `${restApiId}.execute-api.us-east-1.amazonaws.com`;
  const answer = await emulator.gateway.handle({
    method,
    target: `/dev${path}`,
    headers: {
      host,
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      ...(body && { 'content-length': String(bytes.length) }),
    },
    rawHeaders: ['Host', host, ...Object.entries(headers).flat()],
    body: {
      bytes: async () => bytes,
      stream: async function* () {
        yield bytes;
      },
    },
    remoteAddress: '127.0.0.1',
    localPort: undefined,
    secure: false,
    signal: () => new AbortController().signal,
  });
  const text = Buffer.from(answer.body as Uint8Array).toString();
  const headersBack = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return { status: answer.status, headers: headersBack, text, json: () => JSON.parse(text) as Record<string, never> };
}

describe('a proxy integration with a function', () => {
  it('passes the whole request on, as recorded', async () => {
    const place = await make({ type: 'AWS_PROXY', uri: functionUri });
    const headers = { 'tEsT-HEADeR': 'aValUE', 'User-Agent': 'test', Accept: '*/*' };
    const answer = await ask(place, '/proxy-value//x%20y/?a=1&a=2&b=', { headers, method: 'POST', body: 'text' });
    expect([answer.status, answer.headers['x-one'], answer.headers['x-two']]).toEqual([201, 'a', ['b', 'c']]);
    expect(answer.headers['x-amzn-remapped-content-length']).toBe('5');
    const event = answer.json() as never as Record<string, Record<string, unknown>>;
    expect(event).toMatchObject({
      resource: '/{proxy+}',
      path: '/proxy-value//x%20y/',
      httpMethod: 'POST',
      headers: { 'tEsT-HEADeR': 'aValUE', 'X-Forwarded-For': '127.0.0.1' },
      multiValueHeaders: { Accept: ['*/*'] },
      queryStringParameters: { a: '2', b: '' },
      multiValueQueryStringParameters: { a: ['1', '2'], b: [''] },
      pathParameters: { proxy: 'proxy-value//x%20y' },
      stageVariables: { fn: 'f', v: '1' },
      body: 'text',
      isBase64Encoded: false,
      requestContext: {
        accountId: ACCOUNT,
        apiId: place.restApiId,
        httpMethod: 'POST',
        path: '/dev/proxy-value//x%20y/',
        protocol: 'HTTP/1.1',
        resourceId: place.resourceId,
        resourcePath: '/{proxy+}',
        stage: 'dev',
        domainPrefix: place.restApiId,
        identity: { sourceIp: '127.0.0.1', userAgent: 'test', cognitoIdentityId: null },
      },
    });
    const empty = (await ask(place, '/a')).json() as never as Record<string, unknown>;
    expect([empty.body, empty.queryStringParameters, empty.multiValueQueryStringParameters]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('accepts the responses that AWS accepts, and answers others with 502', async () => {
    const place = await make({ type: 'AWS_PROXY', uri: functionUri });
    const answer = (value: unknown) => ask(place, `/a?answer=${encodeURIComponent(JSON.stringify(value))}`);
    expect((await answer({ statusCode: '202' })).status).toBe(202);
    expect((await answer({ headers: { a: true } })).headers.a).toBe('true');
    expect((await answer({ statusCode: 200, multiValueHeaders: { m: ['x'] }, headers: { M: 'y' } })).headers.m).toEqual(
      ['x', 'y'],
    );
    // Recorded: test_aws_proxy_response_payload_format_validation.
    for (const bad of [
      { statusCode: 'x' },
      { other: 1 },
      {},
      'text',
      { statusCode: 200, body: { a: 1 } },
      { statusCode: 200, multiValueHeaders: { m: 'x' } },
    ]) {
      const { status, text } = await answer(bad);
      expect([bad, status, text]).toEqual([bad, 502, '{"message": "Internal server error"}'.replace(' ', '')]);
    }
    expect((await ask(place, '/a?answer=throw')).status).toBe(502);
  });

  it('encodes binary data in both directions', async () => {
    const place = await make({ type: 'AWS_PROXY', uri: functionUri }, { binary: ['image/png'] });
    const sent = await ask(place, '/a', {
      method: 'POST',
      headers: { 'Content-Type': 'image/png' },
      body: '\u0001bin',
    });
    expect(sent.json()).toMatchObject({ isBase64Encoded: true, body: Buffer.from('\u0001bin').toString('base64') });
    const value = encodeURIComponent(JSON.stringify({ statusCode: 200, isBase64Encoded: true, body: 'aGk=' }));
    expect((await ask(place, `/a?answer=${value}`)).text).toBe('aGk=');
    expect((await ask(place, `/a?answer=${value}`, { headers: { Accept: 'image/png' } })).text).toBe('hi');
  });

  it('answers 500 if the function does not exist', async () => {
    const place = await make({ type: 'AWS_PROXY', uri: functionUri.replace(':f/', ':none/') });
    expect((await ask(place, '/a')).status).toBe(500);
  });
});

describe('an authorizer', () => {
  const authorized = async (type: 'TOKEN' | 'REQUEST', seconds: number) => {
    const { id: restApiId, rootResourceId } = await api.createRestApi({ name: 'a' });
    const { id: authorizerId } = await api.createAuthorizer({
      restApiId,
      name: 'a',
      type,
      authorizerUri: functionUri,
      identitySource: 'method.request.header.Authorization',
      authorizerResultTtlInSeconds: seconds,
    });
    const place = { restApiId: restApiId!, resourceId: rootResourceId!, httpMethod: 'GET' };
    await api.putMethod({ ...place, authorizationType: 'CUSTOM', authorizerId });
    await api.putMethodResponse({ ...place, statusCode: '200' });
    await api.putIntegration({
      ...place,
      type: 'MOCK',
      requestTemplates: { 'application/json': '{"statusCode":200}' },
    });
    const text = '$context.authorizer.principalId $context.authorizer.asked $context.authorizer.flag';
    await api.putIntegrationResponse({ ...place, statusCode: '200', responseTemplates: { 'application/json': text } });
    await api.createDeployment({ restApiId, stageName: 'dev' });
    return {
      place,
      authorizerId,
      get: (token?: string) => ask(place, '/', { headers: token ? { Authorization: token } : {} }),
    };
  };

  it.each(['TOKEN', 'REQUEST'] as const)(
    'of type %s admits the callers that its function admits, and fails closed',
    async (type) => {
      const { place, authorizerId, get } = await authorized(type, 300);
      const first = (await get('allow')).text;
      expect(first).toMatch(/^user \d+ true$/);
      expect((await get('allow')).text).toBe(first);
      await api.flushStageAuthorizersCache({ restApiId: place.restApiId, stageName: 'dev' });
      expect((await get('allow')).text).not.toBe(first);
      const none = await get();
      expect([none.status, none.text]).toEqual([401, '{"message":"Unauthorized"}']);
      expect((await get('unauthorized')).status).toBe(401);
      const denied = await get('deny');
      expect([denied.status, denied.json().Message]).toEqual([
        403,
        'User is not authorized to access this resource with an explicit deny',
      ]);
      expect([(await get('broken')).status, (await get('crash')).status]).toEqual([500, 500]);
      const tested = await api.testInvokeAuthorizer({
        restApiId: place.restApiId,
        authorizerId,
        headers: { Authorization: 'allow' },
      });
      expect([tested.clientStatus, tested.principalId]).toEqual([0, 'user']);
      const [{ Effect, Resource }] = JSON.parse(tested.policy!).Statement;
      expect([Effect, Resource]).toEqual([
        'Allow',
        `arn:aws:execute-api:us-east-1:${ACCOUNT}:${place.restApiId}/ESTestInvoke-stage/GET/`,
      ]);
      expect(tested.log!.split('\n').map((line) => line.replace(/^.* UTC \d{4} : /, ''))).toEqual(
        expect.arrayContaining([
          expect.stringContaining(`Starting authorizer: ${authorizerId} for request: `),
          'Incoming identity: allow',
          `Endpoint request URI: https://lambda.us-east-1.amazonaws.com${functionUri.replace(/^.*?:path/, '')}`,
          expect.stringContaining('Authorizer result body before parsing: {"principalId":"user"'),
          'Using valid authorizer policy for principal: user',
          'Successfully completed authorizer execution',
        ]),
      );
    },
  );

  it('without a cache is called for each request', async () => {
    const { get } = await authorized('TOKEN', 0);
    expect((await get('allow')).text).not.toBe((await get('allow')).text);
  });
});

describe('a mapped integration', () => {
  it('with a function maps its input, output and errors', async () => {
    const place = await make(
      {
        type: 'AWS',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a stage variable
        uri: functionUri.replace(':f/', ':${stageVariables.fn}/'),
        requestTemplates: { 'application/json': '{"fail": "$input.params(\'fail\')", "v": $stageVariables.v}' },
      },
      {
        responses: [
          { responseTemplates: { 'application/json': '$input.json("$.got.v")' } },
          { statusCode: '400', selectionPattern: '.*four hundred.*' },
        ],
      },
    );
    expect((await ask(place, '/a')).text).toBe('1');
    const failed = await ask(place, '/a?fail=x');
    expect([failed.status, failed.json().errorMessage]).toEqual([400, 'four hundred: x']);
  });

  it('with an HTTP endpoint maps parameters and statuses', async () => {
    const place = await make(
      {
        type: 'HTTP',
        uri: `${endpoint}/base/{p}`,
        requestParameters: {
          'integration.request.path.p': 'method.request.path.proxy',
          'integration.request.querystring.q': "'fixed'",
          'integration.request.header.X-From': 'method.request.header.X-Given',
        },
        requestTemplates: { 'application/json': '{"body": $input.json("$.a")}' },
      },
      {
        method: {
          requestParameters: { 'method.request.path.proxy': true, 'method.request.header.X-Given': false },
        },
        responses: [
          { responseTemplates: { 'application/json': '$input.json("$")' } },
          { statusCode: '404', selectionPattern: '404' },
        ],
      },
    );
    const answer = (
      await ask(place, '/x/y', { method: 'POST', headers: { 'X-Given': 'g' }, body: '{"a":[1]}' })
    ).json();
    expect(answer).toMatchObject({
      method: 'POST',
      url: '/base/x/y?q=fixed',
      body: '{"body": [1]}',
      headers: { 'x-from': 'g', 'user-agent': `AmazonAPIGateway_${place.restApiId}` },
    });
  });

  it('as an HTTP proxy passes everything on, and remaps headers', async () => {
    const place = await make({
      type: 'HTTP_PROXY',
      integrationHttpMethod: 'ANY',
      uri: `${endpoint}/{proxy}`,
      requestParameters: { 'integration.request.path.proxy': 'method.request.path.proxy' },
    });
    const answer = await ask(place, '/a/b?x=1&status=418', { method: 'PUT', headers: { 'X-Own': 'o' }, body: 'raw' });
    expect(answer.status).toBe(418);
    expect(answer.headers['x-amzn-remapped-server']).toBe('test');
    expect(answer.json()).toMatchObject({
      method: 'PUT',
      url: '/a/b?x=1&status=418',
      body: 'raw',
      headers: { 'x-own': 'o', 'x-amzn-apigateway-api-id': place.restApiId },
    });
    const gone = await make({ type: 'HTTP_PROXY', uri: 'http://127.0.0.1:1/' });
    expect((await ask(gone, '/a')).status).toBe(504);
  });

  it('calls SQS by path and S3 by key', async () => {
    const sqs = new SQS(emulator.clientConfig());
    const { QueueUrl } = await sqs.createQueue({ QueueName: 'q' });
    const place = await make({
      type: 'AWS',
      uri: `arn:aws:apigateway:us-east-1:sqs:path/${ACCOUNT}/q`,
      credentials: ROLE,
      requestParameters: { 'integration.request.header.Content-Type': "'application/x-www-form-urlencoded'" },
      requestTemplates: { 'application/json': 'Action=SendMessage&MessageBody=$util.urlEncode($input.body)' },
    });
    const sent = await ask(place, '/a', { method: 'POST', body: '{"a":"b c"}' });
    expect([sent.status, sent.text]).toEqual([200, expect.stringContaining('MessageId')]);
    const { Messages } = await sqs.receiveMessage({ QueueUrl });
    expect(Messages?.[0]?.Body).toBe('{"a":"b c"}');

    const s3 = new S3(emulator.clientConfig());
    await s3.createBucket({ Bucket: 'bucket' });
    const objects = await make({
      type: 'AWS',
      integrationHttpMethod: 'PUT',
      uri: 'arn:aws:apigateway:us-east-1:s3:path/bucket/{key}',
      credentials: ROLE,
      requestParameters: { 'integration.request.path.key': 'method.request.path.proxy' },
    });
    expect((await ask(objects, '/folder/k', { method: 'PUT', body: 'content' })).status).toBe(200);
    const object = await s3.getObject({ Bucket: 'bucket', Key: 'folder/k' });
    expect(await object.Body!.transformToString()).toBe('content');
  });
});

describe('a stage', () => {
  it('writes access logs and execution logs', async () => {
    const logs = new CloudWatchLogs(emulator.clientConfig());
    const place = await make({ type: 'AWS_PROXY', uri: functionUri });
    const { restApiId } = place;
    const destinationArn = `arn:aws:logs:us-east-1:${ACCOUNT}:log-group:access`;
    await api.updateStage({
      restApiId,
      stageName: 'dev',
      patchOperations: [
        { op: 'replace', path: '/accessLogSettings/destinationArn', value: destinationArn },
        {
          op: 'replace',
          path: '/accessLogSettings/format',
          value: '$context.httpMethod $context.resourcePath $context.status $context.none',
        },
        { op: 'replace', path: '/*/*/logging/loglevel', value: 'INFO' },
      ],
    });
    await ask(place, '/a');
    const lines = async (group: string) => {
      const { events = [] } = await logs.filterLogEvents({ logGroupName: group });
      return events.map(({ message }) => message!);
    };
    expect(await lines('access')).toEqual(['GET /{proxy+} 201 -']);
    const execution = await lines(`API-Gateway-Execution-Logs_${restApiId}/dev`);
    expect(execution.at(-1)).toMatch(/^\([0-9a-f-]{36}\) Method completed with status: 201$/);
  });
});

it('TestInvokeMethod returns the log of the execution', async () => {
  const place = await make(
    { type: 'MOCK', requestTemplates: { 'application/json': '{"statusCode": 200}' } },
    {
      part: '{petId}',
      method: { requestParameters: {} },
      responses: [{ responseTemplates: { 'application/json': '{"petId": "$input.params(\'petId\')"}' } }],
    },
  );
  const answer = await api.testInvokeMethod({ ...place, httpMethod: 'ANY', pathWithQueryString: '/123?q=1' });
  expect([answer.status, answer.body, answer.headers]).toEqual([
    200,
    '{"petId": "123"}',
    { 'Content-Type': 'application/json' },
  ]);
  const lines = answer
    .log!.split('\n')
    .map((line) => line.replace(/^\w{3} \w{3} \d\d \d\d:\d\d:\d\d UTC \d{4} : /, ''));
  // Recorded: test_invoke_test_method.
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^Starting execution for request: /),
    'HTTP Method: GET, Resource Path: /123',
    'Method request path: {petId=123}',
    'Method request query string: {q=1}',
    'Method request headers: {}',
    'Method request body before transformations: ',
    'Method response body after transformations: {"petId": "123"}',
    'Method response headers: {Content-Type=application/json}',
    'Successfully completed execution',
    'Method completed with status: 200',
    '',
  ]);
});
