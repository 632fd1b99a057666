import { APIGateway, type GatewayResponseType } from '@aws-sdk/client-api-gateway';
import { createTestEmulator, fakeService, type TestEmulator } from '@emu/gateway/testing';
import { awsError } from '@emu/wire';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { manifest } from '../src/manifest.ts';
import { ask } from './support.ts';

const ACCOUNT = '123456789012';
const uriOf = (name: string): string =>
  `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/arn:aws:lambda:us-east-1:${ACCOUNT}:function:${name}/invocations`;

let emulator: TestEmulator;
let api: APIGateway;
let restApiId: string;

beforeAll(async () => {
  const lambda = fakeService('lambda', {
    Invoke({ FunctionName }) {
      const name = String(FunctionName).split(':').at(-1)!;
      if (name === 'none') throw awsError('AccessDeniedException', 'no', { status: 403 });
      if (name === 'busy') throw awsError('TooManyRequestsException', 'Rate Exceeded.', { status: 429 });
      if (name === 'slow') return new Promise(() => undefined);
      const Statement = [{ Effect: 'Deny', Action: 'execute-api:Invoke', Resource: '*' }];
      const answers: Record<string, unknown> = {
        deny: { principalId: 'p', policyDocument: { Statement } },
        broken: {},
      };
      return { StatusCode: 200, Payload: Buffer.from(JSON.stringify(answers[name])) };
    },
  });
  emulator = await createTestEmulator({ manifests: [manifest, lambda] });
  api = new APIGateway({ ...emulator.clientConfig(), maxAttempts: 1 });
  await make();
});
afterAll(() => emulator.close());

/** Creates an API with a method for every kind of failure, deployed to `dev` and `other`. */
async function make(): Promise<void> {
  const { id, rootResourceId: parentId } = await api.createRestApi({ name: 'responses' });
  restApiId = id!;
  const validator = await api.createRequestValidator({
    restApiId,
    name: 'v',
    validateRequestBody: true,
    validateRequestParameters: true,
  });
  await api.createModel({ restApiId, name: 'M', contentType: 'application/json', schema: '{"type":"object"}' });
  const authorizer = async (name: string) => ({
    authorizationType: 'CUSTOM',
    authorizerId: (
      await api.createAuthorizer({
        restApiId,
        name,
        type: 'TOKEN',
        authorizerUri: uriOf(name),
        identitySource: 'method.request.header.Authorization',
      })
    ).id,
  });
  const mock = { type: 'MOCK', requestTemplates: { 'application/json': '{"statusCode": 200}' } };
  const proxy = (name: string) => ({ type: 'AWS_PROXY', uri: uriOf(name), integrationHttpMethod: 'POST' });
  const methods: Record<string, [method: object, integration: object]> = {
    denied: [await authorizer('deny'), mock],
    broken: [await authorizer('broken'), mock],
    busy: [await authorizer('busy'), mock],
    none: [{}, proxy('none')],
    slow: [{}, { ...proxy('slow'), timeoutInMillis: 50 }],
    gone: [{}, { type: 'HTTP_PROXY', uri: 'http://127.0.0.1:1/', integrationHttpMethod: 'GET' }],
    body: [{ requestValidatorId: validator.id, requestModels: { 'application/json': 'M' } }, mock],
    parameter: [
      { requestValidatorId: validator.id, requestParameters: { 'method.request.querystring.q': true } },
      mock,
    ],
    key: [{ apiKeyRequired: true }, mock],
    media: [{}, { ...mock, passthroughBehavior: 'NEVER' }],
    rate: [{}, mock],
    large: [{}, mock],
  };
  for (const [pathPart, [method, integration]] of Object.entries(methods)) {
    const { id: resourceId } = await api.createResource({ restApiId, parentId, pathPart });
    const place = { restApiId, resourceId, httpMethod: 'ANY' };
    await api.putMethod({ ...place, authorizationType: 'NONE', ...method });
    await api.putIntegration({ ...place, ...integration } as never);
  }
  const { id: deploymentId } = await api.createDeployment({ restApiId });
  await api.createStage({ restApiId, stageName: 'dev', deploymentId, variables: { v: 'var' } });
  await api.updateStage({
    restApiId,
    stageName: 'dev',
    patchOperations: ['burstLimit', 'rateLimit'].map((limit) => ({
      op: 'replace' as const,
      path: `/~1rate/ANY/throttling/${limit}`,
      value: '0',
    })),
  });
  const { id: usagePlanId } = await api.createUsagePlan({
    name: 'p',
    quota: { limit: 0, period: 'DAY' },
    apiStages: [{ apiId: restApiId, stage: 'dev' }],
  });
  const { id: keyId } = await api.createApiKey({ name: 'k', value: 'k'.repeat(20), enabled: true });
  await api.createUsagePlanKey({ usagePlanId, keyId, keyType: 'API_KEY' });
}

interface Case {
  type: GatewayResponseType;
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  status: number;
  json: object;
  errorType: string;
}

const internal = { message: 'Internal server error' };
// Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
const CASES: readonly Case[] = [
  {
    type: 'ACCESS_DENIED',
    path: 'denied',
    headers: { Authorization: 't' },
    status: 403,
    json: { Message: 'User is not authorized to access this resource with an explicit deny' },
    errorType: 'AccessDeniedException',
  },
  {
    type: 'API_CONFIGURATION_ERROR',
    path: 'none',
    status: 500,
    json: internal,
    errorType: 'InternalServerErrorException',
  },
  {
    type: 'AUTHORIZER_CONFIGURATION_ERROR',
    path: 'broken',
    headers: { Authorization: 't' },
    status: 500,
    json: { message: null },
    errorType: 'AuthorizerConfigurationException',
  },
  {
    type: 'AUTHORIZER_FAILURE',
    path: 'busy',
    headers: { Authorization: 't' },
    status: 500,
    json: { message: null },
    errorType: 'AuthorizerFailureException',
  },
  {
    type: 'BAD_REQUEST_BODY',
    path: 'body',
    method: 'POST',
    body: '[]',
    status: 400,
    json: { message: 'Invalid request body' },
    errorType: 'BadRequestException',
  },
  {
    type: 'BAD_REQUEST_PARAMETERS',
    path: 'parameter',
    status: 400,
    json: { message: 'Missing required request parameters: [q]' },
    errorType: 'BadRequestException',
  },
  {
    type: 'INTEGRATION_FAILURE',
    path: 'gone',
    status: 504,
    json: { message: 'Network error communicating with endpoint' },
    errorType: 'InternalServerErrorException',
  },
  {
    type: 'INTEGRATION_TIMEOUT',
    path: 'slow',
    status: 504,
    json: { message: 'Endpoint request timed out' },
    errorType: 'InternalServerErrorException',
  },
  {
    type: 'INVALID_API_KEY',
    path: 'key',
    status: 403,
    json: { message: 'Forbidden' },
    errorType: 'ForbiddenException',
  },
  {
    type: 'MISSING_AUTHENTICATION_TOKEN',
    path: 'nothing',
    status: 403,
    json: { message: 'Missing Authentication Token' },
    errorType: 'MissingAuthenticationTokenException',
  },
  {
    type: 'QUOTA_EXCEEDED',
    path: 'key',
    headers: { 'x-api-key': 'k'.repeat(20) },
    status: 429,
    json: { message: 'Limit Exceeded' },
    errorType: 'LimitExceededException',
  },
  {
    type: 'REQUEST_TOO_LARGE',
    path: 'large',
    method: 'POST',
    body: Buffer.alloc(10 * 1024 * 1024 + 1),
    status: 413,
    json: { message: 'HTTP content length exceeded 10485760 bytes.' },
    errorType: 'RequestTooLargeException',
  },
  {
    type: 'THROTTLED',
    path: 'rate',
    status: 429,
    json: { message: 'Too Many Requests' },
    errorType: 'TooManyRequestsException',
  },
  {
    type: 'UNAUTHORIZED',
    path: 'denied',
    status: 401,
    json: { message: 'Unauthorized' },
    errorType: 'UnauthorizedException',
  },
  {
    type: 'UNSUPPORTED_MEDIA_TYPE',
    path: 'media',
    method: 'POST',
    headers: { 'Content-Type': 'text/plain' },
    body: 'text',
    status: 415,
    json: { message: 'Unsupported Media Type' },
    errorType: 'BadRequestException',
  },
];

const send = async ({ path, method = 'GET', headers = {}, body }: Case, stage: string, more: object = {}) =>
  ask(emulator, {
    method,
    path: `/_aws/execute-api/${restApiId}/${stage}/${path}`,
    headers: { ...headers, ...more },
    ...(body !== undefined && { body }),
  });

it.each(CASES)('$type has AWS’s default response', async (one) => {
  const { status, json, headers } = await send(one, 'dev');
  expect([status, json, headers['x-amzn-errortype'], headers['content-type']]).toEqual([
    one.status,
    one.json,
    one.errorType,
    'application/json',
  ]);
});

it.each(CASES)('$type uses the configured response', async (one) => {
  const { type: responseType } = one;
  const text = '$context.error.responseType|$context.error.message|$stageVariables.v|$context.stage';
  await api.putGatewayResponse({
    restApiId,
    responseType,
    statusCode: '418',
    responseParameters: {
      'gatewayresponse.header.a': "'static'",
      'gatewayresponse.header.b': 'context.requestId',
      'gatewayresponse.header.c': 'method.request.header.x-c',
      'gatewayresponse.header.d': 'stageVariables.v',
    },
    responseTemplates: { 'application/json': text, 'text/plain': `plain ${text}` },
  });
  await api.createDeployment({ restApiId, stageName: 'dev' });
  const message = (Object.values(one.json)[0] as string | null) ?? '';
  const told = `${responseType}|${message}|var|dev`;
  const set = await send(one, 'dev', { 'x-c': 'c' });
  expect([set.status, set.text]).toEqual([418, told]);
  const { a, b, c, d, 'x-amzn-requestid': requestId } = set.headers;
  expect([a, b, c, d]).toEqual(['static', requestId, 'c', 'var']);
  const plain = await send(one, 'dev', { Accept: 'text/plain' });
  expect([plain.text, plain.headers['content-type']]).toEqual([`plain ${told}`, 'text/plain']);
  await api.deleteGatewayResponse({ restApiId, responseType });
  await api.createDeployment({ restApiId, stageName: 'dev' });
  expect((await send(one, 'dev')).status).toBe(one.status);
});

it('the responses for 4xx and 5xx apply to types without their own', async () => {
  const headers = (value: string) => ({ 'gatewayresponse.header.class': `'${value}'` });
  await api.putGatewayResponse({ restApiId, responseType: 'DEFAULT_4XX', responseParameters: headers('four') });
  await api.putGatewayResponse({
    restApiId,
    responseType: 'DEFAULT_5XX',
    statusCode: '599',
    responseParameters: headers('five'),
    responseTemplates: { 'application/json': '{"five": $context.error.messageString}' },
  });
  await api.createDeployment({ restApiId, stageName: 'dev' });
  for (const one of CASES) {
    const { status, headers: got, json } = await send(one, 'dev');
    const four = one.status < 500;
    expect([one.type, status, got.class]).toEqual([one.type, four ? one.status : 599, four ? 'four' : 'five']);
    if (!four) expect(json).toEqual({ five: Object.values(one.json)[0] });
  }
});
