import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { APIGateway } from '@aws-sdk/client-api-gateway';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as secretsmanager } from '@emu/svc-secretsmanager/manifest';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ROLE, type SfnTest, startSfn } from '../../../packages/svc-stepfunctions/test/support.ts';

interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

let t: SfnTest;
let server: Server;
let base: string;
let ConnectionArn: string;
let seen: Seen[];
/** Responses of the endpoint; the last one is repeated. */
let answers: { status: number; type?: string; body?: string }[];

beforeAll(async () => {
  t = await startSfn({ manifests: [apigateway, events, secretsmanager] });
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    response.writeHead(answer.status, { 'content-type': answer.type ?? 'application/json', 'x-own': ['a', 'b'] });
    response.end(answer.body ?? '{"ok":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const made = await new EventBridge(t.emulator.clientConfig()).createConnection({
    Name: 'api',
    AuthorizationType: 'API_KEY',
    AuthParameters: {
      ApiKeyAuthParameters: { ApiKeyName: 'x-key', ApiKeyValue: 'secret' },
      InvocationHttpParameters: {
        HeaderParameters: [{ Key: 'x-both', Value: 'connection' }],
        QueryStringParameters: [{ Key: 'tenant', Value: 't1' }],
        BodyParameters: [{ Key: 'source', Value: 'connection' }],
      },
    },
  });
  ConnectionArn = made.ConnectionArn!;
});
afterAll(async () => {
  await t[Symbol.asyncDispose]();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  seen = [];
  answers = [{ status: 200 }];
});

const task = (parameters: object, more: object = {}) => ({
  StartAt: 'T',
  States: {
    T: {
      Type: 'Task',
      Resource: 'arn:aws:states:::http:invoke',
      Parameters: { Authentication: { ConnectionArn }, ...parameters },
      End: true,
      ...more,
    },
  },
});

/** Runs a definition; its requests take real time, its waits emulated time. */
async function outcome(definition: object, input: unknown = {}) {
  const executionArn = await t.start(await t.machine(definition), input);
  const status = async () => {
    await t.advance(1000);
    return (await t.sfn.describeExecution({ executionArn })).status;
  };
  await expect.poll(status, { timeout: 10_000 }).not.toBe('RUNNING');
  const { status: ended, output, error, cause } = await t.sfn.describeExecution({ executionArn });
  return { status: ended, error, cause, output: output === undefined ? undefined : JSON.parse(output), executionArn };
}

describe('an HTTP task', () => {
  test('sends its parameters with those of its connection, and returns the response', async () => {
    const { status, output } = await outcome(
      task({
        ApiEndpoint: `${base}/customers`,
        Method: 'POST',
        Headers: { 'X-Both': 'task', 'x-task': 'yes' },
        QueryParameters: { 'ids.$': '$.ids' },
        RequestBody: { 'name.$': '$.name' },
      }),
      { ids: ['1', '2'], name: 'Jane' },
    );
    expect(status).toBe('SUCCEEDED');
    expect(output).toMatchObject({ StatusCode: 200, StatusText: 'OK', ResponseBody: { ok: true } });
    expect(output.Headers).toMatchObject({ 'content-type': ['application/json'], 'x-own': ['a', 'b'] });
    expect(seen).toHaveLength(1);
    const { method, url, headers, body } = seen[0]!;
    expect([method, url]).toEqual(['POST', '/customers?ids=1%2C2&tenant=t1']);
    expect(JSON.parse(body)).toEqual({ name: 'Jane', source: 'connection' });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Amazon|StepFunctions|HttpInvoke|us-east-1',
      'x-both': 'connection',
      'x-key': 'secret',
      'x-task': 'yes',
    });
  });

  test.each([
    ['INDICES', 'a%5B0%5D=1&a%5B1%5D=2&b%5Bc%5D=x&source=connection'],
    ['REPEAT', 'a=1&a=2&b%5Bc%5D=x&source=connection'],
    ['COMMAS', 'a=1%2C2&b%5Bc%5D=x&source=connection'],
    ['BRACKETS', 'a%5B%5D=1&a%5B%5D=2&b%5Bc%5D=x&source=connection'],
  ])('encodes a form with lists as %s', async (ArrayFormat, expected) => {
    await outcome(
      task({
        ApiEndpoint: base,
        Method: 'POST',
        RequestBody: { a: [1, 2], b: { c: 'x' } },
        Transform: { RequestBodyEncoding: 'URL_ENCODED', RequestEncodingOptions: { ArrayFormat } },
      }),
    );
    expect(seen[0]!.body).toBe(expected);
    expect(seen[0]!.headers['content-type']).toBe('application/x-www-form-urlencoded');
  });

  test('is retried by its rules, and fails by status', async () => {
    answers = [
      { status: 503, body: 'later', type: 'text/plain' },
      { status: 200, type: 'text/plain', body: 'done' },
    ];
    const get = { ApiEndpoint: base, Method: 'GET' };
    const retry = { Retry: [{ ErrorEquals: ['States.Http.StatusCode.503'], IntervalSeconds: 1, MaxAttempts: 2 }] };
    expect((await outcome(task(get, retry))).output.ResponseBody).toBe('done');
    expect(seen).toHaveLength(2);
    answers = [{ status: 404, body: '{"error":"none"}' }];
    expect(await outcome(task(get))).toMatchObject({
      status: 'FAILED',
      error: 'States.Http.StatusCode.404',
      cause: '{"error":"none"}',
    });
  });

  test('fails without a response, or for a response that is not text', async () => {
    const unreachable = await outcome(task({ ApiEndpoint: 'http://127.0.0.1:1/', Method: 'GET' }));
    expect(unreachable).toMatchObject({ status: 'FAILED', error: 'States.Http.Socket' });
    answers = [{ status: 200, type: 'image/png', body: 'x' }];
    const image = await outcome(task({ ApiEndpoint: base, Method: 'GET' }));
    expect(image).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
    expect(image.cause).toContain('image/png');
    const gone = {
      Authentication: { ConnectionArn: ConnectionArn.replace(/.$/, (last) => (last === '0' ? '1' : '0')) },
    };
    const unknown = await outcome(task({ ApiEndpoint: base, Method: 'GET', ...gone }));
    expect(unknown).toMatchObject({ status: 'FAILED', error: 'Events.ResourceNotFoundException' });
  });
});

test('a task calls a REST API, and fails by the status of its response', async () => {
  const api = new APIGateway(t.emulator.clientConfig());
  const { id: restApiId } = await api.createRestApi({ name: 'shop' });
  const { items } = await api.getResources({ restApiId });
  const resourceId = items![0]!.id;
  const method = { restApiId, resourceId, httpMethod: 'POST' };
  await api.putMethod({ ...method, authorizationType: 'NONE' });
  await api.putIntegration({
    ...method,
    type: 'MOCK',
    requestTemplates: { 'application/json': `{"statusCode": $input.json('$.status')}` },
  });
  for (const statusCode of ['200', '409']) {
    await api.putMethodResponse({ ...method, statusCode });
    await api.putIntegrationResponse({
      ...method,
      statusCode,
      ...(statusCode === '409' && { selectionPattern: '409' }),
      responseTemplates: { 'application/json': `{"q": "$input.params('q')", "status": ${statusCode}}` },
    });
  }
  await api.createDeployment({ restApiId, stageName: 'dev' });
  const call = {
    Resource: 'arn:aws:states:::apigateway:invoke',
    Parameters: {
      ApiEndpoint: `${restApiId}.execute-api.us-east-1.amazonaws.com`,
      Method: 'POST',
      Stage: 'dev',
      Path: '/',
      QueryParameters: { q: ['find'] },
      'RequestBody.$': '$',
    },
  };
  const answered = await outcome(task({}, call), { status: 200 });
  expect(answered.output).toMatchObject({ StatusCode: 200, ResponseBody: { q: 'find', status: 200 } });
  expect(await outcome(task({}, call), { status: 409 })).toMatchObject({ status: 'FAILED', error: 'ApiGateway.409' });
});

test('a task calls a REST API as its role', async () => {
  const api = new APIGateway(t.emulator.clientConfig());
  const { id: restApiId } = await api.createRestApi({ name: 'signed' });
  const { items } = await api.getResources({ restApiId });
  const method = { restApiId, resourceId: items![0]!.id, httpMethod: 'GET' };
  await api.putMethod({ ...method, authorizationType: 'AWS_IAM' });
  await api.putIntegration({
    ...method,
    type: 'MOCK',
    requestTemplates: { 'application/json': '{"statusCode": 200}' },
  });
  await api.putMethodResponse({ ...method, statusCode: '200' });
  await api.putIntegrationResponse({
    ...method,
    statusCode: '200',
    responseTemplates: { 'application/json': '{"caller": "$context.identity.userArn"}' },
  });
  await api.createDeployment({ restApiId, stageName: 'dev' });
  const ApiEndpoint = `${restApiId}.execute-api.us-east-1.amazonaws.com`;
  const call = (AuthType: string) => ({
    Resource: 'arn:aws:states:::apigateway:invoke',
    Parameters: { ApiEndpoint, Method: 'GET', Stage: 'dev', AuthType },
  });
  const role = /^arn:aws:sts::\d{12}:assumed-role\/[^/]+\/states$/;
  expect((await outcome(task({}, call('IAM_ROLE')))).output).toMatchObject({
    ResponseBody: { caller: expect.stringMatching(role) },
  });
  expect(await outcome(task({}, call('NO_AUTH')))).toMatchObject({ status: 'FAILED', error: 'ApiGateway.403' });
  expect(await outcome(task({}, call('NONE')))).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
});

test('a test of an HTTP task returns request and response, and secrets only if requested', async () => {
  const Headers = { 'x-own': 'h1' };
  const given = { ApiEndpoint: `${base}/orders`, Method: 'POST', Headers, RequestBody: { id: 1 } };
  const state = task({ ...given, QueryParameters: { page: '1' } }).States.T;
  const input = { definition: JSON.stringify(state), roleArn: ROLE, inspectionLevel: 'TRACE' } as const;
  const { inspectionData: hidden } = await t.sfn.testState(input);
  expect(hidden?.request).toMatchObject({
    protocol: 'http',
    method: 'POST',
    url: `${base}/orders?page=1`,
    headers: expect.stringContaining('x-own: h1, user-agent: Amazon|StepFunctions|HttpInvoke|us-east-1'),
    body: '{"id":1}',
  });
  expect(JSON.stringify(hidden)).not.toContain('secret');
  expect(hidden?.response).toMatchObject({ statusCode: '200', statusMessage: 'OK', body: '{"ok":true}' });
  expect(hidden?.response?.headers).toContain('x-own: a, x-own: b');

  const { inspectionData: shown } = await t.sfn.testState({ ...input, revealSecrets: true });
  expect(shown?.request).toMatchObject({
    url: `${base}/orders?page=1&tenant=t1`,
    headers: expect.stringContaining('x-key: secret'),
    body: '{"id":1,"source":"connection"}',
  });
  const mock = { result: '{}', fieldValidationMode: 'NONE' } as const;
  await expect(t.sfn.testState({ ...input, revealSecrets: true, mock })).rejects.toMatchObject({
    name: 'ValidationException',
    message: 'TestState does not support RevealSecrets when a mock is specified.',
  });
});

// https://docs.aws.amazon.com/step-functions/latest/dg/call-https-apis.html
test.each(['Authorization', 'X-Amz-Date', 'x-forwarded-for'])(
  'an HTTP task must not set the header %s',
  async (name) => {
    const state = task({ ApiEndpoint: base, Method: 'GET', Headers: { [name]: 'x' } });
    expect(await outcome(state)).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
    expect(seen).toEqual([]);
  },
);
