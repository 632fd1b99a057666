import { APIGateway } from '@aws-sdk/client-api-gateway';
import { Lambda } from '@aws-sdk/client-lambda';
import { asRecorded, createTestEmulator, differences, type TestEmulator, zipOf } from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as lambdaManifest } from '@emu/svc-lambda/manifest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT, hasRecordings, recordedAnswers } from '../../../packages/svc-apigateway/test/recorded-answers.ts';

const CODE = `
exports.proxy = async (event) => {
  const { answer } = event.queryStringParameters ?? {};
  return answer ? JSON.parse(answer) : { statusCode: 200, body: JSON.stringify(event) };
};
exports.errors = async (event) => {
  if (event.statusCode === '400') throw new Error('Error: Raising four hundred from within the Lambda function');
  if (event.statusCode === '500') throw new Error('Error: Raising five hundred from within the Lambda function');
  return 'Pass';
};`;
const ROLE = `arn:aws:iam::${ACCOUNT}:role/any`;
/** Headers added by CloudFront distributions only. */
const OF_CLOUDFRONT = /^(?:CloudFront-.*|Via|X-Amz-Cf-Id)$/;

let emulator: TestEmulator;
let api: APIGateway;

beforeAll(async () => {
  if (!hasRecordings) return;
  emulator = await createTestEmulator({
    manifests: [apigateway, lambdaManifest],
    settings: { accountId: ACCOUNT },
  });
  const config = emulator.clientConfig();
  api = new APIGateway(config);
  const lambda = new Lambda(config);
  for (const name of ['proxy', 'errors'])
    await lambda.createFunction({
      FunctionName: name,
      Runtime: 'nodejs20.x',
      Role: ROLE,
      Handler: `index.${name}`,
      Code: { ZipFile: zipOf({ 'index.js': CODE }) },
    });
});
afterAll(() => emulator?.close());

const uriOf = (name: string): string =>
  `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/arn:aws:lambda:us-east-1:${ACCOUNT}:function:${name}/invocations`;

/** Creates a REST API whose paths call the function that returns its event. */
async function proxies(
  parts: readonly string[],
  more: { requestParameters?: Record<string, string> } = {},
): Promise<string> {
  const requestParameters = Object.fromEntries(
    Object.values(more.requestParameters ?? {}).map((source) => [source, false]),
  );
  const { id: restApiId, rootResourceId: parentId } = await api.createRestApi({ name: 'recorded' });
  for (const pathPart of parts) {
    const { id: resourceId } = await api.createResource({ restApiId, parentId, pathPart });
    const place = { restApiId, resourceId, httpMethod: 'ANY' };
    await api.putMethod({ ...place, authorizationType: 'NONE', requestParameters });
    await api.putIntegration({
      ...place,
      type: 'AWS_PROXY',
      integrationHttpMethod: 'POST',
      uri: uriOf('proxy'),
      ...more,
    });
  }
  await api.createDeployment({ restApiId, stageName: 'stage' });
  return restApiId!;
}

interface Sent {
  method?: string;
  headers?: readonly (readonly [string, string])[];
  body?: string;
}

/** Sends a request with the spelling of its headers preserved. */
async function send(restApiId: string, target: string, { method = 'GET', headers = [], body = '' }: Sent = {}) {
  const bytes = Buffer.from(body);
  const host = `${restApiId}.execute-api.us-east-1.amazonaws.com`;
  const all = [['Host', host] as const, ...headers];
  const answer = await emulator.gateway.handle({
    method,
    target,
    headers: Object.fromEntries([
      ...all.map(([name, value]) => [name.toLowerCase(), value]),
      ...(body ? [['content-length', String(bytes.length)]] : []),
    ]),
    rawHeaders: all.flat(),
    body: {
      bytes: async () => bytes,
      stream: async function* () {
        yield bytes;
      },
    },
    remoteAddress: '127.0.0.1',
    localPort: undefined,
    secure: true,
    signal: () => new AbortController().signal,
  });
  return {
    status: answer.status,
    headers: answer.headers,
    text: Buffer.from(answer.body as Uint8Array).toString(),
  };
}

type Json = Parameters<typeof differences>[0];

/** Returns an event without CloudFront's members, and without the values set by a proxy in front of the API. */
function comparable(event: Json): Json {
  const { headers, multiValueHeaders, ...rest } = event as Record<string, Record<string, Json>>;
  const own = (fields: Record<string, Json>): Json =>
    Object.fromEntries(
      Object.entries(fields)
        .filter(([name]) => !OF_CLOUDFRONT.test(name))
        .map(([name, value]) => [name, name.startsWith('X-Forwarded-') ? 'some' : value]),
    );
  return { ...(rest as Record<string, Json>), headers: own(headers!), multiValueHeaders: own(multiValueHeaders!) };
}

const CLIENT = [
  ['User-Agent', 'python-requests/testing'],
  ['Accept-Encoding', 'gzip, deflate'],
  ['Accept', '*/*'],
  ['Connection', 'keep-alive'],
] as const;

describe.skipIf(!hasRecordings)('recorded requests to stages', () => {
  it('events of proxy integrations have the recorded members', async () => {
    const recorded = recordedAnswers('test_lambda_aws_proxy_integration');
    const restApiId = await proxies(['{proxy+}', 'hardcoded']);
    const headers = [...CLIENT, ['tEsT-HEADeR', 'aValUE'], ['authorization', 'random-value']] as const;
    const query = [
      'dateTimeOffset=2023-06-12T18:05:10.123456+00:00',
      'email=test%2Balias@gmail.com',
      'plus=test+alias@gmail.com',
      'url=https://www.google.com/',
      'whitespace=foo%20bar',
      'zhash=abort/',
    ].join('&');
    const targets = {
      'without-trailing-slash': '/stage/proxy-value',
      'with-trailing-slash': '/stage/proxy-value/',
      'with-double-slash': '/stage/proxy-value//double-slash',
      'with-prepended-slash-to-stage': '//stage/proxy-value',
      'with-prepended-slash': '/stage//proxy-value',
      'without-trailing-slash-and-query-params': '/stage/proxy-value?urlparam=test',
      'with-trailing-slash-and-query-params': '/stage/proxy-value/?urlparam=test',
      'with-path-encoded-email': '/stage/proxy-value/api/user/test%2Balias@gmail.com/plus/test+alias@gmail.com',
      'with-params-encoding': `/stage/proxy-value/api?${query}`,
    };
    const found: string[] = [];
    const known = new Map<string, string>();
    const compare = (name: string, text: string): void => {
      found.push(...differences(comparable(recorded[name]!), comparable(JSON.parse(text) as Json), known, name));
    };
    for (const [name, target] of Object.entries(targets))
      compare(`invocation-payload-${name}`, (await send(restApiId, target, { headers })).text);
    const posted = await send(
      restApiId,
      '/stage/proxy-value?category=electronics&category=books&price=10&price=20&price=30',
      {
        method: 'POST',
        headers: [
          ...CLIENT,
          ['Content-Type', 'application/json;charset=utf-8'],
          ['aUThorization', 'Bearer token123;API key456'],
        ],
        body: '{"message": "hello world"}',
      },
    );
    compare('invocation-payload-with-params-encoding-multi', posted.text);
    // The last request matches another resource.
    known.delete('<resource-id:1>');
    compare('invocation-hardcoded', (await send(restApiId, '/stage//hardcoded', { headers })).text);
    expect(found).toEqual([]);
  });

  it('events exclude parameters that the integration maps', async () => {
    const recorded = recordedAnswers('test_lambda_aws_proxy_integration_request_data_mapping');
    const restApiId = await proxies(['{pathVariable}'], {
      requestParameters: {
        'integration.request.header.headerVar': 'method.request.header.foobar',
        'integration.request.path.qsVar': 'method.request.querystring.testVar',
        'integration.request.querystring.testQs': 'method.request.querystring.testQueryString',
      },
    });
    const { text } = await send(restApiId, '/stage/foobar?testQueryString=foo&testVar=bar', {
      method: 'POST',
      headers: [
        ['Content-Type', 'application/json'],
        ['Accept', 'application/json'],
        ['Accept-Encoding', 'gzip, deflate'],
        ['User-Agent', 'test/integration'],
        ['foobar', 'mapped-value'],
        ['headerVar', 'request-value'],
      ],
      body: '{"message": "hello world"}',
    });
    const { content } = recorded['http-proxy-invocation-data-mapping'] as { content: Json };
    const theirs = JSON.parse(
      JSON.stringify(content).replaceAll('/test/foobar', '/stage/foobar').replace('"stage":"test"', '"stage":"stage"'),
    ) as Json;
    expect(differences(comparable(theirs), comparable(JSON.parse(text) as Json), new Map())).toEqual([]);
  });

  it('responses of functions are accepted or rejected as recorded', async () => {
    const recorded = recordedAnswers('test_aws_proxy_response_payload_format_validation');
    const restApiId = await proxies(['{proxy+}']);
    const answers: Readonly<Record<string, unknown>> = {
      'no-body': { statusCode: 200 },
      'with-headers': { statusCode: 200, headers: { 'test-header': 'value', 'header-bool': true } },
      'with-headers-null': { statusCode: 200, headers: { 'test-header': null } },
      'wrong-format': { statusCode: 200, wrongValue: 'value' },
      'empty-response': {},
      'b64-encoded-true': { statusCode: 200, body: 'dGVzdC1kYXRh', isBase64Encoded: true },
      'b64-encoded-false': { statusCode: 200, body: 'dGVzdC1kYXRh', isBase64Encoded: false },
      'multi-headers-valid': { statusCode: 200, multiValueHeaders: { 'test-multi': ['value1', 'value2'] } },
      'multi-headers-overwrite': {
        statusCode: 200,
        headers: { 'test-multi': 'value-solo' },
        multiValueHeaders: { 'test-multi': ['value-multi'] },
      },
      'multi-headers-overwrite-casing': {
        statusCode: 200,
        headers: { 'test-Multi': 'value-solo' },
        multiValueHeaders: { 'tesT-Multi': ['value-multi'] },
      },
      'multi-headers-invalid': { statusCode: 200, multiValueHeaders: { 'test-multi': 'value-multi' } },
      'invalid-status-code': { statusCode: 'foo' },
      'status-code-str': { statusCode: '200' },
      'just-string': 'just string',
      'only-headers': { headers: { 'test-header': 'value' } },
    };
    const found: string[] = [];
    for (const [name, answer] of Object.entries(answers)) {
      const { headers, text } = await send(restApiId, `/stage/a?answer=${encodeURIComponent(JSON.stringify(answer))}`);
      const theirs = recorded[`invoke-api-${name}`] as { content: Json; headers?: Record<string, Json> };
      found.push(...differences(theirs.content, text, new Map(), name));
      if (!theirs.headers) continue;
      const { Connection, 'Content-Length': length, Date: date, Via, 'X-Cache': cache, ...sent } = theirs.headers;
      const wanted = Object.fromEntries(Object.entries(sent).filter(([header]) => !header.startsWith('X-Amz-Cf-')));
      const own = Object.fromEntries(
        Object.entries(headers).map(([header, value]) => [header, [value].flat().join(', ')]),
      );
      found.push(...differences(wanted, own, new Map(), `${name}.headers`));
    }
    expect(found).toEqual([]);
  });

  /** The API last created for request validation. */
  let checking = '';

  /** Models of the last created API that differ from the recorded ones. */
  const modelsAs = async (recorded: Readonly<Record<string, Json>>): Promise<string[]> =>
    differences(
      recorded['get-models-with-ref']!,
      await asRecorded(api.getModels({ restApiId: checking })),
      new Map(),
      'get-models-with-ref',
    );

  /** Creates a method with a template response, whose requests are validated. */
  async function checked(method: object, models: Readonly<Record<string, object>> = {}) {
    const { id: restApiId, rootResourceId: parentId } = await api.createRestApi({ name: 'recorded' });
    checking = restApiId!;
    const { id: resourceId } = await api.createResource({ restApiId, parentId, pathPart: '{test}' });
    for (const [name, schema] of Object.entries(models))
      await api.createModel({
        restApiId,
        name,
        contentType: 'application/json',
        schema: JSON.stringify(schema).replaceAll('<api-id>', restApiId!),
      });
    const { id: requestValidatorId } = await api.createRequestValidator({
      restApiId,
      name: 'v',
      validateRequestBody: true,
      validateRequestParameters: true,
    });
    const place = { restApiId, resourceId, httpMethod: 'POST' };
    await api.putMethod({ ...place, authorizationType: 'NONE', requestValidatorId, ...method });
    const requestTemplates = { 'application/json': '{"statusCode": 200}' };
    await api.putIntegration({ ...place, type: 'MOCK', requestTemplates });
    const responseTemplates = { 'application/json': '{"data":"ok"}' };
    await api.putIntegrationResponse({ ...place, statusCode: '200', responseTemplates });
    await api.createDeployment({ restApiId, stageName: 'stage' });
    return async (body: unknown, target = '/stage/path'): Promise<Json> => {
      const headers = [['Content-Type', 'application/json']] as const;
      const { text } = await send(restApiId!, target, { method: 'POST', headers, body: JSON.stringify(body) });
      return JSON.parse(text) as Json;
    };
  }

  it('rejects requests that violate the model', async () => {
    const recorded = recordedAnswers('TestApiGatewayCommon::test_api_gateway_request_validator');
    const requestParameters = {
      'method.request.header.x-header-param': true,
      'method.request.path.issuer': true,
      'method.request.querystring.qs1': true,
    };
    const missing = await checked({ requestParameters });
    expect(await missing({ test: 'test' })).toEqual(recorded['missing-all-required-request-params-post']);
    const only = await checked({ requestParameters: { 'method.request.querystring.qs1': true } });
    expect(await only({ test: 'test' })).toEqual(recorded['missing-required-qs-request-params-get']);
    expect(await only({ test: 'test' }, '/stage/path?qs1=a')).toEqual({ data: 'ok' });
    const numbers = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
    const body = await checked({ requestModels: { 'application/json': 'Numbers' } }, { Numbers: numbers });
    expect(await body({ test: 'test' })).toEqual(recorded['invalid-request-body']);
  });

  it('models can refer to each other', async () => {
    const lists = recordedAnswers('TestApiGatewayCommon::test_api_gateway_request_validator_with_ref_models');
    const url = 'https://apigateway.amazonaws.com/restapis/<api-id>/models/';
    const item = {
      $schema: 'http://json-schema.org/draft-04/schema#',
      title: 'testSchema',
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    };
    const list = await checked(
      { requestModels: { 'application/json': 'testSchemaList' } },
      { testSchema: item, testSchemaList: { type: 'array', items: { $ref: `${url}testSchema` } } },
    );
    expect(await modelsAs(lists)).toEqual([]);
    expect(await list([{ a: 1, b: 2 }])).toEqual(lists.successful);
    expect(await list([{ a: 1 }])).toEqual(lists['failed-validation']);
    const either = recordedAnswers('TestApiGatewayCommon::test_api_gateway_request_validator_with_ref_one_ofmodels');
    const status = {
      type: 'object',
      properties: { Status: { type: 'string' }, Order: { type: 'integer' } },
      required: ['Status', 'Order'],
    };
    const test = {
      type: 'object',
      properties: { status: { oneOf: [{ type: 'null' }, { $ref: `${url}StatusModel` }] } },
      required: ['status'],
    };
    const models = { StatusModel: status, TestModel: test };
    const oneOf = await checked({ requestModels: { 'application/json': 'TestModel' } }, models);
    expect(await modelsAs(either)).toEqual([]);
    expect(await oneOf({ status: null })).toEqual(either.successful);
    expect(await oneOf({ status: { Status: 'test', Order: 1 } })).toEqual(either['successful-with-data']);
    expect(await oneOf({})).toEqual(either['failed-validation-no-data']);
    expect(await oneOf({ status: { Status: 'test' } })).toEqual(either['failed-validation-bad-data']);
  });

  it('an unknown method is rejected for any path', async () => {
    const recorded = recordedAnswers('TestApigatewayRouting::test_routing_not_found');
    const { id: restApiId, rootResourceId: parentId } = await api.createRestApi({ name: 'recorded' });
    const { id: resourceId } = await api.createResource({ restApiId, parentId, pathPart: 'existing' });
    const place = { restApiId, resourceId, httpMethod: 'GET' };
    await api.putMethod({ ...place, authorizationType: 'NONE' });
    const requestTemplates = { 'application/json': '{"statusCode": 200}' };
    await api.putIntegration({ ...place, type: 'MOCK', requestTemplates });
    const responseTemplates = { 'application/json': '{"statusCode": 200, "message": "exists"}' };
    await api.putIntegrationResponse({ ...place, statusCode: '200', responseTemplates });
    await api.createDeployment({ restApiId, stageName: 'stage' });
    const answerTo = async (target: string, method = 'GET') => {
      const { status, headers, text } = await send(restApiId!, target, { method });
      const content = JSON.parse(text) as Json;
      return status === 200 ? content : { content, errorType: headers['x-amzn-ErrorType'] };
    };
    expect(await answerTo('/stage/existing')).toEqual(recorded['working-route']);
    expect(await answerTo('/stage/random-non-existing')).toEqual(recorded['not-found']);
    expect(await answerTo('/stage/existing', 'POST')).toEqual(recorded['wrong-method']);
  });

  it('templates print maps and lists as Java does', async () => {
    const recorded = recordedAnswers('TestApiGatewayCommon::test_input_path_template_formatting');
    const { id: restApiId, rootResourceId: parentId } = await api.createRestApi({ name: 'recorded' });
    const templates: Readonly<Record<string, string>> = {
      whole: "$input.path('$')",
      body: "$input.path('$.body')",
      text: "$input.path('$').toString()",
    };
    for (const [pathPart, template] of Object.entries(templates)) {
      const { id: resourceId } = await api.createResource({ restApiId, parentId, pathPart });
      const place = { restApiId, resourceId, httpMethod: 'POST' };
      await api.putMethod({ ...place, authorizationType: 'NONE' });
      const requestTemplates = {
        'application/json': `#set($context.responseOverride.header.told = ${template})\n{"statusCode": 200}`,
      };
      await api.putIntegration({ ...place, type: 'MOCK', requestTemplates });
      await api.putIntegrationResponse({ ...place, statusCode: '200' });
    }
    await api.createDeployment({ restApiId, stageName: 'stage' });
    const answerTo = async (path: string, body: unknown) =>
      (await send(restApiId!, `/stage/${path}`, { method: 'POST', body: JSON.stringify(body) })).headers.told;
    expect(await answerTo('whole', { foo: 'bar' })).toBe(recorded['dict-response']);
    expect(await answerTo('whole', [{ foo: 'bar' }])).toBe(recorded['json-list']);
    expect(await answerTo('body', { body: { foo: 'bar' } })).toBe(recorded['nested-dict']);
    expect(await answerTo('body', { body: [{ foo: 'bar' }] })).toBe(recorded['nested-list']);
    expect(await answerTo('whole', { foo: [{ nested: 'bar' }] })).toBe(recorded['dict-with-nested-list']);
    expect(await answerTo('whole', { bigger: 'dict', to: 'test', with: 'separators' })).toBe(recorded['bigger-dict']);
    expect(await answerTo('text', { foo: 'bar' })).toBe(recorded['to-string']);
    expect(await answerTo('text', { list: [{ foo: 'bar' }] })).toBe(recorded['list-to-string']);
  });
});
