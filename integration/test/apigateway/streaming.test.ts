import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { APIGateway, type PutIntegrationCommandInput } from '@aws-sdk/client-api-gateway';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { Lambda } from '@aws-sdk/client-lambda';
import { createTestEmulator, type TestEmulator, zipOf } from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as lambdaManifest } from '@emu/svc-lambda/manifest';
import { manifest as logsManifest } from '@emu/svc-logs/manifest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** @see https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode-lambda.html */
const CODE = `
exports.handler = awslambda.streamifyResponse(async (event, stream) => {
  const { how } = event.queryStringParameters ?? {};
  if (how === 'crash') throw new Error('crash');
  if (how === 'bare') { stream.write('no description'); stream.end(); return; }
  const described = { statusCode: 201, headers: { 'X-One': 'a', 'Content-Type': 'text/event-stream' },
    multiValueHeaders: { 'X-Two': ['b', 'c'] }, cookies: ['k=v', 'l=w'] };
  stream.write(JSON.stringify(how === 'wrong' ? { statusCode: 'x' } : described) + '\\0'.repeat(8) + 'one ');
  stream.write('two ' + event.httpMethod + ' ' + event.path);
  stream.end();
});`;
const ROLE = 'arn:aws:iam::123456789012:role/any';

let emulator: TestEmulator;
let api: APIGateway;
let server: Server;
let functionUri: string;
let endpoint: string;
/** The endpoint's response in progress. */
let running: ServerResponse;

beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: [apigateway, lambdaManifest, logsManifest] });
  const config = emulator.clientConfig();
  api = new APIGateway(config);
  const { FunctionArn } = await new Lambda(config).createFunction({
    FunctionName: 'streams',
    Runtime: 'nodejs20.x',
    Role: ROLE,
    Handler: 'index.handler',
    Code: { ZipFile: zipOf({ 'index.js': CODE }) },
  });
  functionUri = `arn:aws:apigateway:us-east-1:lambda:path/2021-11-15/functions/${FunctionArn}/response-streaming-invocations`;
  server = createServer((request, response) => {
    running = response;
    response.writeHead(202, { 'content-type': 'text/plain', server: 'test' });
    response.write('begun ');
    if (request.url === '/whole') response.end('ended');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await emulator.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

type Integration = Partial<PutIntegrationCommandInput> & Pick<PutIntegrationCommandInput, 'type'>;

async function make(integration: Integration): Promise<{ restApiId: string; resourceId: string; httpMethod: string }> {
  const { id, rootResourceId } = await api.createRestApi({ name: 's', endpointConfiguration: { types: ['REGIONAL'] } });
  const place = { restApiId: id!, resourceId: rootResourceId!, httpMethod: 'GET' };
  await api.putMethod({ ...place, authorizationType: 'NONE' });
  await api.putIntegration({
    ...place,
    integrationHttpMethod: integration.type === 'AWS_PROXY' ? 'POST' : 'GET',
    responseTransferMode: 'STREAM',
    ...integration,
  });
  await api.createDeployment({ restApiId: id, stageName: 'dev' });
  return place;
}

async function ask(restApiId: string, query = '') {
  const host = `${restApiId}.execute-api.us-east-1.amazonaws.com`;
  return emulator.gateway.handle({
    method: 'GET',
    target: `/dev${query}`,
    headers: { host },
    body: { bytes: async () => new Uint8Array(), stream: async function* () {} },
    remoteAddress: '127.0.0.1',
    localPort: undefined,
    secure: false,
    signal: () => new AbortController().signal,
  });
}

/** Iterates over the chunks of a body as they arrive. */
async function* pieces(body: unknown): AsyncGenerator<string> {
  if (typeof body === 'string' || body instanceof Uint8Array) yield Buffer.from(body).toString();
  else for await (const piece of body as AsyncIterable<Uint8Array>) yield Buffer.from(piece).toString();
}

async function whole(body: unknown): Promise<string> {
  let text = '';
  for await (const piece of pieces(body)) text += piece;
  return text;
}

describe('a function with a streamed response', () => {
  it('describes its response before the delimiter, and streams the rest', async () => {
    const { restApiId } = await make({ type: 'AWS_PROXY', uri: functionUri });
    const { status, headers, body } = await ask(restApiId);
    expect(status).toBe(201);
    expect(headers).toMatchObject({
      'X-One': 'a',
      'X-Two': ['b', 'c'],
      'Content-Type': 'text/event-stream',
      'Set-Cookie': ['k=v', 'l=w'],
    });
    expect(typeof (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]).toBe('function');
    expect(await whole(body)).toBe('one two GET /');
  });

  it.each(['crash', 'bare', 'wrong'])('answers 502 if the function fails before it: %s', async (how) => {
    const { restApiId } = await make({ type: 'AWS_PROXY', uri: functionUri });
    const { status, body } = await ask(restApiId, `?how=${how}`);
    expect([status, await whole(body)]).toEqual([502, '{"message":"Internal server error"}']);
  });

  it('returns a complete response for a test invocation', async () => {
    const place = await make({ type: 'AWS_PROXY', uri: functionUri });
    expect(await api.testInvokeMethod(place)).toMatchObject({ status: 201, body: 'one two GET /' });
  });
});

describe('an endpoint with a streamed response', () => {
  it('reaches the client while it is being sent', async () => {
    const { restApiId } = await make({ type: 'HTTP_PROXY', uri: endpoint });
    const { status, headers, body } = await ask(restApiId);
    expect([status, headers['x-amzn-Remapped-server']]).toEqual([202, 'test']);
    const read = pieces(body);
    expect((await read.next()).value).toBe('begun ');
    running.write('more');
    expect((await read.next()).value).toBe('more');
    running.end();
    expect((await read.next()).done).toBe(true);
  });

  it('is aborted after five minutes without data', async () => {
    const { restApiId } = await make({ type: 'HTTP_PROXY', uri: endpoint });
    const read = pieces((await ask(restApiId)).body);
    await read.next();
    const closed = new Promise((resolve) => running.once('close', resolve));
    const next = expect(read.next()).rejects.toThrow('idle or open for too long');
    await new Promise((resolve) => setImmediate(resolve));
    await emulator.kernel.clock.advance(5 * 60_000);
    await next;
    await closed;
  });

  it('is logged with its length at the end', async () => {
    const { restApiId } = await make({ type: 'HTTP_PROXY', uri: `${endpoint}/whole` });
    const logs = new CloudWatchLogs(emulator.clientConfig());
    await logs.createLogGroup({ logGroupName: 'access' });
    await api.updateStage({
      restApiId,
      stageName: 'dev',
      patchOperations: [
        {
          op: 'replace',
          path: '/accessLogSettings/destinationArn',
          value: 'arn:aws:logs:us-east-1:123456789012:log-group:access',
        },
        {
          op: 'replace',
          path: '/accessLogSettings/format',
          value:
            '$context.requestId $context.status $context.responseLength $context.integration.responseTransferMode $context.integration.timeToAllHeaders $context.integration.timeToFirstContent $context.integrationLatency',
        },
      ],
    });
    expect(await whole((await ask(restApiId)).body)).toBe('begun ended');
    const { events } = await logs.filterLogEvents({ logGroupName: 'access' });
    expect(events?.map(({ message }) => message!.replace(/^\S+ /, ''))).toEqual([
      expect.stringMatching(/^202 11 STREAMED \d+ \d+ \d+$/),
    ]);
  });
});

describe('settings of streamed responses', () => {
  it.each([
    ['MOCK', {}, 'supported only for HTTP_PROXY and AWS_PROXY'],
    ['AWS_PROXY', { uri: 'invocations' }, 'must end with /response-streaming-invocations'],
    ['AWS_PROXY', { responseTransferMode: 'BUFFERED' as const }, 'unless its response transfer mode is STREAM'],
    ['HTTP_PROXY', { timeoutInMillis: 900_001 }, 'between 50 ms and 900000 ms'],
  ] as const)('are validated: %s %o', async (type, rest, message) => {
    const uri = type === 'HTTP_PROXY' ? endpoint : functionUri;
    const given = 'uri' in rest ? { uri: functionUri.replace(/[^/]+$/, rest.uri) } : { uri, ...rest };
    await expect(make({ type, ...given })).rejects.toMatchObject({
      name: 'BadRequestException',
      message: expect.stringContaining(message),
    });
  });

  it('accepts longer timeouts than others', async () => {
    const place = await make({ type: 'HTTP_PROXY', uri: endpoint, timeoutInMillis: 900_000 });
    expect(await api.getIntegration(place)).toMatchObject({ responseTransferMode: 'STREAM', timeoutInMillis: 900_000 });
  });
});
