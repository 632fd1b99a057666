import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { APIGateway, type PutIntegrationCommandInput } from '@aws-sdk/client-api-gateway';
import { Lambda } from '@aws-sdk/client-lambda';
import { createTestEmulator, differences, type TestEmulator, zipOf } from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as lambdaManifest } from '@emu/svc-lambda/manifest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT, hasRecordings, recordedAnswers } from '../../../packages/svc-apigateway/test/recorded-answers.ts';
import { ask } from '../../../packages/svc-apigateway/test/support.ts';

type Json = Parameters<typeof differences>[0];
type Fields = Record<string, string>;
type Recorded = Record<string, Record<string, Json>>;

const ROLE = `arn:aws:iam::${ACCOUNT}:role/any`;
const FUNCTION = `arn:aws:lambda:us-east-1:${ACCOUNT}:function:echo`;
const FUNCTION_URI = `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${FUNCTION}/invocations`;
const CODE = `exports.handler = async (event) => event.headers
  ? { statusCode: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(event) }
  : event;`;

let emulator: TestEmulator;
let api: APIGateway;
let server: Server;
let base: string;
/** Last request to the endpoint, with header names as sent. */
let seen: { method: string; url: string; headers: Fields; body: string };

beforeAll(async () => {
  if (!hasRecordings) return;
  emulator = await createTestEmulator({ manifests: [apigateway, lambdaManifest], settings: { accountId: ACCOUNT } });
  api = new APIGateway(emulator.clientConfig());
  await new Lambda(emulator.clientConfig()).createFunction({
    FunctionName: 'echo',
    Runtime: 'nodejs20.x',
    Role: ROLE,
    Handler: 'index.handler',
    Code: { ZipFile: zipOf({ 'index.js': CODE }) },
  });
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', rawHeaders } = request;
      const names = rawHeaders.filter((_, at) => at % 2 === 0);
      const headers = Object.fromEntries(names.map((name, at) => [name, rawHeaders[at * 2 + 1]!]));
      seen = { method, url, headers, body: Buffer.concat(chunks).toString() };
      const status = Number(/^\/status\/(\d+)$/.exec(url)?.[1] ?? 200);
      const answer = Buffer.from(
        JSON.stringify(url.startsWith('/status/') ? { status_code: status, message: '' } : seen),
      );
      response.writeHead(status, {
        'content-length': answer.length,
        server: 'gunicorn/19.9.0',
        connection: 'keep-alive',
        'content-type': 'application/json',
        'access-control-allow-origin': '*',
        'access-control-allow-credentials': 'true',
        ...(request.headers['x-as-function'] !== undefined && {
          'x-amzn-requestid': 'of-the-function',
          'x-amzn-trace-id': 'of-the-function',
        }),
      });
      response.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await emulator?.close();
  server?.closeAllConnections();
  if (server) await new Promise((resolve) => server.close(resolve));
});

interface Made {
  readonly method?: string;
  readonly requestParameters?: Record<string, boolean>;
  readonly integration: Partial<PutIntegrationCommandInput>;
  readonly responseParameters?: Fields;
  /** Integration responses by status, with their selection patterns. */
  readonly responses?: Readonly<Record<string, { selectionPattern?: string; template?: string }>>;
}

/** Creates and deploys an API with one method. */
async function deployed({ method = 'POST', requestParameters, integration, responseParameters = {}, responses }: Made) {
  const { id: restApiId, rootResourceId: parentId } = await api.createRestApi({ name: 'recorded' });
  const { id: resourceId } = await api.createResource({ restApiId, parentId, pathPart: 'test' });
  const place = { restApiId, resourceId, httpMethod: method };
  await api.putMethod({ ...place, authorizationType: 'NONE', ...(requestParameters && { requestParameters }) });
  await api.putIntegration({
    ...place,
    type: 'HTTP',
    integrationHttpMethod: 'POST',
    ...integration,
  });
  const given = Object.keys(responseParameters).map((name) => [name, true]);
  for (const [statusCode, { selectionPattern, template }] of Object.entries(responses ?? { 200: {} })) {
    await api.putMethodResponse({
      ...place,
      statusCode,
      ...(given.length > 0 && { responseParameters: Object.fromEntries(given) }),
    });
    if (!integration.type?.endsWith('_PROXY'))
      await api.putIntegrationResponse({
        ...place,
        statusCode,
        responseParameters,
        ...(selectionPattern !== undefined && { selectionPattern }),
        ...(template !== undefined && { responseTemplates: { 'application/json': template } }),
      });
  }
  await api.createDeployment({ restApiId, stageName: 'dev' });
  return {
    restApiId: restApiId!,
    send: (headers: Fields = {}, body = '', query = '') =>
      ask(emulator, {
        method,
        host: `${restApiId}.execute-api.us-east-1.amazonaws.com`,
        path: `/dev/test${query}`,
        headers,
        body,
      }),
  };
}

const lower = (fields: Record<string, Json>): Record<string, Json> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));

/** The host of the endpoint, and headers that Node.js rejects for a body of known length. */
const SKIPPED = ['host', 'trailer'];

/** Returns headers without those set by the connection or by servers in front of an API. */
function comparable(fields: Record<string, Json>, without: readonly string[] = []): Record<string, Json> {
  const { connection, 'content-length': length, date, ...rest } = lower(fields);
  // The length of a response depends on the endpoint's text.
  if ('x-amzn-remapped-content-length' in rest) rest['x-amzn-remapped-content-length'] = '1';
  for (const name of without) delete rest[name];
  return rest;
}

describe.skipIf(!hasRecordings)('recorded headers', () => {
  const NOT_MAPPED = ['content-length', 'transfer-encoding'];
  const NOT_BY_AWS = ['authorization', 'connection', 'expect', 'proxy-authenticate', 'te'];

  it.each(['HTTP', 'HTTP_PROXY', 'AWS', 'AWS_PROXY'] as const)('of integrations of type %s', async (type) => {
    const byAws = type.startsWith('AWS');
    const test = `TestApiGatewayHeaderRemapping::test_apigateway_header_remapping_${byAws ? 'aws' : 'http'}[${type}]`;
    const recorded = recordedAnswers(test) as unknown as Recorded;
    const reference = recordedAnswers(
      'TestApiGatewayHeaderRemapping::test_apigateway_header_remapping_http[HTTP]',
    ) as unknown as Recorded;
    // A template copies the client's headers into the body; empty ones there were dropped.
    const told = (reference['full-integration'] as { body: Fields }).body;
    const names = Object.keys(told);
    const sent = Object.fromEntries(
      names
        .filter(
          (name) => !['Content-Length', 'Transfer-Encoding', 'Host', 'Connection', 'Expect', 'Upgrade'].includes(name),
        )
        .map((name) => [name, told[name]!.replace(/^<.*>$/, 'any') || 'dropped']),
    );
    const arrived = (reference['full-integration'] as { headers: Fields }).headers;
    const mappedValue = (name: string): string => {
      const [, value] = Object.entries(arrived).find(([one]) => one.toLowerCase() === name.toLowerCase()) ?? [];
      return `'${(value ?? `request_params_${name}`).replace(/^<.*>$/, 'any')}'`;
    };
    const mappable = names.filter(
      (name) =>
        !NOT_MAPPED.includes(name.toLowerCase()) &&
        !(byAws && NOT_BY_AWS.includes(name.toLowerCase())) &&
        name !== 'Host',
    );
    const integration = {
      type,
      uri: byAws ? FUNCTION_URI : `${base}/anything`,
      ...(byAws && { credentials: ROLE }),
    };
    const template = JSON.stringify(Object.fromEntries(names.map((name) => [name, `$input.params('${name}')`])));
    const whole: Made = {
      integration: {
        ...integration,
        requestParameters: Object.fromEntries(
          mappable.map((name) => [`integration.request.header.${name}`, mappedValue(name)]),
        ),
        ...(!type.endsWith('_PROXY') && { requestTemplates: { 'application/json': template } }),
      },
      responseParameters: Object.fromEntries(
        names.map((name) => [`method.response.header.${name}`, `'response_param_${name}'`]),
      ),
    };
    const found: string[] = [];
    const known = new Map<string, string>();
    const compare = async (step: 'no-param-integration' | 'full-integration', made: Made): Promise<void> => {
      const { restApiId, send } = await deployed(made);
      known.set('<apigw-id:1>', restApiId);
      const { headers, json, status } = await send(sent, '');
      expect([step, status]).toEqual([step, 200]);
      const { headers: received, 'response-headers': answered, body } = recorded[step]!;
      if (received !== null && type !== 'AWS_PROXY')
        found.push(
          ...differences(
            comparable(received as Fields, SKIPPED),
            comparable(seen.headers, SKIPPED),
            known,
            `${step}.headers`,
          ),
        );
      if (type === 'AWS_PROXY') {
        const event = (json as { headers: Fields }).headers;
        found.push(
          ...differences(comparable(received as Fields, SKIPPED), comparable(event, SKIPPED), known, `${step}.headers`),
        );
      }
      if (step === 'full-integration' && !type.endsWith('_PROXY')) {
        const rendered = lower((type === 'AWS' ? json : JSON.parse(seen.body)) as Fields);
        const { host, ...expected } = lower(body as Fields);
        delete rendered.host;
        found.push(...differences(expected, rendered, known, `${step}.body`));
      }
      const own = comparable(headers as Fields);
      found.push(...differences(comparable(answered as Fields), own, known, `${step}.response-headers`));
    };
    await compare('no-param-integration', { integration });
    await compare('full-integration', whole);
    for (const name of [...NOT_MAPPED, ...(byAws ? NOT_BY_AWS : [])]) {
      const requestParameters = { [`integration.request.header.${name}`]: "'any'" };
      const { send } = await deployed({ integration: { ...integration, requestParameters } });
      const { headers, json } = await send(sent);
      const { body, 'response-headers': answered } = recorded[name]!;
      expect([name, json]).toEqual([name, body]);
      found.push(...differences(comparable(answered as Fields), comparable(headers as Fields), new Map(), name));
    }
    expect(found).toEqual([]);
  });
});

describe.skipIf(!hasRecordings)('recorded requests to endpoints', () => {
  /** Headers added by the function URL that was the recorded endpoint. */
  const OF_FUNCTION_URLS = /^(?:connection|x-(?:amzn-tls-.*|forwarded-.*|amzn-trace-id|as-function))$/;
  const CLIENT = { 'user-agent': 'test/integration', 'accept-encoding': 'gzip, deflate', accept: 'application/json' };

  /** Returns the endpoint's request in the form recorded by a function that returns its event. */
  function told(args: Fields = {}): Json {
    const headers = Object.entries(lower(seen.headers)).filter(([name]) => !OF_FUNCTION_URLS.test(name));
    return { args, data: JSON.parse(seen.body), headers: Object.fromEntries(headers), method: seen.method };
  }

  /** Returns the recorded counterpart. */
  function recordedAs({ args, data, headers, method }: Record<string, Json>): Json {
    const own = Object.entries(headers as Fields).filter(([name]) => !OF_FUNCTION_URLS.test(name));
    return { args: args!, data: data!, headers: Object.fromEntries(own), method: method! };
  }

  it.each(['HTTP', 'HTTP_PROXY'] as const)('with a body, by type %s', async (type) => {
    const recorded = recordedAnswers(`test_http_integration_with_lambda[${type}]`) as unknown as Recorded;
    const { restApiId, send } = await deployed({
      integration: {
        type,
        uri: `${base}/`,
        ...(type === 'HTTP_PROXY' && { requestParameters: { 'integration.request.header.x-as-function': "'yes'" } }),
      },
    });
    const headers = { ...CLIENT, accept: 'application/xml', 'content-type': 'application/json' };
    const answer = await send(headers, '{"message": "hello world"}');
    const { content, headers: answered, status_code: status } = recorded['http-invocation-lambda-url']!;
    const known = new Map([['<rest_api_id:1>', restApiId]]);
    expect(answer.status).toBe(status);
    const found = differences(recordedAs(content as Record<string, Json>), told(), known, 'content');
    const ours = comparable(answer.headers as Fields, ['x-amzn-remapped-server', ...CORS]);
    found.push(...differences(comparable(answered as Fields), ours, known, 'headers'));
    expect(found).toEqual([]);
  });

  const CORS = ['access-control-allow-origin', 'access-control-allow-credentials'];

  it.each(['HTTP', 'HTTP_PROXY'] as const)('by every method, type %s', async (type) => {
    const recorded = recordedAnswers(`test_http_integration_method[${type}]`) as unknown as Recorded;
    const found: string[] = [];
    for (const method of ['POST', 'PUT', 'GET']) {
      const { restApiId, send } = await deployed({ method, integration: { type, uri: `${base}/` } });
      await send({ ...CLIENT, 'content-type': 'application/json' }, '{"message": "hello world"}');
      const { 'x-amzn-apigateway-api-id': _, ...headers } = (told() as { headers: Fields }).headers;
      const step = `http-invocation-lambda-url-${method.toLowerCase()}`;
      const known = new Map([['<rest_api_id:1>', restApiId]]);
      found.push(...differences(recordedAs(recorded[step]!), { ...(told() as object), headers } as Json, known, step));
    }
    expect(found).toEqual([]);
  });

  it.each(['HTTP', 'HTTP_PROXY'] as const)('with statuses passed on or mapped, by type %s', async (type) => {
    const recorded = recordedAnswers(
      `test_http_integration_invoke_status_code_passthrough[${type}]`,
    ) as unknown as Recorded;
    for (const [step, status] of [
      ['matching-response', 200],
      ['non-matching-response', 400],
    ] as const) {
      const { send } = await deployed({
        method: 'GET',
        integration: { type, uri: `${base}/status/${status}`, integrationHttpMethod: 'GET' },
      });
      const answer = await send();
      expect([step, { body: answer.json, status_code: answer.status }]).toEqual([step, recorded[step]]);
    }
  });

  it('with mapped parameters, as a proxy', async () => {
    const recorded = recordedAnswers('test_http_proxy_integration_request_data_mappings') as unknown as Recorded;
    const { send } = await deployed({
      requestParameters: {
        'method.request.header.foobar': true,
        'method.request.querystring.testVar': true,
      },
      integration: {
        type: 'HTTP_PROXY',
        uri: `${base}/?testVar=foobar&testQs=bar`,
        requestParameters: {
          'integration.request.header.foobar': "'mapped-value'",
          'integration.request.header.headerVar': "'mapped-value'",
          'integration.request.querystring.testVar': "'bar'",
          'integration.request.querystring.testQs': "'foo'",
          'integration.request.querystring.queryString': "'foo'",
          'integration.request.querystring.testQueryString': "'foo'",
        },
      },
    });
    await send({ ...CLIENT, 'content-type': 'application/json', foobar: 'sent' }, '{"message": "hello world"}');
    const args: Record<string, string> = {};
    for (const [name, value] of new URLSearchParams(seen.url.split('?')[1]))
      args[name] = name in args ? `${args[name]},${value}` : value;
    const { 'x-amzn-apigateway-api-id': _, ...headers } = (told() as { headers: Fields }).headers;
    const ours = { ...(told(args) as object), headers } as Json;
    const { content } = recorded['http-proxy-invocation']!;
    expect(differences(recordedAs(content as Record<string, Json>), ours, new Map())).toEqual([]);
  });
});

describe.skipIf(!hasRecordings)('recorded responses of stages', () => {
  /** Headers of CloudFront distributions. */
  const OF_CLOUDFRONT = ['via', 'x-amz-cf-id', 'x-amz-cf-pop', 'x-cache'];
  const TRACE = 'Root=1-3152b799-8954dae64eda91bc9a23a7e8;Parent=7fa8c0f79203be72;Sampled=1';

  it('have the headers of API Gateway, and a trace if a function was called', async () => {
    const recorded = recordedAnswers('TestApiGatewayCommon::test_invocation_trace_id') as unknown as Recorded;
    const apis = {
      MOCK: await deployed({
        method: 'GET',
        integration: { type: 'MOCK', requestTemplates: { 'application/json': '{"statusCode": 200}' } },
      }),
      AWS_PROXY: await deployed({
        method: 'GET',
        integration: { type: 'AWS_PROXY', uri: FUNCTION_URI, credentials: ROLE },
      }),
    };
    const sent = {
      normal: {},
      'trace-id': { 'x-amzn-trace-id': TRACE },
      'trace-id-small': { 'x-amzn-trace-id': TRACE.split(';')[0]! },
    };
    const found: string[] = [];
    for (const [step, headers] of Object.entries(recorded)) {
      const [, kind, type] = /^(.*)-req-headers-(.*)$/.exec(step) ?? [];
      if (kind === undefined) continue;
      const answer = await apis[type as keyof typeof apis].send(sent[kind as keyof typeof sent]);
      const ours = comparable(answer.headers as Fields);
      found.push(...differences(comparable(headers as Fields, OF_CLOUDFRONT), ours, new Map(), step));
      const trace = ours['x-amzn-trace-id'];
      if (kind !== 'normal' && type === 'AWS_PROXY')
        expect(trace).toContain('Root=1-3152b799-8954dae64eda91bc9a23a7e8');
    }
    expect(found).toEqual([]);
  });
});
