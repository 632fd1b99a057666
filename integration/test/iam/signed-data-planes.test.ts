import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { APIGateway } from '@aws-sdk/client-api-gateway';
import { ApiGatewayV2 } from '@aws-sdk/client-apigatewayv2';
import { Lambda } from '@aws-sdk/client-lambda';
import {
  createTestEmulator,
  type PolicyStatement,
  type RawResponse,
  sendRaw,
  type TestEmulator,
  TestIdentities,
  zipOf,
} from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as apigatewayv2 } from '@emu/svc-apigatewayv2/manifest';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';

const ACCOUNT = '123456789012';
const REGION = 'us-east-1';
const MISMATCH =
  'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.';
const UNKNOWN = 'The security token included in the request is invalid.';

let identities: TestIdentities;
let emulator: TestEmulator;
let admin: { accessKeyId: string; secretAccessKey: string };
beforeAll(async () => {
  identities = new TestIdentities();
  identities.role('app', { trusts: [{ Effect: 'Allow', Principal: '*', Action: 'sts:AssumeRole' }] });
  emulator = await createTestEmulator({
    manifests: [apigateway, apigatewayv2, lambda, sts, identities.manifest],
    settings: { accountId: ACCOUNT, region: REGION, values: { EMULATOR_ENFORCE_IAM: true } },
    verifySigv4: true,
  });
  admin = keysOf('admin', { Effect: 'Allow', Action: '*', Resource: '*' });
});
afterAll(() => emulator.close());

/** Makes a user with one statement, and returns its keys. */
function keysOf(name: string, statement?: PolicyStatement): typeof admin {
  const { accessKeyId, secretAccessKey } = identities.user(emulator, name, { may: statement ? [statement] : [] });
  return { accessKeyId: accessKeyId!, secretAccessKey: secretAccessKey! };
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Properties of a signature that differ from those of a valid one. */
interface Changes {
  service?: string;
  region?: string;
  /** Minutes from now. */
  age?: number;
  signedHeaders?: string;
  /** Declared hash of the body. */
  payload?: string;
  token?: string;
}

/** Returns the headers of a signed request. */
function signed(
  keys: typeof admin,
  service: string,
  method: string,
  host: string,
  path: string,
  body = '',
  changes: Changes = {},
) {
  const { region = REGION, age = 0, signedHeaders = 'host;x-amz-date', payload, token } = changes;
  const time = emulator.kernel.clock.now() + age * 60_000;
  const date = `${new Date(time).toISOString().replace(/[-:]|\.\d+/g, '')}`;
  const parts = [date.slice(0, 8), region, changes.service ?? service, 'aws4_request'];
  const headers = { host, 'x-amz-date': date };
  const lines = signedHeaders.split(';').map((name) => `${name}:${headers[name as keyof typeof headers]}`);
  const canonical = [method, path, '', ...lines, '', signedHeaders, payload ?? sha256(body)];
  const text = ['AWS4-HMAC-SHA256', date, parts.join('/'), sha256(canonical.join('\n'))].join('\n');
  const key = parts.reduce<string | Buffer>((previous, part) => hmac(previous, part), `AWS4${keys.secretAccessKey}`);
  return {
    ...headers,
    ...(payload !== undefined && { 'x-amz-content-sha256': payload }),
    ...(token !== undefined && { 'x-amz-security-token': token }),
    authorization: `AWS4-HMAC-SHA256 Credential=${keys.accessKeyId}/${parts.join('/')}, SignedHeaders=${signedHeaders}, Signature=${hmac(key as Buffer, text).toString('hex')}`,
  };
}

type Send = (keys?: typeof admin, sent?: string, changes?: Changes) => Promise<RawResponse>;
/** Sends the body `hello`, signed, to a data plane; another body may be sent. */
type Post = Send & { readonly host: string; readonly path: string };

/** Returns a function that posts to a data plane. */
function poster(service: string, host: string, path: string): Post {
  const send: Send = (keys, sent = 'hello', changes) =>
    sendRaw(emulator, {
      method: 'POST',
      target: path,
      headers: keys ? signed(keys, service, 'POST', host, path, 'hello', changes) : { host },
      chunks: [sent],
    });
  return Object.assign(send, { host, path });
}

async function restApi(): Promise<[post: Post, arn: string]> {
  const rest = new APIGateway(emulator.clientConfig(admin));
  const { id: restApiId, rootResourceId: resourceId } = await rest.createRestApi({ name: 'rest' });
  const place = { restApiId, resourceId, httpMethod: 'POST' };
  await rest.putMethod({ ...place, authorizationType: 'AWS_IAM' });
  await rest.putIntegration({ ...place, type: 'MOCK', requestTemplates: { 'application/json': '{"statusCode":200}' } });
  await rest.putMethodResponse({ ...place, statusCode: '200' });
  await rest.putIntegrationResponse({ ...place, statusCode: '200' });
  await rest.createDeployment({ restApiId, stageName: 'dev' });
  const arn = `arn:aws:execute-api:${REGION}:${ACCOUNT}:${restApiId}/dev/POST/`;
  return [poster('execute-api', `${restApiId}.execute-api.${REGION}.amazonaws.com`, '/dev'), arn];
}

let made: Promise<string> | undefined;
/** Returns the ARN of a function, made at the first call. */
const functionArn = (): Promise<string> => {
  made ??= new Lambda(emulator.clientConfig(admin))
    .createFunction({
      FunctionName: 'f',
      Role: `arn:aws:iam::${ACCOUNT}:role/app`,
      Runtime: 'nodejs20.x',
      Handler: 'index.handler',
      Code: { ZipFile: zipOf({ 'index.js': 'exports.handler = async () => ({ statusCode: 200, body: "" });' }) },
    })
    .then(({ FunctionArn }) => FunctionArn!);
  return made;
};

async function httpApi(): Promise<[post: Post, arn: string]> {
  const api = new ApiGatewayV2(emulator.clientConfig(admin));
  const IntegrationUri = await functionArn();
  const { ApiId } = await api.createApi({ Name: 'http', ProtocolType: 'HTTP' });
  const { IntegrationId } = await api.createIntegration({
    ApiId,
    IntegrationType: 'AWS_PROXY',
    IntegrationUri,
    PayloadFormatVersion: '2.0',
  });
  const Target = `integrations/${IntegrationId}`;
  await api.createRoute({ ApiId, RouteKey: 'POST /', Target, AuthorizationType: 'AWS_IAM' });
  await api.createStage({ ApiId, StageName: '$default', AutoDeploy: true });
  const StatementId = `api-${ApiId}`;
  await new Lambda(emulator.clientConfig(admin)).addPermission({
    FunctionName: 'f',
    StatementId,
    Action: 'lambda:InvokeFunction',
    Principal: 'apigateway.amazonaws.com',
  });
  const arn = `arn:aws:execute-api:${REGION}:${ACCOUNT}:${ApiId}/$default/POST/`;
  return [poster('execute-api', `${ApiId}.execute-api.${REGION}.amazonaws.com`, '/'), arn];
}

let url: Promise<{ FunctionUrl: string | undefined }> | undefined;
async function functionUrl(): Promise<[post: Post, arn: string]> {
  const arn = await functionArn();
  const client = new Lambda(emulator.clientConfig(admin));
  url ??= client.createFunctionUrlConfig({ FunctionName: 'f', AuthType: 'AWS_IAM' });
  return [poster('lambda', new URL((await url).FunctionUrl!).host, '/'), arn];
}

const INVOKE = ['execute-api:Invoke', 'lambda:InvokeFunctionUrl', 'lambda:InvokeFunction'];

/** API Gateway's message, with the texts that should have been signed. https://github.com/arnemolland/sigv4/issues/17 */
const DESCRIBED = expect.stringMatching(
  new RegExp(
    `^${MISMATCH}\n\nThe Canonical String for this request should have been\n'POST\n/dev\n\nhost:.*\nx-amz-date:\\d{8}T\\d{6}Z\n\nhost;x-amz-date\n[0-9a-f]{64}'\n\nThe String-to-Sign should have been\n'AWS4-HMAC-SHA256\n\\d{8}T\\d{6}Z\n\\d{8}/${REGION}/execute-api/aws4_request\n[0-9a-f]{64}'\n$`,
  ),
) as string;

test.each([
  ['REST APIs', restApi, { message: DESCRIBED }, { message: UNKNOWN }],
  ['HTTP APIs', httpApi, { message: 'Forbidden' }, { message: 'Forbidden' }],
  ['function URLs', functionUrl, { message: MISMATCH }, { message: UNKNOWN }],
])('%s verify signatures and require the permission', async (_plane, make, mismatch, unknown) => {
  const [post, Resource] = await make();
  const caller = keysOf('jane', { Effect: 'Allow', Action: INVOKE, Resource });
  expect((await post(caller)).status).toBe(200);
  const refusals = [
    await post({ ...caller, secretAccessKey: 'wrong' }),
    await post(caller, 'other'),
    await post({ accessKeyId: 'AKIAUNKNOWN', secretAccessKey: 'secret' }),
    await post({ accessKeyId: ACCOUNT, secretAccessKey: 'secret' }),
  ];
  expect(refusals.map(({ status, text }) => [status, JSON.parse(text) as object])).toEqual([
    [403, mismatch],
    [403, mismatch],
    [403, unknown],
    [403, unknown],
  ]);
  expect((await post()).status).toBe(403);
  const other = keysOf('june', { Effect: 'Allow', Action: INVOKE, Resource: `${Resource}-other` });
  expect((await post(other)).status).toBe(403);
});

/** Signatures that are right but not valid, by their flaw. */
const FLAWS: Readonly<Record<string, [changes: Changes, message: string | RegExp]>> = {
  'of another service': [
    { service: 's3' },
    /^Credential should be scoped to correct service: '(execute-api|lambda)'\. $/,
  ],
  'of another region': [{ region: 'eu-west-1' }, "Credential should be scoped to a valid region, not 'eu-west-1'. "],
  'of 16 minutes ago': [{ age: -16 }, /^Signature expired: /],
  'of 6 minutes ahead': [{ age: 6 }, /^Signature not yet current: /],
  'without the host': [{ signedHeaders: 'x-amz-date' }, /^'Host' or ':authority' must be a 'SignedHeader'/],
  'without the body': [{ payload: 'UNSIGNED-PAYLOAD' }, /^The request signature we calculated does not match/],
  'with a session token of nobody': [{ token: 'FwoGZXIvYXdzEXAMPLE' }, UNKNOWN],
};

test.each([
  ['REST APIs', restApi],
  ['HTTP APIs', httpApi],
  ['function URLs', functionUrl],
])('%s refuse signatures that are not valid for them', async (plane, make) => {
  const [post] = await make();
  for (const [flaw, [changes, message]] of Object.entries(FLAWS)) {
    const { status, text } = await post(admin, 'hello', changes);
    expect([flaw, status]).toEqual([flaw, 403]);
    const expected = plane === 'HTTP APIs' ? 'Forbidden' : message;
    expect((JSON.parse(text) as { message: string }).message, flaw).toEqual(
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    );
  }
  expect((await post(admin)).status).toBe(200);
});

/** Returns a target with a signature in its query, valid for a minute. */
function presigned(keys: typeof admin, service: string, method: string, host: string, path: string, body: string) {
  const date = new Date(emulator.kernel.clock.now()).toISOString().replace(/[-:]|\.\d+/g, '');
  const parts = [date.slice(0, 8), REGION, service, 'aws4_request'];
  const query = new URLSearchParams({
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${keys.accessKeyId}/${parts.join('/')}`,
    'X-Amz-Date': date,
    'X-Amz-Expires': '60',
    'X-Amz-SignedHeaders': 'host',
  }).toString();
  const canonical = [method, path, query, `host:${host}`, '', 'host', sha256(body)];
  const text = ['AWS4-HMAC-SHA256', date, parts.join('/'), sha256(canonical.join('\n'))].join('\n');
  const key = parts.reduce<string | Buffer>((previous, part) => hmac(previous, part), `AWS4${keys.secretAccessKey}`);
  return `${path}?${query}&X-Amz-Signature=${hmac(key as Buffer, text).toString('hex')}`;
}

test.each([
  ['REST APIs', 'execute-api', restApi],
  ['HTTP APIs', 'execute-api', httpApi],
  ['function URLs', 'lambda', functionUrl],
])('%s verify signatures in the query', async (_plane, service, make) => {
  const [{ host, path }] = await make();
  const target = presigned(admin, service, 'POST', host, path, 'hello');
  const post = async (changed: string, headers = {}, body = 'hello') =>
    (await sendRaw(emulator, { method: 'POST', target: changed, headers: { host, ...headers }, chunks: [body] }))
      .status;
  expect(await post(target)).toBe(200);
  expect(await post(`${target}&more=x`)).toBe(403);
  expect(await post(target.replace('X-Amz-Expires=60', 'X-Amz-Expires=600'))).toBe(403);
  expect(await post(target, {}, 'other')).toBe(403);
  // The header decides, if there are both.
  expect(
    await post(target, { authorization: 'AWS4-HMAC-SHA256 Credential=a, SignedHeaders=host, Signature=f00' }),
  ).toBe(403);
  await emulator.kernel.clock.advance(3_600_000);
  expect(await post(target)).toBe(403);
});

test('WebSocket APIs verify the signature of the handshake and require the permission', async () => {
  const api = new ApiGatewayV2(emulator.clientConfig(admin));
  const { ApiId } = await api.createApi({
    Name: 'socket',
    ProtocolType: 'WEBSOCKET',
    RouteSelectionExpression: '$request.body.action',
  });
  const { IntegrationId } = await api.createIntegration({
    ApiId,
    IntegrationType: 'MOCK',
    RequestTemplates: { $default: '{"statusCode":200}' },
    TemplateSelectionExpression: '\\$default',
  });
  const Target = `integrations/${IntegrationId}`;
  await api.createRoute({ ApiId, RouteKey: '$connect', Target, AuthorizationType: 'AWS_IAM' });
  await api.createStage({ ApiId, StageName: 'dev', AutoDeploy: true });
  const listener = await emulator.gateway.listen({ port: 0 });
  onTestFinished(() => listener.close(100));
  const { host } = new URL(listener.url);
  const path = `/_aws/execute-api/${ApiId}/dev`;
  /** Returns the status of the handshake. */
  const connect = async (keys: typeof admin): Promise<number | undefined> => {
    const { host: _host, ...headers } = signed(keys, 'execute-api', 'GET', host, path);
    const socket = new WebSocket(`ws://${host}${path}`, { headers });
    socket.on('error', () => undefined);
    const opened = once(socket, 'open').then(() => 101);
    const refused = once(socket, 'unexpected-response').then(
      ([, response]) => (response as IncomingMessage).statusCode,
    );
    const status = await Promise.race([opened, refused]);
    socket.terminate();
    return status;
  };
  const Resource = `arn:aws:execute-api:${REGION}:${ACCOUNT}:${ApiId}/dev/$connect`;
  const caller = keysOf('jane', { Effect: 'Allow', Action: INVOKE, Resource });
  expect(await connect(caller)).toBe(101);
  expect(await connect({ ...caller, secretAccessKey: 'wrong' })).toBe(403);
  expect(await connect({ accessKeyId: ACCOUNT, secretAccessKey: 'secret' })).toBe(403);
  expect(await connect(keysOf('june'))).toBe(403);
});
