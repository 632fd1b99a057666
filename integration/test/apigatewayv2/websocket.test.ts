import { once } from 'node:events';
import {
  ApiGatewayManagementApi,
  DeleteConnectionCommand,
  GetConnectionCommand,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import type { Listener } from '@emu/gateway';
import { enforceQuota } from '@emu/gateway/testing';
import { manifest as management } from '@emu/svc-apigatewaymanagementapi/manifest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import {
  type ApiTest,
  failureOf,
  functionArn,
  functionUri,
  startApis,
} from '../../../packages/svc-apigatewayv2/test/support.ts';

let test: ApiTest;
let listener: Listener;

beforeAll(async () => {
  test = await startApis({ manifests: [management] });
  listener = await test.emulator.gateway.listen({ port: 0 });
});
afterAll(async () => {
  await listener.close(100);
  await test[Symbol.asyncDispose]();
});

// biome-ignore lint/suspicious/noExplicitAny: events are whatever API Gateway makes
type Event = any;

/** Creates a WebSocket API whose routes call functions with these names, with a stage `dev`. */
async function socketApi(routes: Record<string, string>, answers: readonly string[] = []): Promise<string> {
  const { ApiId } = await test.api.createApi({
    Name: 'chat',
    ProtocolType: 'WEBSOCKET',
    RouteSelectionExpression: '$request.body.action',
  });
  for (const [RouteKey, fn] of Object.entries(routes)) {
    const { IntegrationId } = await test.api.createIntegration({
      ApiId,
      IntegrationType: 'AWS_PROXY',
      IntegrationUri: functionUri(fn),
    });
    const { RouteId } = await test.api.createRoute({
      ApiId,
      RouteKey,
      Target: `integrations/${IntegrationId}`,
      ...(answers.includes(RouteKey) && { RouteResponseSelectionExpression: '$default' }),
    });
    if (answers.includes(RouteKey))
      await test.api.createRouteResponse({ ApiId, RouteId, RouteResponseKey: '$default' });
  }
  await test.api.createStage({ ApiId, StageName: 'dev', AutoDeploy: true, StageVariables: { color: 'red' } });
  return ApiId!;
}

const wsUrl = (apiId: string): string => `${listener.url.replace('http', 'ws')}/_aws/execute-api/${apiId}/dev`;

/** Opens a connection that buffers its messages. */
async function connect(
  url: string,
  { protocols = [], ...options }: { protocols?: string[] } & Pick<ClientOptions, 'headers' | 'rejectUnauthorized'> = {},
) {
  const socket = new WebSocket(url, protocols, options);
  const waiting: string[] = [];
  let wake = (): void => undefined;
  socket.on('message', (data) => {
    waiting.push(String(data));
    wake();
  });
  const closed = once(socket, 'close') as Promise<[number, Buffer]>;
  await once(socket, 'open');
  return {
    socket,
    closed,
    async next(): Promise<string> {
      if (waiting.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      return waiting.shift()!;
    },
  };
}

/** Returns the status of a rejected handshake. */
const refused = (url: string, headers: Record<string, string> = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { headers });
    socket.on('unexpected-response', (request, response) => {
      resolve(response.statusCode!);
      request.destroy();
    });
    socket.on('open', () => reject(new Error('the connection was made')));
    socket.on('error', () => undefined);
  });

const managementOf = (apiId: string): ApiGatewayManagementApi =>
  new ApiGatewayManagementApi({
    ...test.emulator.clientConfig(),
    endpoint: `http://${apiId}.execute-api.us-east-1.localhost:4566/dev`,
  });

describe('a chat', () => {
  const events: Event[] = [];
  let apiId: string;

  beforeAll(async () => {
    const people = new Map<string, string>();
    test.functions.set('connect', (event: Event) => {
      events.push(event);
      people.set(event.requestContext.connectionId, event.queryStringParameters?.name);
      return { statusCode: event.queryStringParameters?.name === 'banned' ? 403 : 200 };
    });
    test.functions.set('disconnect', (event: Event) => {
      events.push(event);
      people.delete(event.requestContext.connectionId);
    });
    test.functions.set('say', async (event: Event) => {
      events.push(event);
      const from = people.get(event.requestContext.connectionId);
      const { text } = JSON.parse(event.body);
      for (const ConnectionId of people.keys())
        await managementOf(apiId).send(
          new PostToConnectionCommand({ ConnectionId, Data: Buffer.from(`${from}: ${text}`) }),
        );
      return { statusCode: 200 };
    });
    test.functions.set('other', (event: Event) => ({ statusCode: 200, body: `what is ${event.body}?` }));
    test.functions.set('broken', () => {
      throw new Error('boom');
    });
    apiId = await socketApi(
      { $connect: 'connect', $disconnect: 'disconnect', say: 'say', broken: 'broken', $default: 'other' },
      ['$default'],
    );
  });

  it('is open to pages of every site, as in AWS, unlike the rest of emu', async () => {
    const headers = { origin: 'https://evil.com' };
    const page = await connect(`${wsUrl(apiId)}?name=page`, { headers });
    expect(events.at(-1).headers.origin).toBe('https://evil.com');
    page.socket.close();
    await page.closed;
    const emu = listener.url.replace('http', 'ws');
    for (const path of ['/_emulator/health', '/', '/bucket/key', `/dev/@connections/none`])
      expect(await refused(`${emu}${path}`, headers), path).toBe(403);
    expect(await refused(wsUrl(apiId), { host: 'evil.com' })).toBe(403);
    expect(await refused(`${emu}/_emulator/health`, { host: 'x.localhost.evil.com' })).toBe(403);
    await expect.poll(() => events.map(({ requestContext }) => requestContext.routeKey)).toContain('$disconnect');
    events.length = 0;
  });

  it('sends messages from everybody to everybody', async () => {
    const ann = await connect(`${wsUrl(apiId)}?name=ann`);
    const bob = await connect(`${wsUrl(apiId)}?name=bob`);
    ann.socket.send('{"action":"say","text":"hi"}');
    expect(await Promise.all([ann.next(), bob.next()])).toEqual(['ann: hi', 'ann: hi']);
    ann.socket.send('nonsense');
    expect(await ann.next()).toBe('what is nonsense?');
    ann.socket.send('{"action":"broken"}');
    expect(JSON.parse(await ann.next())).toMatchObject({ message: 'Internal server error' });
    const { json } = await test.emulator.control('GET', '/_emulator/apigatewayv2/connections');
    expect((json as { connections: object[] }).connections).toMatchObject([
      { apiId, stage: 'dev', sourceIp: '127.0.0.1' },
      { apiId, stage: 'dev' },
    ]);
    ann.socket.close(1000, 'bye');
    bob.socket.terminate();
    await expect
      .poll(() => events.filter(({ requestContext: { eventType } }) => eventType === 'DISCONNECT'))
      .toHaveLength(2);
    const [connected, , said] = events;
    expect(connected).toMatchObject({
      queryStringParameters: { name: 'ann' },
      multiValueQueryStringParameters: { name: ['ann'] },
      stageVariables: { color: 'red' },
      isBase64Encoded: false,
      requestContext: { routeKey: '$connect', eventType: 'CONNECT', messageDirection: 'IN', stage: 'dev', apiId },
    });
    expect(connected).not.toHaveProperty('body');
    expect(said).toMatchObject({
      body: '{"action":"say","text":"hi"}',
      requestContext: {
        routeKey: 'say',
        eventType: 'MESSAGE',
        connectionId: connected.requestContext.connectionId,
        messageId: expect.any(String),
      },
    });
    const left = events.find(({ requestContext: { disconnectReason } }) => disconnectReason === 'bye');
    expect(left).toMatchObject({ requestContext: { routeKey: '$disconnect', disconnectStatusCode: 1000 } });
  });

  it('admits only clients that $connect admits, and no other stage', async () => {
    expect(await refused(`${wsUrl(apiId)}?name=banned`)).toBe(403);
    expect(await refused(`${wsUrl(apiId).replace('/dev', '/none')}`)).toBe(403);
    const plain = await fetch(`${listener.url}/_aws/execute-api/${apiId}/dev`);
    expect(plain.status).toBe(426);
  });

  it('ends after too large or binary messages, after inactivity, and after two hours', async () => {
    const large = await connect(wsUrl(apiId));
    large.socket.send('x'.repeat(33 * 1024));
    expect((await large.closed)[0]).toBe(1009);
    const binary = await connect(wsUrl(apiId));
    binary.socket.send(Buffer.from([1]));
    expect((await binary.closed)[0]).toBe(1003);
    const idle = await connect(wsUrl(apiId));
    await test.advance(5 * 60_000);
    idle.socket.send('still here');
    await idle.next();
    await test.advance(9 * 60_000);
    expect(idle.socket.readyState).toBe(WebSocket.OPEN);
    await test.advance(60_000);
    expect((await idle.closed)[0]).toBe(1001);
    const busy = await connect(wsUrl(apiId));
    for (let minutes = 0; minutes < 120; minutes += 8) {
      expect(busy.socket.readyState).toBe(WebSocket.OPEN);
      busy.socket.send('busy');
      await busy.next();
      await test.advance(8 * 60_000);
    }
    expect((await busy.closed)[0]).toBe(1001);
    // $disconnect is called for each end.
    const ends = () => events.filter(({ requestContext }) => requestContext.eventType === 'DISCONNECT');
    await expect
      .poll(() => ends().map(({ requestContext }) => requestContext.disconnectStatusCode))
      .toEqual(expect.arrayContaining([1009, 1003, 1001]));
  });

  it('is reachable through the control route, the host of the API, and TLS', async () => {
    const byControl = await connect(`${listener.url.replace('http', 'ws')}/_emulator/apigatewayv2/ws/${apiId}`);
    byControl.socket.send('x');
    expect(await byControl.next()).toBe('what is x?');
    byControl.socket.close();
    const byHost = await connect(`${listener.url.replace('http', 'ws')}/dev`, {
      headers: { host: `${apiId}.execute-api.us-east-1.amazonaws.com` },
    });
    byHost.socket.send('y');
    expect(await byHost.next()).toBe('what is y?');
    byHost.socket.close();
    // The certificate is emu's own, for names of this machine.
    const secure = await connect(wsUrl(apiId).replace('ws:', 'wss:'), { rejectUnauthorized: false });
    secure.socket.send('z');
    expect(await secure.next()).toBe('what is z?');
    secure.socket.close();
    await Promise.all([byControl.closed, byHost.closed, secure.closed]);
    await expect
      .poll(() => test.emulator.control('GET', '/_emulator/apigatewayv2/connections'))
      .toMatchObject({
        json: { connections: [] },
      });
  });
});

describe('the management API', () => {
  it('reads, posts to and deletes connections below a stage, and reports closed ones', async () => {
    test.functions.set('id', ({ requestContext }: Event) => ({ statusCode: 200, body: requestContext.connectionId }));
    const apiId = await socketApi({ $default: 'id' }, ['$default']);
    const client = await connect(wsUrl(apiId), { headers: { 'user-agent': 'tester' } });
    client.socket.send('who');
    const ConnectionId = await client.next();
    const api = managementOf(apiId);
    expect(await api.send(new GetConnectionCommand({ ConnectionId }))).toMatchObject({
      Identity: { SourceIp: '127.0.0.1', UserAgent: 'tester' },
      ConnectedAt: expect.any(Date),
    });
    for (const endpoint of ['http://localhost:4566', `http://localhost:4566/_aws/execute-api/${apiId}/dev`]) {
      const other = new ApiGatewayManagementApi({ ...test.emulator.clientConfig(), endpoint });
      await other.send(new PostToConnectionCommand({ ConnectionId, Data: 'ü' }));
      expect(await client.next()).toBe('ü');
    }
    const Data = Buffer.alloc(128 * 1024 + 1);
    expect(await failureOf(api.send(new PostToConnectionCommand({ ConnectionId, Data })))).toContain('PayloadTooLarge');
    await api.send(new DeleteConnectionCommand({ ConnectionId }));
    expect((await client.closed)[0]).toBe(1000);
    for (const Command of [GetConnectionCommand, DeleteConnectionCommand])
      expect(await failureOf(api.send(new Command({ ConnectionId }) as never))).toContain('GoneException');
    expect(await failureOf(api.send(new PostToConnectionCommand({ ConnectionId, Data: 'x' })))).toContain(
      'GoneException',
    );
  });
});

it('authorizers decide on connections, and $connect selects the subprotocol', async () => {
  test.functions.set('auth', ({ headers, methodArn }: Event) => ({
    principalId: 'me',
    context: { level: 3 },
    policyDocument: {
      Version: '2012-10-17',
      Statement: [
        { Effect: headers.Token === 'good' ? 'Allow' : 'Deny', Action: 'execute-api:Invoke', Resource: methodArn },
      ],
    },
  }));
  test.functions.set('choose', () => ({ statusCode: 200, headers: { 'Sec-WebSocket-Protocol': 'b' } }));
  test.functions.set('tell', ({ requestContext }: Event) => ({
    statusCode: 200,
    body: JSON.stringify(requestContext.authorizer),
  }));
  const apiId = await socketApi({ $connect: 'choose', $default: 'tell' }, ['$default']);
  const { AuthorizerId } = await test.api.createAuthorizer({
    ApiId: apiId,
    Name: 'auth',
    AuthorizerType: 'REQUEST',
    AuthorizerUri: functionUri('auth'),
    IdentitySource: ['route.request.header.Token'],
  });
  const { Items = [] } = await test.api.getRoutes({ ApiId: apiId });
  const { RouteId } = Items.find(({ RouteKey }) => RouteKey === '$connect')!;
  await test.api.updateRoute({ ApiId: apiId, RouteId, AuthorizationType: 'CUSTOM', AuthorizerId });
  expect(await refused(wsUrl(apiId))).toBe(401);
  expect(await refused(wsUrl(apiId), { Token: 'bad' })).toBe(403);
  const client = await connect(wsUrl(apiId), { headers: { Token: 'good' }, protocols: ['a', 'b'] });
  expect(client.socket.protocol).toBe('b');
  client.socket.send('x');
  expect(JSON.parse(await client.next())).toEqual({ level: '3', principalId: 'me' });
  client.socket.close();
  await client.closed;
  await test.api.deleteApi({ ApiId: apiId });
});

it('MOCK and AWS integrations use templates', async () => {
  const { ApiId } = await test.api.createApi({
    Name: 'mock',
    ProtocolType: 'WEBSOCKET',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how API Gateway writes it
    RouteSelectionExpression: '${request.body.do}',
  });
  test.functions.set('sum', ({ a, b }: Event) => ({ sum: a + b }));
  const add = async (RouteKey: string, integration: object, template: string) => {
    const { IntegrationId } = await test.api.createIntegration({ ApiId, IntegrationType: 'MOCK', ...integration });
    await test.api.createIntegrationResponse({
      ApiId,
      IntegrationId,
      IntegrationResponseKey: '/2\\d\\d/',
      ResponseTemplates: { $default: template },
    });
    const { RouteId } = await test.api.createRoute({
      ApiId,
      RouteKey,
      Target: `integrations/${IntegrationId}`,
      RouteResponseSelectionExpression: '$default',
    });
    await test.api.createRouteResponse({ ApiId, RouteId, RouteResponseKey: '$default' });
  };
  await add('ping', { RequestTemplates: { $default: '{"statusCode":200}' } }, '{"pong":"$context.connectionId"}');
  await add(
    'sum',
    {
      IntegrationType: 'AWS',
      IntegrationUri: functionArn('sum'),
      RequestTemplates: { $default: '{"a":$input.path("$.x"),"b":2}' },
    },
    'is $input.path("$.sum")',
  );
  await test.api.createStage({ ApiId, StageName: 'dev' });
  await test.api.createDeployment({ ApiId, StageName: 'dev' });
  const client = await connect(wsUrl(ApiId!));
  client.socket.send('{"do":"ping"}');
  expect(JSON.parse(await client.next())).toEqual({ pong: expect.any(String) });
  client.socket.send('{"do":"sum","x":40}');
  expect(await client.next()).toBe('is 42');
  client.socket.send('{"do":"nothing"}');
  expect(JSON.parse(await client.next())).toMatchObject({ message: 'Forbidden', connectionId: expect.any(String) });
  await test.api.deleteStage({ ApiId, StageName: 'dev' });
  expect((await client.closed)[0]).toBe(1001);
});

it('new connections have an account rate', async () => {
  test.functions.set('quiet', () => ({ statusCode: 200 }));
  const apiId = await socketApi({ $default: 'quiet' });
  test.emulator.kernel.clock.freeze();
  await enforceQuota(test.emulator, 'apigateway/L-9ED1E49A', 1);
  const { socket, closed } = await connect(wsUrl(apiId));
  expect(await refused(wsUrl(apiId))).toBe(429);
  await test.emulator.kernel.clock.advance(1000);
  const second = await connect(wsUrl(apiId));
  socket.close();
  second.socket.close();
  await Promise.all([closed, second.closed]);
  await test.emulator.kernel.quotas.setEnforcement({ overrides: [] });
  test.emulator.kernel.clock.resume();
});
