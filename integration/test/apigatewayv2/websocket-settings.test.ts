import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { APIGateway } from '@aws-sdk/client-api-gateway';
import type { CreateIntegrationCommandInput, CreateRouteCommandInput } from '@aws-sdk/client-apigatewayv2';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import type { Listener } from '@emu/gateway';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as dynamodb } from '@emu/svc-dynamodb/manifest';
import { manifest as logs } from '@emu/svc-logs/manifest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import {
  ACCOUNT,
  type ApiTest,
  functionArn,
  functionUri,
  startApis,
} from '../../../packages/svc-apigatewayv2/test/support.ts';

let test: ApiTest;
let listener: Listener;
let server: Server;
let endpoint: string;
const received: { request: IncomingMessage; body: string }[] = [];

beforeAll(async () => {
  test = await startApis({ manifests: [apigateway, dynamodb, logs] });
  listener = await test.emulator.gateway.listen({ port: 0 });
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ request, body: Buffer.concat(chunks).toString() });
      response.writeHead(200, { 'x-chosen': 'two', 'x-amzn-requestid': 'endpoint-id' });
      response.end('bytes');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  test.functions.set('ok', () => ({ statusCode: 200, body: 'fine' }));
});
afterAll(async () => {
  await listener.close(100);
  await test[Symbol.asyncDispose]();
  await new Promise((resolve) => server.close(resolve));
});

interface Part {
  route?: Partial<CreateRouteCommandInput>;
  integration?: Partial<CreateIntegrationCommandInput>;
  response?: object;
}

/** Creates a WebSocket API with routes that respond, and a stage `dev`. */
async function make(parts: Record<string, Part>, { models = {} as Record<string, object>, stage = {}, api = {} } = {}) {
  const { ApiId } = await test.api.createApi({
    Name: 'settings',
    ProtocolType: 'WEBSOCKET',
    RouteSelectionExpression: '$request.body.do',
    ...api,
  });
  for (const [Name, schema] of Object.entries(models))
    await test.api.createModel({ ApiId, Name, Schema: JSON.stringify(schema) });
  for (const [RouteKey, { route, integration, response }] of Object.entries(parts)) {
    const { IntegrationId } = await test.api.createIntegration({
      ApiId,
      IntegrationType: 'AWS_PROXY',
      IntegrationUri: functionUri('ok'),
      ...integration,
    });
    if (response)
      await test.api.createIntegrationResponse({
        ApiId,
        IntegrationId,
        IntegrationResponseKey: '$default',
        ...response,
      });
    const { RouteId } = await test.api.createRoute({
      ApiId,
      RouteKey,
      Target: `integrations/${IntegrationId}`,
      RouteResponseSelectionExpression: '$default',
      ...route,
    });
    await test.api.createRouteResponse({ ApiId, RouteId, RouteResponseKey: '$default' });
  }
  await test.api.createStage({ ApiId, StageName: 'dev', AutoDeploy: true, ...stage });
  return ApiId!;
}

/** Opens a connection. Returns status and body of a rejection. */
async function open(apiId: string, { query = '', headers = {}, protocols = [] as string[] } = {}) {
  const url = `${listener.url.replace('http', 'ws')}/_aws/execute-api/${apiId}/dev${query}`;
  const socket = new WebSocket(url, protocols, { headers });
  const refusal = new Promise<string>((resolve) => {
    socket.on('unexpected-response', (request, response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        resolve(`${response.statusCode} ${JSON.parse(Buffer.concat(chunks).toString()).message}`);
        request.destroy();
      });
    });
    socket.on('error', () => undefined);
  });
  const refused = await Promise.race([refusal, once(socket, 'open').then(() => undefined)]);
  return { socket, refused };
}

/** Sends a message and returns the response. */
async function say(socket: WebSocket, message: object): Promise<string> {
  const answer = once(socket, 'message') as Promise<[Buffer]>;
  socket.send(JSON.stringify(message));
  return String((await answer)[0]);
}

describe('requirements of routes', () => {
  it('parameters of $connect', async () => {
    const RequestParameters = {
      'route.request.querystring.name': { Required: true },
      'route.request.header.x-tone': { Required: true },
    };
    const apiId = await make({ $connect: { route: { RequestParameters } } });
    const missing = '400 Bad Request';
    expect((await open(apiId)).refused).toBe(missing);
    expect((await open(apiId, { query: '?name=a' })).refused).toBe(missing);
    const { socket, refused } = await open(apiId, { query: '?name=a', headers: { 'X-Tone': 'b' } });
    expect(refused).toBeUndefined();
    socket.close();
  });

  it('messages that match a model', async () => {
    const route = { RequestModels: { $default: 'Sum', text: 'Text' }, ModelSelectionExpression: '$request.body.kind' };
    const models = {
      Sum: { type: 'object', required: ['x'], properties: { x: { type: 'integer', maximum: 10 } } },
      Text: { type: 'object', required: ['text'] },
    };
    const apiId = await make({ add: { route } }, { models });
    const { socket } = await open(apiId);
    expect(await say(socket, { do: 'add', x: 1 })).toBe('fine');
    expect(JSON.parse(await say(socket, { do: 'add', x: 11 }))).toEqual({
      message: 'Bad request body',
      connectionId: expect.any(String),
      requestId: expect.any(String),
    });
    expect(JSON.parse(await say(socket, { do: 'add', kind: 'text' })).message).toBe('Bad request body');
    expect(await say(socket, { do: 'add', kind: 'text', text: 'a' })).toBe('fine');
    socket.close();
  });

  it('an API key in a usage plan of the stage', async () => {
    const apiId = await make({ $connect: { route: { ApiKeyRequired: true } } });
    const keys = new APIGateway(test.emulator.clientConfig());
    const { id: keyId, value } = await keys.createApiKey({ name: 'k', enabled: true });
    const { id: usagePlanId } = await keys.createUsagePlan({
      name: 'p',
      apiStages: [{ apiId, stage: 'dev' }],
      quota: { limit: 1, period: 'DAY' },
    });
    expect((await open(apiId)).refused).toBe('403 Forbidden');
    const headers = { 'x-api-key': value! };
    expect((await open(apiId, { headers })).refused).toBe('403 Forbidden');
    await keys.createUsagePlanKey({ usagePlanId, keyId, keyType: 'API_KEY' });
    const { socket, refused } = await open(apiId, { headers });
    expect(refused).toBeUndefined();
    socket.close();
    expect((await open(apiId, { headers })).refused).toBe('429 Too Many Requests');
    const unknown = keys.updateUsagePlan({
      usagePlanId,
      patchOperations: [{ op: 'add', path: '/apiStages', value: `${apiId}:none` }],
    });
    await expect(unknown).rejects.toMatchObject({ name: 'NotFoundException' });
  });

  it('an API key returned by the authorizer', async () => {
    const apiId = await make({}, { api: { ApiKeySelectionExpression: '$context.authorizer.usageIdentifierKey' } });
    const keys = new APIGateway(test.emulator.clientConfig());
    const { id: keyId, value } = await keys.createApiKey({ enabled: true });
    const { id: usagePlanId } = await keys.createUsagePlan({ name: 'p', apiStages: [{ apiId, stage: 'dev' }] });
    await keys.createUsagePlanKey({ usagePlanId, keyId, keyType: 'API_KEY' });
    test.functions.set('auth', (event: { methodArn: string; queryStringParameters?: { key?: string } }) => ({
      principalId: 'me',
      usageIdentifierKey: event.queryStringParameters?.key,
      policyDocument: {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource: event.methodArn }],
      },
    }));
    const { AuthorizerId } = await test.api.createAuthorizer({
      ApiId: apiId,
      Name: 'a',
      AuthorizerType: 'REQUEST',
      AuthorizerUri: functionUri('auth'),
      IdentitySource: ['route.request.header.host'],
    });
    await test.api.createRoute({
      ApiId: apiId,
      RouteKey: '$connect',
      AuthorizationType: 'CUSTOM',
      AuthorizerId,
      ApiKeyRequired: true,
    });
    expect((await open(apiId)).refused).toBe('403 Forbidden');
    const { socket, refused } = await open(apiId, { query: `?key=${value}` });
    expect(refused).toBeUndefined();
    socket.close();
  });
});

describe('integrations', () => {
  it('call an operation of a service as a role', async () => {
    const tables = new DynamoDB(test.emulator.clientConfig());
    await tables.createTable({
      TableName: 'said',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    });
    const integration: Part['integration'] = {
      IntegrationType: 'AWS',
      IntegrationMethod: 'POST',
      IntegrationUri: 'arn:aws:apigateway:us-east-1:dynamodb:action/PutItem',
      CredentialsArn: `arn:aws:iam::${ACCOUNT}:role/r`,
      RequestTemplates: {
        $default: '{"TableName":"said","Item":{"id":{"S":"$input.path(\'$.id\')"}}}',
      },
    };
    const response = { ResponseTemplates: { $default: 'kept $input.json("$")' } };
    const { socket } = await open(await make({ keep: { integration, response } }));
    expect(await say(socket, { do: 'keep', id: 'a' })).toBe('kept {}');
    expect((await tables.getItem({ TableName: 'said', Key: { id: { S: 'a' } } })).Item).toEqual({ id: { S: 'a' } });
    socket.close();
  });

  it('map parameters of the handshake and of messages', async () => {
    const http: Part['integration'] = {
      IntegrationType: 'HTTP',
      IntegrationMethod: 'POST',
      IntegrationUri: `${endpoint}/{who}`,
    };
    const apiId = await make({
      $connect: {
        integration: {
          ...http,
          RequestParameters: {
            'integration.request.path.who': 'route.request.querystring.name',
            'integration.request.header.x-tone': 'route.request.header.X-Tone',
            'integration.request.header.x-fixed': "'text'",
            'integration.request.querystring.id': 'context.connectionId',
          },
        },
        response: {
          ResponseParameters: {
            'method.response.header.Sec-WebSocket-Protocol': 'integration.response.header.x-chosen',
          },
        },
      },
      tell: {
        integration: {
          ...http,
          ContentHandlingStrategy: 'CONVERT_TO_BINARY',
          RequestTemplates: { $default: "$input.path('$.data')" },
          RequestParameters: { 'integration.request.querystring.to': 'route.request.body.to' },
        },
        response: { ContentHandlingStrategy: 'CONVERT_TO_TEXT' },
      },
    });
    const { socket } = await open(apiId, {
      query: '?name=a%20b',
      headers: { 'x-tone': 'low' },
      protocols: ['one', 'two'],
    });
    expect(socket.protocol).toBe('two');
    const { request } = received.at(-1)!;
    expect(request.url).toMatch(/^\/a%20b\?id=[\w-]+%3D$/);
    expect(request.headers).toMatchObject({ 'x-tone': 'low', 'x-fixed': 'text' });
    const data = Buffer.from('plain').toString('base64');
    expect(await say(socket, { do: 'tell', data, to: 'x' })).toBe(Buffer.from('bytes').toString('base64'));
    expect(received.at(-1)).toMatchObject({ body: 'plain', request: { url: '/%7Bwho%7D?to=x' } });
    socket.close();
  });

  it('use VPC links of REST APIs while they exist', async () => {
    const links = new APIGateway(test.emulator.clientConfig());
    const { id } = await links.createVpcLink({
      name: 'l',
      targetArns: [`arn:aws:elasticloadbalancing:us-east-1:${ACCOUNT}:loadbalancer/net/a/0123456789abcdef`],
    });
    const integration: Part['integration'] = {
      IntegrationType: 'HTTP_PROXY',
      IntegrationMethod: 'POST',
      IntegrationUri: endpoint,
      ConnectionType: 'VPC_LINK',
      ConnectionId: id,
    };
    const { socket } = await open(await make({ ask: { integration } }));
    expect(await say(socket, { do: 'ask' })).toBe('bytes');
    await links.deleteVpcLink({ vpcLinkId: id });
    expect(JSON.parse(await say(socket, { do: 'ask' })).message).toBe('Internal server error');
    socket.close();
  });
});

describe('logs of a stage', () => {
  it('contain connections, messages and their ends', async () => {
    const cloudWatch = new CloudWatchLogs(test.emulator.clientConfig());
    await cloudWatch.createLogGroup({ logGroupName: 'sockets' });
    const integration = { IntegrationType: 'HTTP_PROXY' as const, IntegrationMethod: 'POST', IntegrationUri: endpoint };
    test.functions.set('broken', () => {
      throw new Error('boom');
    });
    const apiId = await make(
      {
        $connect: {},
        $disconnect: {},
        ask: { integration },
        bad: { integration: { IntegrationUri: functionArn('broken') } },
      },
      {
        stage: {
          AccessLogSettings: {
            DestinationArn: `arn:aws:logs:us-east-1:${ACCOUNT}:log-group:sockets`,
            Format:
              '$context.requestId $context.eventType $context.routeKey $context.status $context.integration.requestId $context.error.message $context.disconnectStatusCode',
          },
          DefaultRouteSettings: { LoggingLevel: 'INFO', DataTraceEnabled: true },
        },
      },
    );
    const { socket } = await open(apiId);
    await say(socket, { do: 'ask' });
    await say(socket, { do: 'bad' });
    socket.close();
    const read = async (logGroupName: string) =>
      ((await cloudWatch.filterLogEvents({ logGroupName })).events ?? []).map(({ message }) =>
        message!.replace(/^\S+ /, ''),
      );
    await expect.poll(() => read('sockets')).toHaveLength(4);
    const accesses = (await read('sockets')).map((line) => line.replace(/ [0-9a-f]{8}-[0-9a-f-]{27} /, ' invocation '));
    expect(accesses).toEqual([
      'CONNECT $connect 200 invocation - -',
      'MESSAGE ask 200 endpoint-id - -',
      'MESSAGE bad 500 invocation Internal server error -',
      'DISCONNECT $disconnect 200 invocation - 1005',
    ]);
    const lines = await read(`/aws/apigateway/${apiId}/dev`);
    expect(lines).toEqual(
      expect.arrayContaining([
        `Client [UserAgent: null, SourceIp: 127.0.0.1] is connecting to WebSocket API [${apiId}].`,
        'WebSocket Request Route: [ask]',
        expect.stringMatching(/received message from client \[Connection Id: .*\]\. Message: \[\{"do":"ask"\}\]$/),
        `Endpoint request URI: ${endpoint}/`,
        'Endpoint response body before transformations: bytes',
        expect.stringContaining('Execution failed due to Lambda execution failed with status 200'),
        'Successfully completed execution',
      ]),
    );
  });
});

it('a stage uses an existing client certificate', async () => {
  const certificates = new APIGateway(test.emulator.clientConfig());
  const { clientCertificateId } = await certificates.generateClientCertificate({});
  const ApiId = await make({}, { stage: { ClientCertificateId: clientCertificateId } });
  expect(await test.api.getStage({ ApiId, StageName: 'dev' })).toMatchObject({
    ClientCertificateId: clientCertificateId,
  });
  await expect(test.api.updateStage({ ApiId, StageName: 'dev', ClientCertificateId: 'none' })).rejects.toMatchObject({
    name: 'NotFoundException',
    message: 'Invalid Client Certificate identifier specified',
  });
});
