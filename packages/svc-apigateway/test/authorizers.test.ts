import { APIGateway, type CreateAuthorizerCommandInput } from '@aws-sdk/client-api-gateway';
import { createTestEmulator, fakeService, type TestEmulator } from '@emu/gateway/testing';
import { awsError } from '@emu/wire';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { manifest } from '../src/manifest.ts';
import { ask } from './support.ts';

const ACCOUNT = '123456789012';
const uriOf = (name: string): string =>
  `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/arn:aws:lambda:us-east-1:${ACCOUNT}:function:${name}/invocations`;

type Json = Record<string, unknown>;

let emulator: TestEmulator;
let api: APIGateway;
/** Events of the authorizer, and of the function behind the method. */
let asked: Json[];
let events: Json[];
/** Implementation of the authorizer. */
let decide: (event: Json) => unknown;

const policy = (Effect: string, Resource: unknown): Json => ({
  Version: '2012-10-17',
  Statement: [{ Effect, Action: 'execute-api:Invoke', Resource }],
});
const allow = (event: Json, more: Json = {}): Json => ({
  principalId: 'user',
  policyDocument: policy('Allow', event.methodArn),
  ...more,
});

beforeAll(async () => {
  const lambda = fakeService('lambda', {
    async Invoke({ FunctionName, Payload }) {
      const event = JSON.parse(Buffer.from(Payload as Uint8Array).toString()) as Json;
      const answer = (value: unknown, more: Json = {}) => ({
        StatusCode: 200,
        Payload: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
        ...more,
      });
      if (String(FunctionName).endsWith(':integration')) {
        events.push(event);
        return answer({ statusCode: 200, body: 'in' });
      }
      asked.push(event);
      try {
        return answer(await decide(event));
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'Error') throw error;
        return answer({ errorMessage: error.message }, { FunctionError: 'Unhandled' });
      }
    },
  });
  emulator = await createTestEmulator({ manifests: [manifest, lambda] });
  emulator.kernel.clock.freeze();
  api = new APIGateway({ ...emulator.clientConfig(), maxAttempts: 1 });
});
afterAll(() => emulator.close());
beforeEach(() => {
  asked = [];
  events = [];
  decide = allow;
});

/**
 * Creates an API whose methods `GET /a`, `POST /a` and `GET /b/{id}` use an authorizer, on the stages `dev` and `prod`.
 */
async function guarded(authorizer: Partial<CreateAuthorizerCommandInput> = {}) {
  const { id: restApiId, rootResourceId: parentId } = await api.createRestApi({ name: 'guarded' });
  const { id: authorizerId } = await api.createAuthorizer({
    restApiId,
    name: 'a',
    type: 'TOKEN',
    authorizerUri: uriOf('authorizer'),
    identitySource: 'method.request.header.Authorization',
    ...authorizer,
  });
  const { id: a } = await api.createResource({ restApiId, parentId, pathPart: 'a' });
  const { id: b } = await api.createResource({ restApiId, parentId, pathPart: 'b' });
  const { id: one } = await api.createResource({ restApiId, parentId: b, pathPart: '{id}' });
  for (const [resourceId, httpMethod] of [
    [a, 'GET'],
    [a, 'POST'],
    [one, 'GET'],
  ] as const) {
    const place = { restApiId, resourceId, httpMethod };
    await api.putMethod({ ...place, authorizationType: 'CUSTOM', authorizerId });
    await api.putIntegration({ ...place, type: 'AWS_PROXY', uri: uriOf('integration'), integrationHttpMethod: 'POST' });
  }
  const { id: deploymentId } = await api.createDeployment({ restApiId });
  for (const stageName of ['dev', 'prod'])
    await api.createStage({ restApiId, stageName, deploymentId, variables: { v: stageName } });
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    ask(emulator, { method, path: `/_aws/execute-api/${restApiId}/${path}`, headers });
  return { restApiId: restApiId!, authorizerId: authorizerId!, get };
}

const arn = (restApiId: string, rest: string) => `arn:aws:execute-api:us-east-1:${ACCOUNT}:${restApiId}/${rest}`;

describe.each(['TOKEN', 'REQUEST'] as const)('an authorizer of the type %s', (type) => {
  it.each<[what: string, answer: () => unknown, status: number, body: Json]>([
    [
      'throws Unauthorized',
      () => {
        throw new Error('Unauthorized');
      },
      401,
      { message: 'Unauthorized' },
    ],
    [
      'throws anything else',
      () => {
        throw new Error('unauthorized');
      },
      500,
      { message: null },
    ],
    [
      'may not be called',
      () => {
        throw awsError('AccessDeniedException', 'no', { status: 403 });
      },
      500,
      { message: null },
    ],
    [
      'is throttled',
      () => {
        throw awsError('TooManyRequestsException', 'Rate Exceeded.', { status: 429 });
      },
      500,
      { message: null },
    ],
    ['answers nothing', () => null, 500, { message: null }],
    ['answers a text', () => '"Allow"', 500, { message: null }],
    ['answers no JSON', () => '{', 500, { message: null }],
    ['names no principal', () => ({ policyDocument: policy('Allow', '*') }), 500, { message: null }],
    ['has no policy', () => ({ principalId: 'p' }), 500, { message: null }],
    [
      'has a policy without statements',
      () => ({ principalId: 'p', policyDocument: { Version: '2012-10-17' } }),
      500,
      { message: null },
    ],
    [
      'has a policy with an invalid effect',
      () => ({ principalId: 'p', policyDocument: policy('allow', '*') }),
      500,
      { message: null },
    ],
    [
      'has a policy without resources',
      () => ({ principalId: 'p', policyDocument: policy('Allow', undefined) }),
      500,
      { message: null },
    ],
    [
      'has an object in its context',
      () => ({ principalId: 'p', policyDocument: policy('Allow', '*'), context: { a: { b: 1 } } }),
      500,
      { message: null },
    ],
    [
      'allows something else',
      () => ({ principalId: 'p', policyDocument: policy('Allow', 'arn:aws:execute-api:us-east-1:1:x/*') }),
      403,
      { Message: 'User is not authorized to access this resource' },
    ],
    [
      'denies something else, and allows nothing',
      () => ({ principalId: 'p', policyDocument: policy('Deny', 'arn:aws:execute-api:us-east-1:1:x/*') }),
      403,
      { Message: 'User is not authorized to access this resource' },
    ],
    [
      'denies',
      () => ({ principalId: 'p', policyDocument: policy('Deny', '*') }),
      403,
      { Message: 'User is not authorized to access this resource with an explicit deny' },
    ],
  ])('that %s denies access', async (_what, answer, status, body) => {
    decide = answer;
    const { get } = await guarded({ type });
    const got = await get('dev/a', { Authorization: 'token' });
    expect([got.status, got.json, events]).toEqual([status, body, []]);
    expect(asked).toHaveLength(1);
  });

  it('is invoked once within its TTL per token, authorizer and stage', async () => {
    decide = () => ({ principalId: 'p', policyDocument: policy('Allow', '*') });
    const { get, restApiId } = await guarded({ type, authorizerResultTtlInSeconds: 60 });
    const status = async (path: string, token: string) => (await get(path, { Authorization: token })).status;
    expect([await status('dev/a', 'one'), await status('dev/b/7', 'one'), asked.length]).toEqual([200, 200, 1]);
    await status('dev/a', 'two');
    expect(asked).toHaveLength(2);
    await status('prod/a', 'one');
    expect(asked).toHaveLength(3);
    await emulator.kernel.clock.advance(59_999);
    await status('dev/a', 'one');
    expect(asked).toHaveLength(3);
    await emulator.kernel.clock.advance(1);
    await status('dev/a', 'one');
    expect(asked).toHaveLength(4);
    await api.flushStageAuthorizersCache({ restApiId, stageName: 'prod' });
    await status('dev/a', 'one');
    expect(asked).toHaveLength(4);
    await api.flushStageAuthorizersCache({ restApiId, stageName: 'dev' });
    await status('dev/a', 'one');
    expect(asked).toHaveLength(5);
    const other = await guarded({ type, authorizerResultTtlInSeconds: 60 });
    await other.get('dev/a', { Authorization: 'one' });
    expect(asked).toHaveLength(6);
  });

  it('has its cached policy evaluated for each method', async () => {
    const { get, restApiId } = await guarded({ type });
    decide = () => ({
      principalId: 'p',
      policyDocument: policy('Allow', [arn(restApiId, 'dev/GET/a'), arn(restApiId, '*/GET/b/1?')]),
    });
    const status = async (path: string, method?: string) => (await get(path, { Authorization: 't' }, method)).status;
    expect(await status('dev/a')).toBe(200);
    expect([await status('dev/a', 'POST'), await status('dev/b/7'), await status('dev/b/17')]).toEqual([403, 403, 200]);
    expect(asked).toHaveLength(1);
    expect([await status('prod/a'), await status('prod/b/17'), asked.length]).toEqual([403, 200, 2]);
  });

  it('is invoked each time without a cache', async () => {
    const { get } = await guarded({ type, authorizerResultTtlInSeconds: 0 });
    for (const times of [1, 2]) {
      expect((await get('dev/a', { Authorization: 't' })).status).toBe(200);
      expect(asked).toHaveLength(times);
    }
  });

  it('passes its context as text, its principal and its latency to the function', async () => {
    decide = (event) => allow(event, { context: { text: 'a', number: 1.5, flag: false, nothing: null } });
    const { get } = await guarded({ type });
    await get('dev/a', { Authorization: 't' });
    expect((events[0]!.requestContext as Json).authorizer).toEqual({
      text: 'a',
      number: '1.5',
      flag: 'false',
      principalId: 'user',
      integrationLatency: 0,
    });
  });

  it('is not invoked if its identity source is missing', async () => {
    const { get } = await guarded({ type });
    for (const headers of [{}, { Authorization: '' }]) {
      const { status, json, headers: told } = await get('dev/a', headers as Record<string, string>);
      expect([status, json, told['x-amzn-errortype']]).toEqual([
        401,
        { message: 'Unauthorized' },
        'UnauthorizedException',
      ]);
    }
    expect(asked).toEqual([]);
  });
});

it('a TOKEN authorizer receives the token and the method', async () => {
  const { get, restApiId } = await guarded();
  await get('dev/b/7', { Authorization: 'the token' });
  expect(asked).toEqual([{ type: 'TOKEN', methodArn: arn(restApiId, 'dev/GET/b/7'), authorizationToken: 'the token' }]);
});

// Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-input.html
it('a REQUEST authorizer receives the whole request', async () => {
  const { get, restApiId } = await guarded({ type: 'REQUEST', identitySource: 'method.request.querystring.q' });
  await get('dev/b/7?q=1&q=2', { 'X-Own': 'o' });
  expect(asked).toEqual([
    {
      type: 'REQUEST',
      methodArn: arn(restApiId, 'dev/GET/b/7'),
      resource: '/b/{id}',
      path: '/b/7',
      httpMethod: 'GET',
      headers: expect.objectContaining({ 'X-Own': 'o', 'X-Forwarded-For': '127.0.0.1', 'X-Forwarded-Proto': 'http' }),
      multiValueHeaders: expect.objectContaining({ 'X-Own': ['o'] }),
      queryStringParameters: { q: '2' },
      multiValueQueryStringParameters: { q: ['1', '2'] },
      pathParameters: { id: '7' },
      stageVariables: { v: 'dev' },
      requestContext: expect.objectContaining({
        resourcePath: '/b/{id}',
        stage: 'dev',
        apiId: restApiId,
        path: '/dev/b/7',
      }),
    },
  ]);
});

it('a REQUEST authorizer requires all identity sources and includes them in the cache key', async () => {
  const { get } = await guarded({
    type: 'REQUEST',
    identitySource: 'method.request.header.H, method.request.querystring.q,stageVariables.v,context.httpMethod',
  });
  decide = () => ({ principalId: 'p', policyDocument: policy('Allow', '*') });
  const status = async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    (await get(path, headers, method)).status;
  expect([await status('dev/a', { H: '1' }), await status('dev/a?q=1'), asked.length]).toEqual([401, 401, 0]);
  expect([await status('dev/a?q=1', { H: '1' }), await status('dev/b/1?q=1', { h: '1' }), asked.length]).toEqual([
    200, 200, 1,
  ]);
  await status('dev/a?q=2', { H: '1' });
  await status('dev/a?q=1', { H: '2' });
  await status('dev/a?q=1', { H: '1' }, 'POST');
  expect(asked).toHaveLength(4);
});

it('a REQUEST authorizer without cache is also invoked without identity sources', async () => {
  const { get } = await guarded({ type: 'REQUEST', authorizerResultTtlInSeconds: 0 });
  expect([(await get('dev/a')).status, asked.length]).toEqual([200, 1]);
});

it("uses the authorizer's usage identifier key as API key if configured", async () => {
  const { get, restApiId } = await guarded();
  const resources = (await api.getResources({ restApiId })).items!;
  const place = { restApiId, resourceId: resources.find(({ path }) => path === '/a')!.id, httpMethod: 'GET' };
  await api.updateMethod({ ...place, patchOperations: [{ op: 'replace', path: '/apiKeyRequired', value: 'true' }] });
  await api.updateRestApi({
    restApiId,
    patchOperations: [{ op: 'replace', path: '/apiKeySource', value: 'AUTHORIZER' }],
  });
  await api.createDeployment({ restApiId, stageName: 'dev' });
  const { id: keyId, value } = await api.createApiKey({ name: 'k', enabled: true });
  const { id: usagePlanId } = await api.createUsagePlan({
    name: 'p',
    apiStages: [{ apiId: restApiId, stage: 'dev' }],
  });
  await api.createUsagePlanKey({ usagePlanId, keyId, keyType: 'API_KEY' });
  expect((await get('dev/a', { Authorization: 't', 'x-api-key': value! })).status).toBe(403);
  decide = (event) => allow(event, { usageIdentifierKey: value });
  expect((await get('dev/a', { Authorization: 'u' })).status).toBe(200);
  expect((events[0]!.requestContext as { identity: Json }).identity).toMatchObject({ apiKey: value, apiKeyId: keyId });
});

it('stage variables select the function of an authorizer', async () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a stage variable
  const { get } = await guarded({ authorizerUri: uriOf('authorizer-${stageVariables.v}') });
  expect([(await get('dev/a', { Authorization: 't' })).status, asked.length]).toEqual([200, 1]);
});

describe('a test of an authorizer', () => {
  it("returns its function's response and the errors of real requests", async () => {
    const { restApiId, authorizerId } = await guarded({ identityValidationExpression: 'key-\\d' });
    const test = (headers: Record<string, string>) => api.testInvokeAuthorizer({ restApiId, authorizerId, headers });
    decide = (event) => allow(event, { context: { a: 1 } });
    expect(await test({ Authorization: 'key-1' })).toMatchObject({
      clientStatus: 0,
      principalId: 'user',
      authorization: { a: ['1'] },
    });
    expect((await test({ Authorization: 'other' })).clientStatus).toBe(401);
    expect((await test({})).clientStatus).toBe(401);
    expect(asked).toHaveLength(1);
    decide = () => ({});
    const broken = await test({ Authorization: 'key-1' });
    expect([broken.clientStatus, broken.log]).toEqual([
      500,
      expect.stringContaining(
        'Execution failed due to configuration error: Invalid JSON in response of the authorizer',
      ),
    ]);
  });
});
