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

/** Recorded actions on the only open connection. */
const seen: string[] = [];
const connection = {
  id: 'open=',
  apiId: 'api',
  stage: 'dev',
  sourceIp: '10.0.0.1',
  userAgent: 'tester',
  connectedAt: 1000,
  lastActiveAt: 2000,
  socket: {
    OPEN: 1,
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
      createState: () => ({ runtime: { connections } }),
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
  const ConnectionId = 'abc=';
  const gone = { name: 'GoneException', $metadata: { httpStatusCode: 410 } };
  await expect(client.send(new GetConnectionCommand({ ConnectionId }))).rejects.toMatchObject(gone);
  await expect(client.send(new DeleteConnectionCommand({ ConnectionId }))).rejects.toMatchObject(gone);
  await expect(client.send(new PostToConnectionCommand({ ConnectionId, Data: 'x' }))).rejects.toMatchObject(gone);
});

it('rejects a message above 128 KB', async () => {
  const post = new PostToConnectionCommand({ ConnectionId: 'abc=', Data: Buffer.alloc(128 * 1024 + 1) });
  await expect(client.send(post)).rejects.toMatchObject({
    name: 'PayloadTooLargeException',
    $metadata: { httpStatusCode: 413 },
  });
});

it("is available below an API's stage, by host and by the path for clients that cannot set the host", async () => {
  const authorization =
    'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/execute-api/aws4_request, SignedHeaders=host, Signature=0';
  for (const [host, target] of [
    ['abc.execute-api.us-east-1.amazonaws.com', '/dev/@connections/x%3D'],
    ['abc.execute-api.us-east-1.amazonaws.com', '/dev/%40connections/x%3D'],
    ['localhost:4566', '/_aws/execute-api/abc/dev/@connections/x%3D'],
    ['localhost:4566', '/@connections/x%3D'],
  ] as const)
    expect(await sendRaw(emulator, { method: 'GET', target, headers: { host, authorization } })).toMatchObject({
      status: 410,
    });
});

it('reads, posts to and closes an open connection', async () => {
  const ConnectionId = 'open=';
  expect(await client.send(new GetConnectionCommand({ ConnectionId }))).toMatchObject({
    ConnectedAt: new Date(1000),
    LastActiveAt: new Date(2000),
    Identity: { SourceIp: '10.0.0.1', UserAgent: 'tester' },
  });
  await client.send(new PostToConnectionCommand({ ConnectionId, Data: 'hello' }));
  await client.send(new DeleteConnectionCommand({ ConnectionId }));
  expect(seen).toEqual(['send hello', 'touch', 'close 1000']);
});
