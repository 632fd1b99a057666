import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { APIGateway } from '@aws-sdk/client-api-gateway';
import { CloudWatch } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { Firehose } from '@aws-sdk/client-firehose';
import { S3 } from '@aws-sdk/client-s3';
import type { Listener } from '@emu/gateway';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as cloudwatch } from '@emu/svc-cloudwatch/manifest';
import { manifest as firehoseManifest } from '@emu/svc-firehose/manifest';
import { manifest as logsManifest } from '@emu/svc-logs/manifest';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import {
  ACCOUNT,
  type ApiTest,
  functionUri,
  REGION,
  START,
  startApis,
} from '../../../packages/svc-apigatewayv2/test/support.ts';

const GROUP = 'access';
const DESTINATION = `arn:aws:logs:${REGION}:${ACCOUNT}:log-group:${GROUP}`;
const ROLE = `arn:aws:iam::${ACCOUNT}:role/delivery`;
/** A signer with an unknown access key is the root user of the account in the key. */
const AUTHORIZATION = `AWS4-HMAC-SHA256 Credential=${ACCOUNT}/20260101/${REGION}/execute-api/aws4_request, SignedHeaders=host, Signature=0`;
const SIGNER = {
  'identity.accountId': ACCOUNT,
  'identity.caller': ACCOUNT,
  'identity.user': ACCOUNT,
  'identity.userArn': `arn:aws:iam::${ACCOUNT}:root`,
};

let test: ApiTest;
let listener: Listener;
let server: Server;
let endpoint: string;
let logs: CloudWatchLogs;

beforeAll(async () => {
  test = await startApis({ manifests: [apigateway, cloudwatch, firehoseManifest, logsManifest, s3Manifest] });
  listener = await test.emulator.gateway.listen({ port: 0 });
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(201, { 'x-amzn-requestid': 'endpoint-id', 'x-amz-id-2': 'endpoint-id-2' });
    response.end('answer');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  logs = new CloudWatchLogs(test.emulator.clientConfig());
  await logs.createLogGroup({ logGroupName: GROUP });
  test.functions.set('fine', () => ({ statusCode: 202, body: 'fine' }));
  test.functions.set('broken', () => {
    throw new Error('boom');
  });
  test.functions.set('slow', () => test.advance(25).then(() => ({ statusCode: 200, body: '' })));
  test.functions.set('policy', ({ methodArn, headers }) => ({
    principalId: 'me',
    context: { key: 'value', numKey: 1, boolKey: true },
    policyDocument: {
      Version: '2012-10-17',
      Statement: [
        { Effect: (headers.Token ?? headers.token) === 'good' ? 'Allow' : 'Deny', Action: '*', Resource: methodArn },
      ],
    },
  }));
});
afterAll(async () => {
  await listener.close(100);
  await test[Symbol.asyncDispose]();
  await new Promise((resolve) => server.close(resolve));
});

/** Returns a format with variables by name. */
const formatOf = (names: readonly string[]): string =>
  JSON.stringify(Object.fromEntries(names.map((name) => [name, `$context.${name}`])));

/** Number of log lines read so far. */
let read = 0;
async function newLines(count: number): Promise<Record<string, string>[]> {
  let lines: string[] = [];
  const all = async () => {
    const { events = [] } = await logs.filterLogEvents({ logGroupName: GROUP });
    lines = events.map(({ message }) => message!);
    return lines.length;
  };
  await expect.poll(all).toBe(read + count);
  const added = lines.slice(read).map((line) => JSON.parse(line) as Record<string, string>);
  read += count;
  return added;
}

describe('access logs of an HTTP API', () => {
  const NAMES = [
    ...['accountId', 'apiId', 'domainName', 'domainPrefix', 'extendedRequestId', 'httpMethod', 'path', 'protocol'],
    ...['requestId', 'requestTime', 'requestTimeEpoch', 'routeKey', 'stage', 'status', 'dataProcessed'],
    ...['responseLatency', 'responseLength', 'awsEndpointRequestId', 'awsEndpointRequestId2'],
    ...['authorizer.claims', 'authorizer.claims.sub', 'authorizer.error', 'authorizer.key', 'authorizer.numKey'],
    ...['authorizer.boolKey', 'authorizer.principalId', 'customDomain.basePathMatched'],
    ...['customDomain.routingRuleIdMatched'],
    ...['error.message', 'error.messageString', 'error.responseType'],
    ...['identity.accountId', 'identity.caller', 'identity.user', 'identity.userArn', 'identity.sourceIp'],
    ...['identity.userAgent', 'identity.cognitoAuthenticationProvider', 'identity.cognitoAuthenticationType'],
    ...['identity.cognitoIdentityId', 'identity.cognitoIdentityPoolId', 'identity.principalOrgId'],
    ...['identity.clientCert.subjectDN', 'identity.clientCert.validity.notAfter'],
    ...['integration.error', 'integration.integrationStatus', 'integration.latency', 'integration.requestId'],
    ...['integration.status', 'integrationErrorMessage', 'integrationLatency', 'integrationStatus', 'unknown'],
  ];
  const NOTHING = Object.fromEntries(NAMES.map((name) => [name, '-']));
  let ApiId: string;
  let common: Record<string, unknown>;

  beforeAll(async () => {
    ApiId = await test.create();
    await test.api.updateStage({
      ApiId,
      StageName: '$default',
      AccessLogSettings: { DestinationArn: DESTINATION, Format: formatOf(NAMES) },
    });
    common = {
      accountId: ACCOUNT,
      apiId: ApiId,
      domainName: `${ApiId}.execute-api.${REGION}.amazonaws.com`,
      domainPrefix: ApiId,
      httpMethod: 'GET',
      protocol: 'HTTP/1.1',
      requestTime: '01/Jan/2026:00:00:00 +0000',
      requestTimeEpoch: String(Date.parse(START)),
      responseLatency: '0',
      stage: '$default',
      'identity.sourceIp': '127.0.0.1',
      'identity.userAgent': 'agent',
    };
  });

  /** Sends a request and returns its log line without the common members. */
  async function logged(path: string, headers: Record<string, string> = {}, request: object = {}) {
    const answer = await test.fetch(ApiId, path, { headers: { 'user-agent': 'agent', ...headers }, ...request });
    const [line] = await newLines(1);
    const requestId = answer.headers['apigw-requestid'];
    expect(line).toMatchObject({ ...common, requestId, extendedRequestId: requestId, path });
    const rest = Object.entries(line!).filter(([name, value]) => value !== '-' && common[name] !== value);
    const { requestId: _, extendedRequestId: __, path: ___, ...own } = Object.fromEntries(rest);
    expect(Object.keys(line!)).toEqual(Object.keys(NOTHING));
    return own;
  }

  it('contain a successful function', async () => {
    await test.route(ApiId, 'GET /fine', 'fine');
    expect(await logged('/fine')).toEqual({
      routeKey: 'GET /fine',
      status: '202',
      dataProcessed: '4',
      responseLength: '4',
      'integration.integrationStatus': '200',
      'integration.latency': '0',
      awsEndpointRequestId: test.invocations.at(-1),
      'integration.requestId': test.invocations.at(-1),
      'integration.status': '202',
      integrationLatency: '0',
      integrationStatus: '200',
    });
  });

  it('contain a failing function', async () => {
    await test.route(ApiId, 'GET /broken', 'broken');
    const error = expect.stringContaining('The Lambda function returned the following error');
    expect(await logged('/broken')).toMatchObject({
      status: '500',
      'error.message': 'Internal Server Error',
      'error.messageString': '"Internal Server Error"',
      'error.responseType': 'INTEGRATION_FAILURE',
      'integration.error': error,
      'integration.integrationStatus': '200',
      integrationErrorMessage: error,
    });
  });

  it('contain an endpoint with its ids, and an unreachable one', async () => {
    for (const [path, IntegrationUri] of [
      ['endpoint', endpoint],
      ['down', 'http://127.0.0.1:1'],
    ] as const) {
      const http = { IntegrationType: 'HTTP_PROXY' as const, IntegrationMethod: 'GET', PayloadFormatVersion: '1.0' };
      const { IntegrationId } = await test.api.createIntegration({ ApiId, ...http, IntegrationUri });
      await test.api.createRoute({ ApiId, RouteKey: `ANY /${path}`, Target: `integrations/${IntegrationId}` });
    }
    expect(await logged('/endpoint')).toMatchObject({
      status: '201',
      awsEndpointRequestId: 'endpoint-id',
      awsEndpointRequestId2: 'endpoint-id-2',
      'integration.requestId': 'endpoint-id',
      'integration.status': '201',
    });
    expect(await logged('/down')).toMatchObject({
      status: '503',
      'error.message': 'Service Unavailable',
      'error.responseType': 'INTEGRATION_NETWORK_FAILURE',
      'integration.error': expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('contain unknown routes, and the decision of an authorizer', async () => {
    const other = await logged('/none');
    expect(other).toEqual({
      status: '404',
      dataProcessed: '23',
      responseLength: '23',
      'error.message': 'Not Found',
      'error.messageString': '"Not Found"',
      'error.responseType': 'ROUTE_NOT_FOUND',
    });
    const { routeId } = await test.route(ApiId, 'GET /guarded', 'fine');
    const { AuthorizerId } = await test.api.createAuthorizer({
      ApiId,
      Name: 'policy',
      AuthorizerType: 'REQUEST',
      AuthorizerUri: functionUri('policy'),
      AuthorizerPayloadFormatVersion: '1.0',
      IdentitySource: ['$request.header.token'],
    });
    await test.api.updateRoute({ ApiId, RouteId: routeId, AuthorizationType: 'CUSTOM', AuthorizerId });
    expect(await logged('/guarded')).toMatchObject({
      status: '401',
      'authorizer.error': 'an identity source is missing',
      'error.responseType': 'UNAUTHORIZED',
    });
    expect(await logged('/guarded', { token: 'bad' })).toMatchObject({
      status: '403',
      'authorizer.error': expect.any(String),
      'error.responseType': 'ACCESS_DENIED',
    });
    expect(await logged('/guarded', { token: 'good' })).toMatchObject({
      status: '202',
      'authorizer.key': 'value',
      'authorizer.numKey': '1',
      'authorizer.boolKey': 'true',
      'authorizer.principalId': 'me',
    });
  });

  it('contain the signer, also with credentials of an identity pool', async () => {
    const { routeId } = await test.route(ApiId, 'GET /signed', 'fine');
    await test.api.updateRoute({ ApiId, RouteId: routeId, AuthorizationType: 'AWS_IAM' });
    expect(await logged('/signed', { authorization: AUTHORIZATION })).toMatchObject(SIGNER);
    const of = 'cognito-identity.amazonaws.com';
    test.emulator.kernel.credentials.put({
      accessKeyId: 'ASIAIDENTITYPOOL0001',
      secretAccessKey: 's',
      active: true,
      principal: { type: 'assumed-role', accountId: ACCOUNT, arn: 'arn:x', userId: 'AROA:x' },
      session: {
        name: 'x',
        issuedAt: 0,
        claims: { [`${of}:sub`]: 'id', [`${of}:aud`]: 'pool', [`${of}:amr`]: ['authenticated', 'graph.facebook.com'] },
      },
    });
    const authorization = AUTHORIZATION.replace(ACCOUNT, 'ASIAIDENTITYPOOL0001');
    expect(await logged('/signed', { authorization })).toMatchObject({
      'identity.userArn': 'arn:x',
      'identity.cognitoAuthenticationProvider': 'graph.facebook.com',
      'identity.cognitoAuthenticationType': 'authenticated',
      'identity.cognitoIdentityId': 'id',
      'identity.cognitoIdentityPoolId': 'pool',
    });
  });

  it('contain the mapping path of a domain name', async () => {
    const DomainName = 'logs.example.com';
    const CertificateArn = `arn:aws:acm:${REGION}:${ACCOUNT}:certificate/c`;
    await test.api.createDomainName({ DomainName, DomainNameConfigurations: [{ CertificateArn }] });
    await test.api.createApiMapping({ DomainName, ApiId, Stage: '$default', ApiMappingKey: 'v1/orders' });
    await test.fetchHost(DomainName, '/v1/orders/fine');
    expect(await newLines(1)).toMatchObject([
      {
        path: '/v1/orders/fine',
        domainName: DomainName,
        domainPrefix: 'logs',
        'customDomain.basePathMatched': 'v1/orders',
        routeKey: 'GET /fine',
      },
    ]);
  });

  it('contain the routing rule of a domain name, as for a REST API', async () => {
    const rest = new APIGateway(test.emulator.clientConfig());
    const { id: restApiId, rootResourceId: resourceId } = await rest.createRestApi({ name: 'ruled' });
    const place = { restApiId, resourceId, httpMethod: 'GET' };
    await rest.putMethod({ ...place, authorizationType: 'NONE' });
    await rest.putIntegration({ ...place, type: 'MOCK' });
    await rest.createDeployment({ restApiId, stageName: 'dev' });
    const replace = (path: string, value: string) => ({ op: 'replace' as const, path, value });
    await rest.updateStage({
      restApiId,
      stageName: 'dev',
      patchOperations: [
        replace('/accessLogSettings/destinationArn', DESTINATION),
        replace(
          '/accessLogSettings/format',
          formatOf(['requestId', ...NAMES.filter((one) => one.includes('Matched'))]),
        ),
      ],
    });
    const DomainName = 'ruled.example.com';
    const CertificateArn = `arn:aws:acm:${REGION}:${ACCOUNT}:certificate/c`;
    const RoutingMode = 'ROUTING_RULE_ONLY';
    await test.api.createDomainName({ DomainName, DomainNameConfigurations: [{ CertificateArn }], RoutingMode });
    const { RoutingRuleId } = await test.api.createRoutingRule({
      DomainName,
      Priority: 1,
      Conditions: [],
      Actions: [{ InvokeApi: { ApiId, Stage: '$default' } }],
    });
    await test.fetchHost(DomainName, '/fine');
    expect(await newLines(1)).toMatchObject([
      {
        'customDomain.routingRuleIdMatched': RoutingRuleId,
        'customDomain.basePathMatched': '-',
        routeKey: 'GET /fine',
      },
    ]);
    const toRest = await test.api.createRoutingRule({
      DomainName,
      Priority: 2,
      Conditions: [],
      Actions: [{ InvokeApi: { ApiId: restApiId, Stage: 'dev' } }],
    });
    await test.api.deleteRoutingRule({ DomainName, RoutingRuleId });
    await test.fetchHost(DomainName, '/');
    expect(await newLines(1)).toMatchObject([
      { 'customDomain.routingRuleIdMatched': toRest.RoutingRuleId, 'customDomain.basePathMatched': '-' },
    ]);
  });

  it('contain the durations of a request', async () => {
    await test.route(ApiId, 'GET /slow', 'slow');
    await test.fetch(ApiId, '/slow');
    expect(await newLines(1)).toMatchObject([
      { responseLatency: '25', integrationLatency: '25', 'integration.latency': '25' },
    ]);
  });
});

it('access logs of both kinds of APIs go to Firehose streams', async () => {
  const s3 = new S3({ ...test.emulator.clientConfig(), forcePathStyle: true });
  await s3.createBucket({ Bucket: 'logs' });
  const firehose = new Firehose(test.emulator.clientConfig());
  const DeliveryStreamName = 'amazon-apigateway-access';
  await firehose.createDeliveryStream({
    DeliveryStreamName,
    ExtendedS3DestinationConfiguration: {
      RoleARN: ROLE,
      BucketARN: 'arn:aws:s3:::logs',
      BufferingHints: { IntervalInSeconds: 60, SizeInMBs: 1 },
    },
  });
  await test.advance(60_000);
  const DestinationArn = `arn:aws:firehose:${REGION}:${ACCOUNT}:deliverystream/${DeliveryStreamName}`;
  const AccessLogSettings = { DestinationArn, Format: '$context.requestId $context.routeKey $context.status' };
  const ApiId = await test.create();
  await test.route(ApiId, 'GET /fine', 'fine');
  await test.api.updateStage({ ApiId, StageName: '$default', AccessLogSettings });
  await test.fetch(ApiId, '/fine');
  const { ApiId: chat } = await test.api.createApi({
    Name: 'chat',
    ProtocolType: 'WEBSOCKET',
    RouteSelectionExpression: '$request.body.do',
  });
  await test.api.createRoute({ ApiId: chat, RouteKey: '$connect' });
  await test.api.createStage({ ApiId: chat, StageName: 'dev', AutoDeploy: true, AccessLogSettings });
  const socket = new WebSocket(`${listener.url.replace('http', 'ws')}/_aws/execute-api/${chat}/dev`);
  await once(socket, 'open');
  socket.close();
  await once(socket, 'close');
  let text = '';
  const arrived = async () => {
    await test.advance(60_000);
    const { Contents = [] } = await s3.listObjectsV2({ Bucket: 'logs' });
    const bodies = await Promise.all(
      Contents.map(async ({ Key }) => (await s3.getObject({ Bucket: 'logs', Key })).Body!.transformToString()),
    );
    text = bodies.join('');
    return text.split('\n').filter((line) => line !== '').length;
  };
  await expect.poll(arrived).toBeGreaterThanOrEqual(2);
  expect(text).toMatch(/^\S+ GET \/fine 202$/m);
  expect(text).toMatch(/^\S+ \$connect 200$/m);
});

describe('access logs of a WebSocket API', () => {
  const NAMES = [
    ...['apiId', 'connectedAt', 'connectionId', 'domainName', 'eventType', 'extendedRequestId', 'messageId'],
    ...['requestId', 'requestTime', 'requestTimeEpoch', 'routeKey', 'stage', 'status'],
    ...['authenticate.error', 'authenticate.latency', 'authenticate.status'],
    ...['authorize.error', 'authorize.latency', 'authorize.status'],
    ...['authorizer.error', 'authorizer.integrationLatency', 'authorizer.integrationStatus', 'authorizer.latency'],
    ...[
      'authorizer.requestId',
      'authorizer.status',
      'authorizer.principalId',
      'authorizer.key',
      'authorizer.numKey',
      'authorizer.boolKey',
    ],
    ...['error.message', 'error.messageString', 'error.responseType', 'error.validationErrorString'],
    ...['identity.accountId', 'identity.apiKey', 'identity.apiKeyId', 'identity.caller', 'identity.sourceIp'],
    ...['identity.user', 'identity.userAgent', 'identity.userArn', 'identity.cognitoIdentityId'],
    ...['integration.error', 'integration.integrationStatus', 'integration.latency', 'integration.requestId'],
    ...['integration.status', 'integrationLatency', 'integrationStatus', 'integrationErrorMessage'],
  ];

  /** Creates an API whose `$connect` has the route's settings, and whose messages are sent to the endpoint by `ask`. */
  async function make(route: object, api: object = {}, connect = 'fine'): Promise<string> {
    const { ApiId } = await test.api.createApi({
      Name: 'logged',
      ProtocolType: 'WEBSOCKET',
      RouteSelectionExpression: '$request.body.do',
      ...api,
    });
    await test.api.createModel({ ApiId, Name: 'Asked', Schema: '{"type":"object","required":["what"]}' });
    const targets = {
      $connect: { IntegrationType: 'AWS_PROXY', IntegrationUri: functionUri(connect) },
      $disconnect: { IntegrationType: 'AWS_PROXY', IntegrationUri: functionUri('fine') },
      ask: { IntegrationType: 'HTTP_PROXY', IntegrationMethod: 'POST', IntegrationUri: endpoint },
      bad: { IntegrationType: 'AWS_PROXY', IntegrationUri: functionUri('broken') },
    } as const;
    const routes: Record<string, object> = { $connect: route, ask: { RequestModels: { $default: 'Asked' } } };
    for (const [RouteKey, target] of Object.entries(targets)) {
      const { IntegrationId } = await test.api.createIntegration({ ApiId, ...target });
      await test.api.createRoute({ ApiId, RouteKey, Target: `integrations/${IntegrationId}`, ...routes[RouteKey] });
    }
    await test.api.createStage({
      ApiId,
      StageName: 'dev',
      AutoDeploy: true,
      AccessLogSettings: { DestinationArn: DESTINATION, Format: formatOf(NAMES) },
    });
    return ApiId!;
  }

  /** Opens a connection. Returns whether it was admitted. */
  async function open(ApiId: string, headers: Record<string, string> = {}): Promise<WebSocket | undefined> {
    const url = `${listener.url.replace('http', 'ws')}/_aws/execute-api/${ApiId}/dev`;
    const socket = new WebSocket(url, { headers: { 'user-agent': 'agent', ...headers } });
    socket.on('error', () => undefined);
    const refused = once(socket, 'unexpected-response').then(() => socket.terminate());
    await Promise.race([once(socket, 'open'), refused]);
    return socket.readyState === WebSocket.OPEN ? socket : undefined;
  }

  it('contain each event with all of its variables', async () => {
    const ApiId = await make({});
    const socket = (await open(ApiId))!;
    const [connected] = await newLines(1);
    const known = {
      apiId: ApiId,
      connectedAt: expect.stringMatching(/^\d+$/),
      connectionId: connected!.connectionId,
      domainName: `${ApiId}.execute-api.${REGION}.amazonaws.com`,
      requestTime: expect.stringMatching(/^\d\d\/Jan\/2026:\d\d:\d\d:\d\d \+0000$/),
      requestTimeEpoch: expect.stringMatching(/^\d+$/),
      stage: 'dev',
      'identity.sourceIp': '127.0.0.1',
      'identity.userAgent': 'agent',
      'integration.latency': '0',
      integrationLatency: '0',
    };
    const rest = (line: Record<string, string>): Record<string, string> => {
      expect(line.requestId).toBe(line.extendedRequestId);
      expect(line).toMatchObject({ connectionId: known.connectionId, apiId: ApiId });
      return Object.fromEntries(Object.entries(line).filter(([, value]) => value !== '-'));
    };
    const id = { requestId: expect.any(String), extendedRequestId: expect.any(String) };
    expect(rest(connected!)).toEqual({
      ...known,
      ...id,
      eventType: 'CONNECT',
      routeKey: '$connect',
      status: '202',
      'integration.integrationStatus': '200',
      'integration.requestId': test.invocations.at(-1),
      'integration.status': '202',
      integrationStatus: '200',
    });
    socket.send('{"do":"ask","what":1}');
    const messageId = expect.any(String);
    const [asked] = await newLines(1);
    expect(rest(asked!)).toEqual({
      ...known,
      ...id,
      messageId,
      eventType: 'MESSAGE',
      routeKey: 'ask',
      status: '201',
      'integration.integrationStatus': '201',
      'integration.requestId': 'endpoint-id',
      'integration.status': '201',
      integrationStatus: '201',
    });
    socket.send('{"do":"ask"}');
    const { 'integration.latency': _, integrationLatency: __, ...unasked } = known;
    expect(rest((await newLines(1))[0]!)).toEqual({
      ...unasked,
      ...id,
      messageId,
      eventType: 'MESSAGE',
      routeKey: 'ask',
      status: '400',
      'error.message': 'Bad request body',
      'error.messageString': '"Bad request body"',
      'error.responseType': 'BAD_REQUEST_BODY',
      'error.validationErrorString': expect.stringContaining('what'),
    });
    socket.send('{"do":"bad"}');
    const failure = expect.stringContaining('Lambda execution failed');
    expect(rest((await newLines(1))[0]!)).toMatchObject({
      status: '500',
      'error.responseType': 'INTEGRATION_FAILURE',
      'integration.error': failure,
      integrationErrorMessage: failure,
    });
    socket.close(1000);
    expect(rest((await newLines(1))[0]!)).toMatchObject({ eventType: 'DISCONNECT', routeKey: '$disconnect' });
  });

  it('contain the outcome of the signature check', async () => {
    const ApiId = await make({ AuthorizationType: 'AWS_IAM' });
    expect(await open(ApiId)).toBeUndefined();
    expect(await newLines(1)).toMatchObject([
      {
        status: '403',
        'authenticate.error': 'Missing Authentication Token',
        'authenticate.latency': '0',
        'authenticate.status': '403',
        'authorize.status': '-',
        'error.responseType': 'ACCESS_DENIED',
      },
    ]);
    const socket = (await open(ApiId, { authorization: AUTHORIZATION }))!;
    expect(await newLines(1)).toMatchObject([
      {
        status: '202',
        'authenticate.error': '-',
        'authenticate.status': '200',
        'authorize.error': '-',
        'authorize.latency': '0',
        'authorize.status': '200',
        ...SIGNER,
      },
    ]);
    socket.close();
    await newLines(1);
  });

  it('contain the decision of a function, and an API key', async () => {
    const ApiId = await make({});
    const { AuthorizerId } = await test.api.createAuthorizer({
      ApiId,
      Name: 'policy',
      AuthorizerType: 'REQUEST',
      AuthorizerUri: functionUri('policy'),
      IdentitySource: ['route.request.header.Token'],
    });
    const { Items = [] } = await test.api.getRoutes({ ApiId });
    const { RouteId } = Items.find(({ RouteKey }) => RouteKey === '$connect')!;
    const AuthorizationType = 'CUSTOM' as const;
    await test.api.updateRoute({ ApiId, RouteId, AuthorizationType, AuthorizerId, ApiKeyRequired: true });
    const keys = new APIGateway(test.emulator.clientConfig());
    const { id: keyId, value } = await keys.createApiKey({ enabled: true });
    const { id: usagePlanId } = await keys.createUsagePlan({ name: 'p', apiStages: [{ apiId: ApiId, stage: 'dev' }] });
    await keys.createUsagePlanKey({ usagePlanId, keyId, keyType: 'API_KEY' });
    expect(await open(ApiId, { Token: 'bad' })).toBeUndefined();
    expect(await newLines(1)).toMatchObject([
      {
        status: '403',
        'authorizer.error': expect.stringContaining('does not allow'),
        'authorizer.status': '403',
        'authorizer.integrationStatus': '200',
        'identity.apiKey': '-',
      },
    ]);
    const socket = (await open(ApiId, { Token: 'good', 'x-api-key': value! }))!;
    expect(await newLines(1)).toMatchObject([
      {
        status: '202',
        'authorizer.error': '-',
        'authorizer.integrationLatency': '0',
        'authorizer.integrationStatus': '200',
        'authorizer.latency': '0',
        'authorizer.requestId': test.invocations.at(-2),
        'authorizer.status': '200',
        'authorizer.principalId': 'me',
        'authorizer.key': 'value',
        'authorizer.numKey': '1',
        'authorizer.boolKey': 'true',
        'identity.apiKey': value,
        'identity.apiKeyId': keyId,
      },
    ]);
    socket.close();
    await newLines(1);
  });
});

describe('metrics', () => {
  /** Returns the sum of a metric over the day of the test. */
  async function sumOf(MetricName: string, dimensions: Record<string, string>): Promise<number | undefined> {
    const metrics = new CloudWatch(test.emulator.clientConfig());
    const { Datapoints = [] } = await metrics.getMetricStatistics({
      Namespace: 'AWS/ApiGateway',
      MetricName,
      Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
      StartTime: new Date(Date.parse(START)),
      EndTime: new Date(Date.parse(START) + 86_400_000),
      Period: 86_400,
      Statistics: ['Sum'],
    });
    return Datapoints[0]?.Sum;
  }

  it('of an HTTP API count its requests, by stage, and by route with detailed metrics', async () => {
    const ApiId = await test.create();
    await test.route(ApiId, 'GET /fine', 'fine');
    await test.route(ApiId, 'GET /broken', 'broken');
    await test.api.updateStage({
      ApiId,
      StageName: '$default',
      RouteSettings: { 'GET /fine': { DetailedMetricsEnabled: true } },
    });
    for (const path of ['/fine', '/fine', '/broken', '/none']) await test.fetch(ApiId, path);
    const ofApi = { ApiId };
    const ofStage = { ApiId, Stage: '$default' };
    await expect.poll(() => sumOf('Count', ofApi)).toBe(4);
    for (const dimensions of [ofApi, ofStage]) {
      expect(await sumOf('4xx', dimensions)).toBe(1);
      expect(await sumOf('5xx', dimensions)).toBe(1);
      expect(await sumOf('Latency', dimensions)).toBe(0);
      expect(await sumOf('IntegrationLatency', dimensions)).toBe(0);
      expect(await sumOf('DataProcessed', dimensions)).toBe(4 + 4 + 35 + 23);
    }
    const ofRoute = { ...ofStage, Method: 'GET', Resource: '/fine' };
    expect(await sumOf('Count', ofRoute)).toBe(2);
    expect(await sumOf('Count', { ...ofRoute, Resource: '/broken' })).toBeUndefined();
  });

  it('of a WebSocket API count connections, messages and errors', async () => {
    const { ApiId } = await test.api.createApi({
      Name: 'measured',
      ProtocolType: 'WEBSOCKET',
      RouteSelectionExpression: '$request.body.do',
    });
    for (const [RouteKey, fn] of [
      ['$default', 'fine'],
      ['bad', 'broken'],
    ] as const) {
      const IntegrationUri = functionUri(fn);
      const { IntegrationId } = await test.api.createIntegration({
        ApiId,
        IntegrationType: 'AWS_PROXY',
        IntegrationUri,
      });
      await test.api.createRoute({ ApiId, RouteKey, Target: `integrations/${IntegrationId}` });
    }
    await test.api.createRoute({ ApiId, RouteKey: '$connect', AuthorizationType: 'AWS_IAM' });
    await test.api.createStage({ ApiId, StageName: 'dev', AutoDeploy: true });
    const url = `${listener.url.replace('http', 'ws')}/_aws/execute-api/${ApiId}/dev`;
    const refused = new WebSocket(url);
    refused.on('error', () => undefined);
    await once(refused, 'unexpected-response');
    refused.terminate();
    const socket = new WebSocket(url, { headers: { authorization: AUTHORIZATION } });
    await once(socket, 'open');
    for (const message of ['one', 'two', '{"do":"bad"}']) socket.send(message);
    await once(socket, 'message');
    const dimensions = { ApiId: ApiId!, Stage: 'dev' };
    await expect.poll(() => sumOf('MessageCount', dimensions)).toBe(2);
    expect(await sumOf('ConnectCount', dimensions)).toBe(2);
    expect(await sumOf('ClientError', dimensions)).toBe(1);
    expect(await sumOf('ExecutionError', dimensions)).toBe(1);
    expect(await sumOf('IntegrationLatency', { ApiId: ApiId! })).toBe(0);
    socket.close();
    await once(socket, 'close');
  });
});
