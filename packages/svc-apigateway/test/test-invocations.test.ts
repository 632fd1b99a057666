import { APIGateway } from '@aws-sdk/client-api-gateway';
import { createTestEmulator, fakeService, type TestEmulator } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manifest } from '../src/manifest.ts';
import { errorOf, mockApi } from './support.ts';

const ACCOUNT = '123456789012';
const FUNCTION = `arn:aws:lambda:us-east-1:${ACCOUNT}:function:f`;
const URI = `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${FUNCTION}/invocations`;

let emulator: TestEmulator;
let api: APIGateway;
let answer: { payload: string; failed?: boolean };

beforeAll(async () => {
  const lambda = fakeService('lambda', {
    Invoke: () => ({
      StatusCode: 200,
      Payload: Buffer.from(answer.payload),
      ...(answer.failed && { FunctionError: 'Unhandled' }),
    }),
  });
  emulator = await createTestEmulator({ manifests: [manifest, lambda] });
  emulator.kernel.clock.freeze();
  api = new APIGateway({ ...emulator.clientConfig(), maxAttempts: 1 });
});
afterAll(() => emulator.close());

/** Returns the lines of a log without times. */
const linesOf = (log: string | undefined): string[] =>
  log!
    .split('\n')
    .slice(1, -1)
    .map((line) => line.replace(/^\w{3} \w{3} \d\d \d\d:\d\d:\d\d UTC \d{4} : /, ''));

async function onFunction(part: string, method: object = {}) {
  const { id: restApiId, rootResourceId: parentId } = await api.createRestApi({ name: 'tested' });
  const { id: resourceId } = await api.createResource({ restApiId, parentId, pathPart: part });
  const place = { restApiId, resourceId, httpMethod: 'POST' };
  await api.putMethod({ ...place, authorizationType: 'NONE', ...method });
  await api.putIntegration({ ...place, type: 'AWS_PROXY', uri: URI, integrationHttpMethod: 'POST' });
  return place;
}

// Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/how-to-test-method.html
describe('a test of a method', () => {
  it("returns a function's response with a log of every step", async () => {
    const place = await onFunction('{id}');
    answer = { payload: JSON.stringify({ statusCode: 201, headers: { a: 'b' }, body: 'text' }) };
    const tested = await api.testInvokeMethod({
      ...place,
      pathWithQueryString: '/7?q=1',
      headers: { Accept: 'x' },
      multiValueHeaders: { Many: ['1', '2'] },
      body: 'sent',
      stageVariables: { v: '1' },
    });
    expect(tested).toMatchObject({ status: 201, body: 'text', latency: 0 });
    expect(tested.headers).toMatchObject({ a: 'b', 'Content-Type': 'application/json' });
    expect(tested.multiValueHeaders).toMatchObject({ a: ['b'] });
    expect(tested.log).toMatch(/^Execution log for request [0-9a-f-]{36}\n/);
    const invocation = `https://lambda.us-east-1.amazonaws.com/2015-03-31/functions/${FUNCTION}/invocations`;
    expect(linesOf(tested.log)).toEqual([
      expect.stringMatching(/^Starting execution for request: [0-9a-f-]{36}$/),
      'HTTP Method: POST, Resource Path: /7',
      'Method request path: {id=7}',
      'Method request query string: {q=1}',
      'Method request headers: {Accept=x, Many=1,2}',
      'Method request body before transformations: sent',
      `Endpoint request URI: ${invocation}`,
      expect.stringMatching(
        /^Endpoint request headers: \{x-amzn-lambda-integration-tag=[0-9a-f-]{36}, .*X-Amz-Source-Arn=/,
      ),
      expect.stringMatching(/^Endpoint request body after transformations: \{"resource":"\/\{id\}","path":"\/7",/),
      `Sending request to ${invocation}`,
      'Received response. Status: 200, Integration latency: 0 ms',
      expect.stringMatching(/^Endpoint response headers: \{/),
      `Endpoint response body before transformations: ${answer.payload}`,
      'Method response body after transformations: text',
      expect.stringMatching(/^Method response headers: \{X-Amzn-Trace-Id=.*a=b/),
      'Successfully completed execution',
      'Method completed with status: 201',
    ]);
  });

  it.each([
    [
      'a function that fails',
      { payload: '{"errorMessage": "thrown"}', failed: true },
      'Lambda execution failed with status 200 due to customer function error: thrown',
    ],
    [
      'an invalid response',
      { payload: '"text"' },
      'Execution failed due to configuration error: Malformed Lambda proxy response',
    ],
  ])('reports errors of %s', async (_what, given, line) => {
    const place = await onFunction('p');
    answer = given;
    const tested = await api.testInvokeMethod(place);
    expect([tested.status, tested.body]).toEqual([502, '{"message":"Internal server error"}']);
    expect(linesOf(tested.log).slice(-2)).toEqual([expect.stringContaining(line), 'Method completed with status: 502']);
  });

  it('uses the current API without authorizers, keys and rates', async () => {
    const place = await mockApi(api, {
      response: '$context.stage $stageVariables.v $context.identity.sourceIp $context.domainName',
      method: { authorizationType: 'AWS_IAM', apiKeyRequired: true },
    });
    const tested = await api.testInvokeMethod({ ...place, stageVariables: { v: '1' } });
    expect([tested.status, tested.body]).toEqual([
      200,
      'test-invoke-stage 1 test-invoke-source-ip testPrefix.testDomainName',
    ]);
  });

  it('validates the request', async () => {
    const place = await mockApi(api);
    const { id: requestValidatorId } = await api.createRequestValidator({
      restApiId: place.restApiId,
      name: 'v',
      validateRequestParameters: true,
    });
    await api.updateMethod({
      ...place,
      patchOperations: [
        { op: 'replace', path: '/requestValidatorId', value: requestValidatorId },
        { op: 'add', path: '/requestParameters/method.request.querystring.q', value: 'true' },
      ],
    });
    expect((await api.testInvokeMethod(place)).status).toBe(400);
    expect((await api.testInvokeMethod({ ...place, pathWithQueryString: '/pets?q=1' })).status).toBe(200);
  });

  it('rejects unknown resources', async () => {
    const place = await mockApi(api);
    for (const [more, message] of [
      [{ restApiId: 'none' }, 'Invalid Resource identifier specified'],
      [{ resourceId: 'none' }, 'Invalid Resource identifier specified'],
      [{ httpMethod: 'PUT' }, 'Invalid Method identifier specified'],
      [{ clientCertificateId: 'none' }, 'Invalid Client Certificate identifier specified'],
    ] as const)
      expect(await errorOf(api.testInvokeMethod({ ...place, ...more }))).toEqual(['NotFoundException', message]);
  });
});
