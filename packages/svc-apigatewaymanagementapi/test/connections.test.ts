import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  GetConnectionCommand,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import type { ServiceManifest } from '@emu/core/service';
import { definePlugin } from '@emu/core/service';
import { createTestEmulator, sendRaw, type TestEmulator } from '@emu/gateway/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { manifest } from '../src/manifest.ts';

/** Ids of the open connection and of a closed one. */
const OPEN = 'L0SM9cOFvHcCIhw=';
const CLOSED = 'JKl9dcKWCPECEaA=';
/** Recorded actions on the only open connection. */
const seen: string[] = [];
const connection = {
  id: OPEN,
  apiId: 'api',
  stage: 'dev',
  sourceIp: '10.0.0.1',
  userAgent: 'tester',
  connectedAt: 1000,
  lastActiveAt: 2000,
  socket: {
    OPEN: 1,
    bufferedAmount: 0,
    readyState: 1,
    send(text: string, sent: () => void) {
      seen.push(`send ${text}`);
      sent();
    },
    close: (code: number) => seen.push(`close ${code}`),
  },
};
const connections = {
  get: (id: string) => (id === connection.id ? connection : undefined),
  touch: () => seen.push('touch'),
};
/** Known stages. */
const stage = (apiId: string, name: string) => (/^(?:abc|api)$/.test(apiId) && name === 'dev' ? {} : undefined);
/** A fake of the service that owns the WebSockets; integration/test/apigatewayv2 has real ones. */
const webSockets: ServiceManifest = {
  name: 'apigatewayv2',
  signingNames: ['apigateway'],
  hostNames: ['apigateway'],
  load: async () =>
    definePlugin({
      name: 'apigatewayv2',
      model: { service: 'apigatewayv2', metadata: { protocols: ['restJson1'] }, operations: {}, shapes: {} } as never,
      stateScope: 'region',
      collections: [],
      createState: () => ({ runtime: { connections, stage } }),
      operations: [],
    }),
};

let emulator: TestEmulator;
let client: ApiGatewayManagementApiClient;
beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: [webSockets, manifest] });
  client = new ApiGatewayManagementApiClient(emulator.clientConfig());
});
afterAll(() => emulator.close());

it('rejects an unknown connection with GoneException', async () => {
  const ConnectionId = CLOSED;
  const gone = { name: 'GoneException', $metadata: { httpStatusCode: 410 } };
  await expect(client.send(new GetConnectionCommand({ ConnectionId }))).rejects.toMatchObject(gone);
  await expect(client.send(new DeleteConnectionCommand({ ConnectionId }))).rejects.toMatchObject(gone);
  await expect(client.send(new PostToConnectionCommand({ ConnectionId, Data: 'x' }))).rejects.toMatchObject(gone);
});

it('rejects a message above 128 KB', async () => {
  const post = new PostToConnectionCommand({ ConnectionId: CLOSED, Data: Buffer.alloc(128 * 1024 + 1) });
  await expect(client.send(post)).rejects.toMatchObject({
    name: 'PayloadTooLargeException',
    $metadata: { httpStatusCode: 413 },
  });
});

it("is available below an API's stage, by host and by the path for clients that cannot set the host", async () => {
  const authorization =
    'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/execute-api/aws4_request, SignedHeaders=host, Signature=0';
  for (const [host, target] of [
    ['abc.execute-api.us-east-1.amazonaws.com', '/dev/@connections/JKl9dcKWCPECEaA%3D'],
    ['abc.execute-api.us-east-1.amazonaws.com', '/dev/%40connections/JKl9dcKWCPECEaA%3D'],
    ['localhost:4566', '/_aws/execute-api/abc/dev/@connections/JKl9dcKWCPECEaA%3D'],
    ['localhost:4566', '/@connections/JKl9dcKWCPECEaA%3D'],
  ] as const)
    expect(await sendRaw(emulator, { method: 'GET', target, headers: { host, authorization } })).toMatchObject({
      status: 410,
    });
});

it("rejects endpoints other than the connection's API and stage, and malformed ids", async () => {
  const answerAt = async (endpoint: string, ConnectionId: string): Promise<unknown> => {
    const other = new ApiGatewayManagementApiClient({ ...emulator.clientConfig(), endpoint, maxAttempts: 1 });
    return await other.send(new GetConnectionCommand({ ConnectionId })).then(
      () => undefined,
      ({ name, message, $metadata }) => [$metadata.httpStatusCode, name, message],
    );
  };
  const host = (api: string): string => `http://${api}.execute-api.us-east-1.amazonaws.com`;
  // https://github.com/aws/aws-sdk-php/issues/1955
  const forbidden = [403, 'ForbiddenException', 'Forbidden'];
  for (const endpoint of [
    host('api'),
    `${host('api')}/test`,
    `${host('none')}/dev`,
    `${host('abc')}/dev`,
    'http://localhost:4566/_aws/execute-api/api/test',
  ])
    expect([endpoint, await answerAt(endpoint, OPEN)]).toEqual([endpoint, forbidden]);
  expect(await answerAt(`${host('none')}/dev`, CLOSED)).toEqual(forbidden);
  expect(await answerAt(`${host('api')}/dev`, OPEN)).toBeUndefined();
  // https://github.com/dherault/serverless-offline/issues/749
  for (const id of ['cjy8i76bx002884le6n17d49b', 'abc=', 'L0SM9cOFvHcCIh.='])
    expect(await answerAt(`${host('api')}/dev`, id)).toEqual([
      400,
      'BadRequestException',
      `Invalid connectionId: ${id}`,
    ]);
});

it('reads, posts to and closes an open connection', async () => {
  const ConnectionId = OPEN;
  expect(await client.send(new GetConnectionCommand({ ConnectionId }))).toMatchObject({
    ConnectedAt: new Date(1000),
    LastActiveAt: new Date(2000),
    Identity: { SourceIp: '10.0.0.1', UserAgent: 'tester' },
  });
  await client.send(new PostToConnectionCommand({ ConnectionId, Data: 'hello' }));
  await client.send(new DeleteConnectionCommand({ ConnectionId }));
  expect(seen).toEqual(['send hello', 'touch', 'close 1000']);
});
