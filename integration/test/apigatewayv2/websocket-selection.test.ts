import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Listener } from '@emu/gateway';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiTest, failureOf, functionArn, startApis } from '../../../packages/svc-apigatewayv2/test/support.ts';
import { type Client, connect, type SocketRoute, socketApi } from './sockets.ts';

let test: ApiTest;
let listener: Listener;
let server: Server;
let endpoint: string;
const received: { url: string; headers: Record<string, unknown>; body: string }[] = [];
const open: Client[] = [];

beforeAll(async () => {
  test = await startApis();
  listener = await test.emulator.gateway.listen({ port: 0 });
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url = '', headers } = request;
      received.push({ url, headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(Number(/\d+/.exec(url)?.[0] ?? 200), { 'x-kind': 'good' });
      response.end('{"said":"hi"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  test.functions.set('route', ({ requestContext }) => ({ statusCode: 200, body: requestContext.routeKey }));
  test.functions.set('echo', (event) => event);
  test.functions.set('fails', ({ message }) => {
    throw new Error(message);
  });
});
afterAll(async () => {
  for (const { socket, closed } of open) {
    socket.close();
    await closed;
  }
  await listener.close(100);
  await test[Symbol.asyncDispose]();
  await new Promise((resolve) => server.close(resolve));
});

/** Opens a connection to an API with these routes. */
async function client(routes: Readonly<Record<string, SocketRoute>>, more: object = {}): Promise<Client> {
  const made = await connect(listener, await socketApi(test, routes, more));
  open.push(made);
  return made;
}

it('the escaped key $default selects the default route for every message', async () => {
  const more = { RouteSelectionExpression: '\\$default' };
  const { say } = await client({ $default: { fn: 'route' }, other: { fn: 'route' } }, more);
  expect(await say({ do: 'other' })).toBe('$default');
  expect(await say('text')).toBe('$default');
  const { ApiId } = await test.api.createApi({ Name: 's', ProtocolType: 'WEBSOCKET', ...more });
  expect((await test.api.getApi({ ApiId })).RouteSelectionExpression).toBe('\\$default');
  for (const RouteSelectionExpression of ['$default', 'static', '\\$other'])
    expect(
      await failureOf(test.api.createApi({ Name: 's', ProtocolType: 'WEBSOCKET', RouteSelectionExpression })),
    ).toContain('BadRequestException');
});

/** A route whose response is a template of the integration's result for a message. */
const mock = (templates: Record<string, string>, expression?: string): SocketRoute => ({
  integration: {
    IntegrationType: 'MOCK',
    RequestTemplates: templates,
    ...(expression !== undefined && { TemplateSelectionExpression: expression }),
  },
  responses: { $default: {} },
});

describe('route selection expressions', () => {
  it.each([
    ['$request.body.do', { do: 'a' }, 'a'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how API Gateway writes it
    ['${request.body.do}', { do: 'a' }, 'a'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how API Gateway writes it
    ['${request.body.do}-${request.body.version}', { do: 'a', version: 2 }, 'a-2'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how API Gateway writes it
    ['v/${request.body.do}', { do: 'a' }, 'v/a'],
    ['$request.body.deep.do', { deep: { do: 'a' } }, 'a'],
    ['$request.body.do', { do: 'unknown' }, '$default'],
    ['$request.body.do', { other: 'a' }, '$default'],
    ['$request.body.do', { do: { a: 1 } }, '$default'],
    // A message cannot name a route reserved by API Gateway.
    ['$request.body.do', { do: '$connect' }, '$default'],
    ['$request.body.do', { do: '$disconnect' }, '$default'],
    // It is evaluated once.
    ['$request.body.do', { do: '$request.body.other', other: 'a' }, '$default'],
  ])('%s of %j is %s', async (RouteSelectionExpression, message, key) => {
    const fn = { fn: 'route' };
    const routes = { a: fn, 'a-2': fn, 'v/a': fn, $default: fn, $disconnect: fn };
    const { say } = await client(routes, { RouteSelectionExpression });
    expect(await say(message)).toBe(key);
  });

  it('select routes by the message body only', async () => {
    for (const RouteSelectionExpression of ['action', '$request.header.a', '$default', '$context.routeKey'])
      expect(
        await failureOf(test.api.createApi({ Name: 'bad', ProtocolType: 'WEBSOCKET', RouteSelectionExpression })),
      ).toContain('Invalid RouteSelectionExpression');
  });
});

describe('request templates', () => {
  const templates = { $default: '{"statusCode":200,"by":"default"}', new: '{"statusCode":200,"by":"new"}' };

  it.each([
    [undefined, { kind: 'new' }, 'default'],
    ['\\$default', { kind: 'new' }, 'default'],
    ['new', {}, 'new'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how API Gateway writes it
    ['${request.body.kind}', { kind: 'new' }, 'new'],
    ['$request.body.kind', { kind: 'old' }, 'default'],
    ['$request.body.kind', {}, 'default'],
  ])('by %s for %j is %s', async (expression, message, by) => {
    const { say } = await client({ $default: mock(templates, expression) });
    expect(JSON.parse(await say(message))).toMatchObject({ by });
  });

  it.each([
    ['WHEN_NO_MATCH', { other: '{}' }, true],
    ['WHEN_NO_MATCH', {}, true],
    ['WHEN_NO_TEMPLATES', {}, true],
    ['WHEN_NO_TEMPLATES', { other: '{}' }, false],
    ['NEVER', {}, false],
  ] as const)('%s with %j passes messages on: %s', async (PassthroughBehavior, RequestTemplates, passes) => {
    const integration = {
      IntegrationType: 'AWS' as const,
      IntegrationUri: functionArn('echo'),
      PassthroughBehavior,
      RequestTemplates,
    };
    const { say } = await client({ $default: { integration, responses: { $default: {} } } });
    const answer = JSON.parse(await say({ a: 1 }));
    expect(answer).toEqual(passes ? { a: 1 } : expect.objectContaining({ message: 'Internal server error' }));
  });

  it('can use the message, its context, stage variables and functions', async () => {
    const template = `{"statusCode":200,"a":$input.json('$.a'),"type":"$context.eventType","color":"$stageVariables.color","coded":"$util.base64Encode($input.path('$.b'))"}`;
    const id = await socketApi(test, { $default: mock({ $default: template }) });
    await test.api.updateStage({ ApiId: id, StageName: 'dev', StageVariables: { color: 'red' } });
    const made = await connect(listener, id);
    open.push(made);
    expect(JSON.parse(await made.say({ a: [1], b: 'x' }))).toEqual({
      statusCode: 200,
      a: [1],
      type: 'MESSAGE',
      color: 'red',
      coded: 'eA==',
    });
  });
});

describe('integration responses', () => {
  const http = (path: string, more: object = {}): SocketRoute['integration'] => ({
    IntegrationType: 'HTTP',
    IntegrationMethod: 'POST',
    IntegrationUri: `${endpoint}/${path}`,
    ...more,
  });
  const text = (by: string) => ({ ResponseTemplates: { $default: by } });

  it('are selected by the status of an endpoint', async () => {
    const responses = { '/2\\d\\d/': text('fine'), '/404/': text('none'), $default: text('other') };
    const routes = { 200: { integration: http('200'), responses }, 404: { integration: http('404'), responses } };
    const { say } = await client({ ...routes, 302: { integration: http('302'), responses } });
    expect(await say({ do: '200' })).toBe('fine');
    expect(await say({ do: '404' })).toBe('none');
    expect(await say({ do: '302' })).toBe('other');
  });

  it('are selected by the message of a failing function', async () => {
    const responses = {
      '/.*not found.*/': { ResponseTemplates: { $default: 'missing: $input.path("$.errorMessage")' } },
      $default: text('fine'),
    };
    const integration = { IntegrationType: 'AWS' as const, IntegrationUri: functionArn('fails') };
    const { say } = await client({ $default: { integration, responses } });
    expect(await say({ message: 'pet not found' })).toBe('missing: pet not found');
    expect(JSON.parse(await say({ message: 'boom' }))).toMatchObject({ message: 'Internal server error' });
  });

  it('have templates by status, headers and messages', async () => {
    const ResponseTemplates = { 201: 'made', good: 'kind', new: 'new', $default: 'default' };
    const route = (TemplateSelectionExpression: string): SocketRoute => ({
      integration: http('201'),
      responses: { $default: { ResponseTemplates, TemplateSelectionExpression } },
    });
    const { say } = await client({
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how API Gateway writes it
      status: route('${integration.response.statuscode}'),
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how API Gateway writes it
      header: route('${integration.response.header.X-Kind}'),
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how API Gateway writes it
      many: route('${integration.response.multivalueheader.x-kind}'),
      body: route('$request.body.kind'),
      none: route('$integration.response.header.x-none'),
    });
    const answers = [];
    for (const one of ['status', 'header', 'many', 'body', 'none']) answers.push(await say({ do: one, kind: 'new' }));
    expect(answers).toEqual(['made', 'kind', 'kind', 'new', 'default']);
  });

  it('accept only selections that API Gateway supports', async () => {
    const ApiId = await socketApi(test, { $default: mock({}) });
    const bad = { ApiId, IntegrationType: 'MOCK' as const, TemplateSelectionExpression: '$request.header.a' };
    expect(await failureOf(test.api.createIntegration(bad))).toContain('Invalid TemplateSelectionExpression');
    const { IntegrationId } = await test.api.createIntegration({ ApiId, IntegrationType: 'MOCK' });
    const TemplateSelectionExpression = '$integration.response.body';
    const response = { ApiId, IntegrationId, IntegrationResponseKey: '$default', TemplateSelectionExpression };
    expect(await failureOf(test.api.createIntegrationResponse(response))).toContain(
      'Invalid TemplateSelectionExpression',
    );
  });
});

describe('integrations of every type', () => {
  it('pass messages to endpoints unchanged, or changed by templates', async () => {
    const HTTP_PROXY = {
      IntegrationType: 'HTTP_PROXY' as const,
      IntegrationMethod: 'POST',
      IntegrationUri: `${endpoint}/proxy`,
    };
    const HTTP = { ...HTTP_PROXY, IntegrationType: 'HTTP' as const, RequestTemplates: { $default: '{"t":true}' } };
    const { say } = await client({ proxy: { integration: HTTP_PROXY }, http: { integration: HTTP } });
    expect(await say({ do: 'proxy', a: 1 })).toBe('{"said":"hi"}');
    expect(received.at(-1)!.body).toBe('{"do":"proxy","a":1}');
    expect(await say({ do: 'http' })).toBe('{"said":"hi"}');
    expect(received.at(-1)!.body).toBe('{"t":true}');
  });

  it('respond only if the route has a response', async () => {
    const { say } = await client({ quiet: { fn: 'route', answers: false }, loud: { fn: 'route' } });
    const { socket } = open.at(-1)!;
    socket.send('{"do":"quiet"}');
    expect(await say({ do: 'loud' })).toBe('loud');
  });

  it('map values of multiple headers and parameters of the handshake', async () => {
    const id = await socketApi(test, {
      $connect: {
        integration: {
          IntegrationType: 'HTTP',
          IntegrationMethod: 'POST',
          IntegrationUri: `${endpoint}/connect`,
          RequestParameters: {
            'integration.request.querystring.all': 'route.request.multivaluequerystring.tag',
            'integration.request.querystring.last': 'route.request.querystring.tag',
            'integration.request.header.x-all': 'route.request.multivalueheader.x-tag',
            'integration.request.header.x-stage': 'context.stage',
          },
        },
        responses: { $default: {} },
      },
    });
    const path = `/_aws/execute-api/${id}/dev?tag=a&tag=b`;
    open.push(await connect(listener, id, { path, headers: { 'x-tag': ['c', 'd'] as unknown as string } }));
    const { url, headers } = received.at(-1)!;
    expect(url).toBe('/connect?all=a&all=b&last=b');
    expect(headers).toMatchObject({ 'x-all': 'c,d', 'x-stage': 'dev' });
  });
});
