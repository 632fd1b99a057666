import { gunzipSync } from 'node:zlib';
import type * as sdk from '@aws-sdk/client-api-gateway';
import { APIGateway } from '@aws-sdk/client-api-gateway';
import { createTestEmulator, fakeService, sendRaw, type TestEmulator } from '@emu/gateway/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { manifest } from '../src/manifest.ts';
import { ask, mockApi } from './support.ts';

const FUNCTION = 'arn:aws:lambda:us-east-1:123456789012:function:f';
const FUNCTION_URI = `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${FUNCTION}/invocations`;
const GIF = Buffer.from([0x47, 0x49, 0x46, 0xff, 0x00]);

interface Invocation {
  type: unknown;
  event: Record<string, never>;
}

let emulator: TestEmulator;
let api: APIGateway;
/** Recorded invocations of the function. */
let invocations: Invocation[];
/** Handler of the function. */
let handler: (event: Record<string, unknown>) => unknown;

beforeAll(async () => {
  const lambda = fakeService('lambda', {
    async Invoke({ Payload, InvocationType }) {
      const event = JSON.parse(Buffer.from(Payload as Uint8Array).toString());
      invocations.push({ type: InvocationType, event });
      return { StatusCode: 200, Payload: Buffer.from(JSON.stringify((await handler(event)) ?? null)) };
    },
  });
  emulator = await createTestEmulator({ manifests: [manifest, lambda] });
  emulator.kernel.clock.freeze();
  api = new APIGateway({ ...emulator.clientConfig(), maxAttempts: 1 });
});
afterAll(() => emulator.close());
beforeEach(() => {
  invocations = [];
  handler = () => ({ statusCode: 200, body: 'ok' });
});

/** Creates an API with `ANY /f` on the function, deployed to `dev`. */
async function functionApi(
  integration: Partial<sdk.PutIntegrationCommandInput> = {},
  { binary = [] as string[], method = {} as Partial<sdk.PutMethodCommandInput>, responses = [] as object[] } = {},
): Promise<string> {
  const { id: restApiId, rootResourceId } = await api.createRestApi({ name: 'limits', binaryMediaTypes: binary });
  const { id: resourceId } = await api.createResource({ restApiId, parentId: rootResourceId, pathPart: 'f' });
  const place = { restApiId, resourceId, httpMethod: 'ANY' };
  const authorizer = method.authorizationType === 'CUSTOM' ? await tokenAuthorizer(restApiId!) : {};
  await api.putMethod({ ...place, authorizationType: 'NONE', ...method, ...authorizer });
  const proxy = { type: 'AWS_PROXY', uri: FUNCTION_URI, integrationHttpMethod: 'POST' } as const;
  await api.putIntegration({ ...place, ...proxy, ...integration });
  for (const response of responses) {
    await api.putMethodResponse({ ...place, statusCode: '200' });
    await api.putIntegrationResponse({ ...place, statusCode: '200', ...response });
  }
  await api.createDeployment({ restApiId, stageName: 'dev' });
  return restApiId!;
}

async function tokenAuthorizer(restApiId: string): Promise<{ authorizerId: string }> {
  const { id } = await api.createAuthorizer({
    restApiId,
    name: 'token',
    type: 'TOKEN',
    authorizerUri: FUNCTION_URI,
    identitySource: 'method.request.header.Authorization',
    identityValidationExpression: 'key-\\d+',
    authorizerResultTtlInSeconds: 0,
  });
  return { authorizerId: id! };
}

const pathOf = (restApiId: string): string => `/_aws/execute-api/${restApiId}/dev/f`;

describe('limits of REST APIs', () => {
  it('a body above 10 MB is rejected before the function', async () => {
    const path = pathOf(await functionApi());
    const answer = await ask(emulator, { method: 'POST', path, body: Buffer.alloc(10 * 1024 * 1024 + 1) });
    expect([answer.status, answer.json]).toEqual([
      413,
      { message: `HTTP content length exceeded ${10 * 1024 * 1024} bytes.` },
    ]);
    expect(invocations).toEqual([]);
  });

  it('a function slower than the integration timeout results in 504', async () => {
    let end = (): void => undefined;
    handler = () =>
      new Promise<void>((resolve) => {
        end = resolve;
      });
    const path = pathOf(await functionApi({ timeoutInMillis: 1000 }));
    const answer = ask(emulator, { path });
    await expect.poll(() => invocations.length).toBe(1);
    await emulator.kernel.clock.advance(999);
    expect(await Promise.race([answer, 'still waiting'])).toBe('still waiting');
    await emulator.kernel.clock.advance(1);
    expect(await answer).toMatchObject({ status: 504, json: { message: 'Endpoint request timed out' } });
    end();
  });

  it('responses above the threshold are compressed for clients that accept it', async () => {
    const { restApiId } = await mockApi(api, { response: JSON.stringify({ text: 'x'.repeat(200) }) });
    const patchOperations = [{ op: 'replace', path: '/minimumCompressionSize', value: '100' }] as const;
    await api.updateRestApi({ restApiId, patchOperations: [...patchOperations] });
    await api.createDeployment({ restApiId, stageName: 'dev' });
    const target = `/_aws/execute-api/${restApiId}/dev/pets`;
    const packed = await sendRaw(emulator, { method: 'GET', target, headers: { 'accept-encoding': 'gzip' } });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(packed.bytes).toString()).text).toHaveLength(200);
    expect((await sendRaw(emulator, { method: 'GET', target })).headers).not.toHaveProperty('content-encoding');
  });
});

describe('functions', () => {
  it('are called asynchronously with invocation type Event', async () => {
    const restApiId = await functionApi(
      { type: 'AWS', requestParameters: { 'integration.request.header.X-Amz-Invocation-Type': "'Event'" } },
      { responses: [{ responseTemplates: { 'application/json': '{"accepted": true}' } }] },
    );
    const answer = await ask(emulator, { method: 'POST', path: pathOf(restApiId), body: '{"a": 1}' });
    expect([answer.status, answer.json]).toEqual([200, { accepted: true }]);
    expect(invocations).toEqual([{ type: 'Event', event: { a: 1 } }]);
  });

  it('receive and return binary bodies as base64 or text, depending on content handling', async () => {
    handler = (event) => event;
    const requestTemplates = { 'image/gif': '{"picture": "$input.body"}' };
    const restApiId = await functionApi(
      { type: 'AWS', contentHandling: 'CONVERT_TO_TEXT', requestTemplates },
      {
        binary: ['image/gif'],
        responses: [
          {
            contentHandling: 'CONVERT_TO_BINARY',
            responseTemplates: { 'application/json': "$input.path('$.picture')" },
          },
        ],
      },
    );
    const headers = { 'content-type': 'image/gif', accept: 'image/gif', 'content-length': String(GIF.length) };
    const request = { method: 'POST', target: pathOf(restApiId), headers, chunks: [GIF] };
    const answer = await sendRaw(emulator, request);
    expect(invocations[0]!.event).toEqual({ picture: GIF.toString('base64') });
    expect([answer.status, answer.bytes]).toEqual([200, GIF]);
  });

  it('authorize only tokens that match their validation expression', async () => {
    handler = ({ type, methodArn }) =>
      type === 'TOKEN'
        ? {
            principalId: 'p',
            policyDocument: {
              Version: '2012-10-17',
              Statement: [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource: methodArn }],
            },
          }
        : { statusCode: 200, body: 'in' };
    const path = pathOf(await functionApi({}, { method: { authorizationType: 'CUSTOM' } }));
    expect((await ask(emulator, { path, headers: { Authorization: 'key-1' } })).text).toBe('in');
    expect(invocations).toHaveLength(2);
    const refused = await ask(emulator, { path, headers: { Authorization: 'other' } });
    expect([refused.status, refused.json]).toEqual([401, { message: 'Unauthorized' }]);
    expect(invocations).toHaveLength(2);
  });
});

it('templates that fail or do not terminate are configuration errors', async () => {
  for (const request of [
    '#if(',
    '#set($x = "a")#foreach($i in [1..100000])#set($x = $x + $x)#end$x',
    '$util.parseJson("{")',
  ]) {
    const { restApiId } = await mockApi(api, { request });
    await api.createDeployment({ restApiId, stageName: 'dev' });
    const answer = await ask(emulator, { path: `/_aws/execute-api/${restApiId}/dev/pets` });
    expect([answer.status, answer.json]).toEqual([500, { message: 'Internal server error' }]);
  }
});

it('a request template overrides the response, as recorded from AWS', async () => {
  const request =
    '#set($context.responseOverride.status = 444)#set($context.responseOverride.header.foo = "bar"){"statusCode": 200}';
  for (const [response, text] of [
    ['{"status": "$context.responseOverride.status"}', '{"status": "444"}'],
    ['', ''],
  ] as const) {
    const { restApiId } = await mockApi(api, { request, response });
    await api.createDeployment({ restApiId, stageName: 'dev' });
    const answer = await ask(emulator, { path: `/_aws/execute-api/${restApiId}/dev/pets` });
    expect([answer.status, answer.headers.foo, answer.text]).toEqual([444, 'bar', text]);
  }
});
