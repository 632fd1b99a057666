import { APIGateway } from '@aws-sdk/client-api-gateway';
import { ApiGatewayV2 } from '@aws-sdk/client-apigatewayv2';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { Lambda } from '@aws-sdk/client-lambda';
import { S3 } from '@aws-sdk/client-s3';
import { S3Control } from '@aws-sdk/client-s3-control';
import type { Listener } from '@emu/gateway';
import { createTestEmulator, type RawResponse, sendToPort, type TestEmulator, zipOf } from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as apigatewayv2 } from '@emu/svc-apigatewayv2/manifest';
import { manifest as cognito } from '@emu/svc-cognito-idp/manifest';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { manifest as logs } from '@emu/svc-logs/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as s3control } from '@emu/svc-s3control/manifest';
import { manifest as ssm } from '@emu/svc-ssm/manifest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import model from '../../../packages/svc-s3/model/s3.json' with { type: 'json' };

const AccountId = '123456789012';
const EVIL = 'https://evil.com';
const PARTNER = 'https://partner.example';

let emulator: TestEmulator;
let listener: Listener;
let functions: Lambda;
/** Host names, without emu's port, and ids of resources that serve pages. */
const names: Record<string, string> = {};

const send = (
  method: string,
  target: string,
  headers: Record<string, string | undefined> = {},
  body = '',
): Promise<RawResponse> =>
  sendToPort(listener.port, {
    method,
    target,
    headers: {
      ...(body && { 'content-length': String(Buffer.byteLength(body)) }),
      ...(headers as Record<string, string>),
    },
    chunks: body ? [body] : [],
  });
const at = (name: string) => ({ host: `${names[name] ?? name}:${listener.port}` });
/** Whether emu, and no service, has rejected a page. */
const isRefused = ({ status, text }: RawResponse): boolean => status === 403 && text.includes('--allow-origin');
const policyOf = ({ headers }: RawResponse): string | undefined => headers['content-security-policy'];

const CODE = `exports.handler = async ({ rawPath }) => ({
  statusCode: 200, headers: { 'content-type': 'text/html' }, body: '<h1>' + rawPath + '</h1>',
});`;

beforeAll(async () => {
  const manifests = [apigateway, apigatewayv2, cognito, lambda, logs, s3, s3control, ssm];
  emulator = await createTestEmulator({ manifests });
  listener = await emulator.gateway.listen({});
  const config = emulator.clientConfig();
  functions = new Lambda(config);
  const made = await functions.createFunction({
    FunctionName: 'page',
    Role: `arn:aws:iam::${AccountId}:role/any`,
    Runtime: 'nodejs20.x',
    Handler: 'index.handler',
    Timeout: 60,
    Code: { ZipFile: zipOf({ 'index.js': CODE }) },
  });
  for (const Action of ['lambda:InvokeFunctionUrl', 'lambda:InvokeFunction'])
    await functions.addPermission({ FunctionName: 'page', StatementId: Action.slice(7), Action, Principal: '*' });
  const { FunctionUrl } = await functions.createFunctionUrlConfig({ FunctionName: 'page', AuthType: 'NONE' });
  names['function URL'] = `${new URL(FunctionUrl!).hostname.split('.')[0]}.lambda-url.us-east-1.localhost`;

  const http = new ApiGatewayV2(config);
  const { ApiId } = await http.createApi({ Name: 'api', ProtocolType: 'HTTP', Target: made.FunctionArn! });
  names['HTTP API'] = `${ApiId}.execute-api.us-east-1.localhost`;
  names.httpApi = ApiId!;

  const rest = new APIGateway(config);
  const { id: restApiId, rootResourceId: resourceId } = await rest.createRestApi({ name: 'api' });
  for (const httpMethod of ['GET', 'POST']) {
    const method = { restApiId, resourceId, httpMethod };
    await rest.putMethod({ ...method, authorizationType: 'NONE' });
    await rest.putIntegration({
      ...method,
      type: 'MOCK',
      requestTemplates: { 'application/json': '{"statusCode":200}' },
    });
    await rest.putMethodResponse({
      ...method,
      statusCode: '200',
      responseParameters: { 'method.response.header.Content-Type': true },
    });
    await rest.putIntegrationResponse({
      ...method,
      statusCode: '200',
      responseParameters: { 'method.response.header.Content-Type': "'text/html'" },
      responseTemplates: { 'application/json': '<h1>made</h1>' },
    });
  }
  await rest.createDeployment({ restApiId, stageName: 'dev' });
  names['REST API'] = `${restApiId}.execute-api.us-east-1.localhost`;
  names.restApi = restApiId!;

  const pools = new CognitoIdentityProvider(config);
  const { UserPool } = await pools.createUserPool({ PoolName: 'pool' });
  names.pool = UserPool!.Id!;
  await pools.createUserPoolDomain({ UserPoolId: UserPool!.Id, Domain: 'people' });
  names['user pool'] = 'people.auth.us-east-1.localhost';

  const buckets = new S3(config);
  for (const Bucket of ['named', 'other', 'site']) await buckets.createBucket({ Bucket });
  const put = (Bucket: string, Key: string, ContentType: string | undefined, Body = '<script>1</script>') =>
    buckets.putObject({ Bucket, Key, Body, ...(ContentType && { ContentType }) });
  await put('named', 'page.html', 'text/html');
  await put('named', 'page.svg', 'image/svg+xml');
  await put('named', 'page.xml', 'application/xml');
  await put('named', 'page.txt', 'text/plain');
  await put('named', 'page', undefined);
  await put('site', 'index.html', 'text/html');
  await put('other', 'secret', 'text/plain', 'the secret');
  await put('other', 'named/secret', 'text/plain', 'the secret');
  await buckets.putBucketWebsite({ Bucket: 'site', WebsiteConfiguration: { IndexDocument: { Suffix: 'index.html' } } });
  await buckets.deletePublicAccessBlock({ Bucket: 'site' });
  const Statement = [{ Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: 'arn:aws:s3:::site/*' }];
  await buckets.putBucketPolicy({ Bucket: 'site', Policy: JSON.stringify({ Version: '2012-10-17', Statement }) });
  names.website = 'site.s3-website.us-east-1.localhost';
  await buckets.putBucketCors({
    Bucket: 'named',
    CORSConfiguration: {
      CORSRules: [
        { AllowedOrigins: [PARTNER], AllowedMethods: ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'], AllowedHeaders: ['*'] },
      ],
    },
  });
  const Name = 'everywhere';
  const control = new S3Control(config);
  await control.createMultiRegionAccessPoint({
    AccountId,
    ClientToken: 't',
    Details: { Name, Regions: [{ Bucket: 'other' }] },
  });
  await emulator.kernel.clock.advance(1000);
  const { AccessPoint } = await control.getMultiRegionAccessPoint({ AccountId, Name });
  names['multi-region access point'] = `${AccessPoint!.Alias}.accesspoint.s3-global.amazonaws.com`;
});
afterAll(async () => {
  await listener?.close();
  await emulator?.close();
});

describe('an object that a browser could execute', () => {
  it.each(['localhost', 'named.localhost', 'named.s3.us-east-1.localhost', 'named.s3.us-east-1.amazonaws.com'])(
    'is sandboxed at %s',
    async (host) => {
      const prefix = host.startsWith('named.') ? '' : '/named';
      for (const key of [
        'page.html',
        'page.svg',
        'page.xml',
        'page.txt?response-content-type=text/html',
        'page?response-content-type=x',
      ]) {
        // Anonymous requests cannot override the content type; presigned URLs can.
        const signed = key.includes('?')
          ? '&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=test/20990101/us-east-1/s3/aws4_request&X-Amz-Date=20990101T000000Z&X-Amz-Expires=600&X-Amz-SignedHeaders=host&X-Amz-Signature=0'
          : '';
        const object = await send('GET', `${prefix}/${key}${signed}`, { ...at(host), authorization: AUTHORIZATION });
        expect(object.status, key).toBe(200);
        expect(policyOf(object), key).toMatch(/^sandbox( |$)/);
      }
      for (const key of ['page.txt', 'page']) {
        const object = await send('GET', `${prefix}/${key}`, { ...at(host), authorization: AUTHORIZATION });
        expect([object.status, policyOf(object)]).toEqual([200, undefined]);
      }
    },
  );

  it('is not sandboxed at a website, which has no control routes', async () => {
    const page = await send('GET', '/', at('website'));
    expect([page.status, policyOf(page)]).toEqual([200, undefined]);
    const error = await send('GET', '/missing', at('website'));
    expect([error.status, policyOf(error)]).toEqual([404, undefined]);
  });
});

const AUTHORIZATION =
  'AWS4-HMAC-SHA256 Credential=test/20240101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0';

describe('pages of other data planes', () => {
  it.each([
    ['function URL', '/'],
    ['HTTP API', '/'],
    ['REST API', '/dev'],
  ])('are not sandboxed at the host of a %s, which has no control routes', async (name, path) => {
    const page = await send('GET', path, at(name));
    expect([page.status, page.headers['content-type'], policyOf(page)]).toEqual([200, 'text/html', undefined]);
  });

  it.each(['function URL', 'HTTP API', 'REST API', 'user pool', 'website'])(
    'reach no control route through the host of a %s',
    async (name) => {
      for (const target of ['/_emulator/health', '/_emulator/state', '/_localstack/health', '/latest/meta-data/'])
        expect((await send('GET', target, at(name))).text, target).not.toMatch(/"status":"ok"|"services"|instance-id/);
      const before = await emulator.control('GET', '/_emulator/clock');
      await send('POST', '/_emulator/clock', at(name), '{"freeze":true}');
      expect((await emulator.control('GET', '/_emulator/clock')).json).toMatchObject({
        frozen: (before.json as { frozen: boolean }).frozen,
      });
    },
  );

  it('are sandboxed at paths of the host with control routes', async () => {
    for (const path of [
      `/_aws/execute-api/${names.httpApi}/`,
      `/_aws/execute-api/${names.restApi}/dev`,
      `/restapis/${names.restApi}/dev/_user_request_/`,
    ]) {
      const page = await send('GET', path);
      expect([page.status, page.headers['content-type']], path).toEqual([200, 'text/html']);
      expect(policyOf(page), path).toMatch(/^sandbox( |$)/);
    }
  });

  it('run only their own scripts if emu writes them', async () => {
    const login = await send('GET', `/${names.pool}/login?client_id=x`);
    expect(login.headers['content-type']).toMatch(/^text\/html/);
    expect(policyOf(login)).toMatch(/^default-src 'none';/);
  });
});

describe('foreign pages', () => {
  const invocations = async (): Promise<number> => {
    const { json } = await emulator.control('GET', '/_emulator/lambda/invocations');
    return (json as { invocations: unknown[] }).invocations.length;
  };

  it.each(['function URL', 'HTTP API'])('invoke no function of a %s that does not admit them', async (name) => {
    const before = await invocations();
    for (const origin of [EVIL, 'null']) {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
        expect(isRefused(await send('POST', '/', { ...at(name), origin, 'content-type': type }, 'x'))).toBe(true);
      expect(isRefused(await send('DELETE', '/', { ...at(name), origin }))).toBe(true);
      expect(isRefused(await send('GET', '/', { ...at(name), origin }))).toBe(true);
    }
    const run = (await emulator.control('GET', '/_emulator/lambda/invocations')).json as {
      invocations: { payload: string }[];
    };
    const methods = run.invocations.slice(before).map(({ payload }) => JSON.parse(payload).requestContext.http.method);
    // Links may read; nobody receives the function's response.
    expect(methods.filter((method) => !['GET', 'OPTIONS'].includes(method))).toEqual([]);
  });

  it('use a function URL, an HTTP API and a REST API with CORS settings that admit them', async () => {
    await functions.updateFunctionUrlConfig({
      FunctionName: 'page',
      Cors: { AllowOrigins: [PARTNER], AllowMethods: ['*'] },
    });
    const config = emulator.clientConfig();
    await new ApiGatewayV2(config).updateApi({
      ApiId: names.httpApi,
      CorsConfiguration: { AllowOrigins: [PARTNER], AllowMethods: ['*'] },
    });
    const post = (name: string, origin: string, path = '/') =>
      send('POST', path, { ...at(name), origin, 'content-type': 'application/json' }, '{}');
    for (const name of ['function URL', 'HTTP API']) {
      const admitted = await post(name, PARTNER);
      expect([admitted.status, admitted.headers['access-control-allow-origin']], name).toEqual([200, PARTNER]);
      expect((await send('GET', '/', { ...at(name), origin: PARTNER })).status).toBe(200);
      expect(isRefused(await post(name, EVIL)), name).toBe(true);
    }
    expect(isRefused(await post('REST API', PARTNER, '/dev'))).toBe(true);
    const rest = new APIGateway(config);
    const restApiId = names.restApi!;
    const { items } = await rest.getResources({ restApiId });
    const method = { restApiId, resourceId: items![0]!.id!, httpMethod: 'OPTIONS' };
    const header = 'method.response.header.Access-Control-Allow-Origin';
    await rest.putMethod({ ...method, authorizationType: 'NONE' });
    await rest.putIntegration({
      ...method,
      type: 'MOCK',
      requestTemplates: { 'application/json': '{"statusCode":200}' },
    });
    await rest.putMethodResponse({ ...method, statusCode: '200', responseParameters: { [header]: true } });
    await rest.putIntegrationResponse({
      ...method,
      statusCode: '200',
      responseParameters: { [header]: `'${PARTNER}'` },
    });
    await rest.createDeployment({ restApiId, stageName: 'dev' });
    expect((await post('REST API', PARTNER, '/dev')).status).toBe(200);
    expect(isRefused(await post('REST API', EVIL, '/dev'))).toBe(true);
  });

  it('can link to websites, functions and APIs', async () => {
    const link = { referer: `${EVIL}/`, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    for (const [name, path] of [
      ['website', '/'],
      ['function URL', '/'],
      ['HTTP API', '/'],
      ['REST API', '/dev'],
    ] as const)
      expect((await send('GET', path, { ...at(name), ...link })).status, name).toBe(200);
    expect(isRefused(await send('POST', '/', { ...at('function URL'), ...link }, 'x'))).toBe(true);
  });

  it('read a website only if its bucket admits them', async () => {
    expect(isRefused(await send('GET', '/', { ...at('website'), origin: EVIL }))).toBe(true);
    await new S3(emulator.clientConfig()).putBucketCors({
      Bucket: 'site',
      CORSConfiguration: { CORSRules: [{ AllowedOrigins: ['*'], AllowedMethods: ['GET'] }] },
    });
    expect((await send('GET', '/', { ...at('website'), origin: EVIL })).status).toBe(200);
  });

  it('send no log events with any content type', async () => {
    const client = new CloudWatchLogs(emulator.clientConfig());
    await client.createLogGroup({ logGroupName: 'g' });
    await client.createLogStream({ logGroupName: 'g', logStreamName: 's' });
    const place = { 'x-aws-log-group': 'g', 'x-aws-log-stream': 's' };
    for (const path of ['/ingest/bulk', '/ingest/json', '/services/collector/event', '/v1/logs'])
      for (const type of [
        'text/plain',
        'application/json',
        'application/x-ndjson',
        'application/x-www-form-urlencoded',
      ])
        for (const from of [
          { origin: EVIL },
          { origin: 'null' },
          { referer: `${EVIL}/` },
          { 'sec-fetch-site': 'cross-site' },
        ]) {
          const sent = await send(
            'POST',
            `${path}?logGroup=g&logStream=s`,
            { ...place, ...from, 'content-type': type },
            '{"event":"x"}',
          );
          expect(isRefused(sent) || sent.text.includes('another site'), `${path} ${type} ${JSON.stringify(from)}`).toBe(
            true,
          );
        }
    expect((await client.getLogEvents({ logGroupName: 'g', logStreamName: 's' })).events).toEqual([]);
  });

  it('open no session of Systems Manager', async () => {
    const headers = { origin: EVIL, connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    const key = { 'sec-websocket-key': Buffer.alloc(16).toString('base64') };
    const answer = await send('GET', '/v1/data-channel/session-1?role=publish_subscribe', { ...headers, ...key });
    expect(isRefused(answer)).toBe(true);
  });

  it('of identity providers send the responses of sign-ins only', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const post = (path: string, host: Record<string, string>, origin: string) =>
      send('POST', path, { ...host, ...form, origin }, 'SAMLResponse=x&RelayState=y');
    for (const origin of [EVIL, 'null'])
      for (const path of ['/saml2/idpresponse', '/oauth2/idpresponse']) {
        expect((await post(path, at('user pool'), origin)).text).toContain('sign-in at the identity provider');
        expect((await post(`/${names.pool}${path}`, {}, origin)).text).toContain('sign-in at the identity provider');
      }
    expect(isRefused(await post('/login?client_id=x', at('user pool'), EVIL))).toBe(true);
    // The token endpoint's own preflight admits every page.
    expect((await post('/oauth2/token', at('user pool'), EVIL)).status).toBe(400);
  });
});

describe('a page admitted by the CORS rules of a bucket', () => {
  const OBJECTS = [
    'AbortMultipartUpload',
    'CompleteMultipartUpload',
    'CreateMultipartUpload',
    'GetObject',
    'HeadObject',
    'ListParts',
    'PutObject',
    'UploadPart',
  ];

  /** Returns a request of an operation with all parameters in its headers. */
  function requestOf(name: string, bucket: string) {
    const operation = model.operations[name as keyof typeof model.operations] as {
      http: { method: string; uri: string };
      input?: { shape: string };
    };
    const shapes = model.shapes as unknown as Record<
      string,
      { required?: string[]; members?: Record<string, { location?: string; locationName?: string }> }
    >;
    const { required = [], members = {} } = (operation.input && shapes[operation.input.shape]) ?? {};
    const [path, query = ''] = operation.http.uri.split('?');
    const parameters = new URLSearchParams(query);
    const headers: Record<string, string> = {};
    for (const member of required) {
      const { location, locationName = member } = members[member]!;
      if (location === 'querystring') parameters.set(locationName, '1');
      if (location === 'header') headers[locationName.toLowerCase()] = 'other/secret';
    }
    const target = path!.replace('{Bucket}', bucket).replace('{Key+}', 'secret');
    return { method: operation.http.method, target: `${target}?${parameters}`, headers };
  }

  it.each(Object.keys(model.operations))('through %s reaches the objects of that bucket only', async (name) => {
    for (const bucket of ['named', 'other'])
      for (const origin of [PARTNER, EVIL]) {
        const { method, target, headers } = requestOf(name, bucket);
        const admitted = bucket === 'named' && origin === PARTNER && OBJECTS.includes(name);
        const answer = await send(method, target, { ...headers, origin, authorization: AUTHORIZATION });
        // An error response to HEAD has no body.
        const refused = method === 'HEAD' ? answer.status === 403 : isRefused(answer);
        expect(refused, `${method} ${target} of ${origin}`).toBe(!admitted);
      }
  });

  const PRESIGNED =
    'X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=test%2F20990101%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20990101T000000Z&X-Amz-Expires=600&X-Amz-SignedHeaders=host&X-Amz-Signature=0';

  it.each<[what: string, method: string, target: string, headers: Record<string, string>]>([
    ['a copy by a header', 'PUT', '/named/copy', { 'x-amz-copy-source': '/other/secret' }],
    ['a copy by a parameter of a URL', 'PUT', `/named/copy?${PRESIGNED}&x-amz-copy-source=%2Fother%2Fsecret`, {}],
    [
      'a part that is copied',
      'PUT',
      `/named/copy?partNumber=1&uploadId=x&${PRESIGNED}&x-amz-copy-source=%2Fother%2Fsecret`,
      {},
    ],
    ['a key in a Multi-Region Access Point', 'GET', '/named/secret', { host: 'multi-region access point' }],
    ['a bucket in front of emu', 'GET', '/named/secret', { host: 'other.localhost' }],
    ['a bucket of an endpoint', 'GET', '/named/secret', { host: 'other.s3.us-east-1.localhost' }],
    ['dot segments', 'GET', '/named/../other/secret', {}],
    ['an encoded slash', 'GET', '/named%2F..%2Fother/secret', {}],
    ['another service', 'GET', '/named/x', { 'x-amz-target': 'DynamoDB_20120810.ListTables' }],
    ['a control route', 'GET', '/_emulator/state', {}],
  ])('reaches nothing else through %s', async (_, method, target, { host, ...headers }) => {
    const answer = await send(method, target, {
      ...headers,
      ...(host !== undefined && at(host)),
      origin: PARTNER,
      ...(!target.includes(PRESIGNED) && { authorization: AUTHORIZATION }),
    });
    expect(answer.text).not.toContain('the secret');
    expect(answer.status).toBeGreaterThanOrEqual(400);
    const copied = await send('GET', '/named/copy', { authorization: AUTHORIZATION });
    expect(copied.status).toBe(404);
  });
});
