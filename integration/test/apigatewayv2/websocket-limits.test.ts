import { createConnection } from 'node:net';
import {
  ApiGatewayManagementApi,
  DeleteConnectionCommand,
  GetConnectionCommand,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import type { Listener } from '@emu/gateway';
import { manifest as management } from '@emu/svc-apigatewaymanagementapi/manifest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ACCOUNT,
  type ApiTest,
  failureOf,
  REGION,
  startApis,
} from '../../../packages/svc-apigatewayv2/test/support.ts';
import { type Client, connect, socketApi } from './sockets.ts';

const FRAME = 32 * 1024;
const MESSAGE = 128 * 1024;
const MINUTE = 60_000;

interface Event {
  readonly body: string;
  readonly requestContext: Readonly<Record<string, unknown>>;
}

let test: ApiTest;
let listener: Listener;
let ApiId: string;
const ends: Event['requestContext'][] = [];

beforeAll(async () => {
  test = await startApis({ manifests: [management] });
  listener = await test.emulator.gateway.listen({ port: 0 });
  test.functions.set('length', ({ body }: Event) => ({ statusCode: 200, body: String(body.length) }));
  test.functions.set('id', ({ requestContext }: Event) => ({ statusCode: 200, body: requestContext.connectionId }));
  test.functions.set('end', ({ requestContext }: Event) => {
    ends.push(requestContext);
  });
  ApiId = await socketApi(test, { $default: { fn: 'length' }, id: { fn: 'id' }, $disconnect: { fn: 'end' } });
});
afterAll(async () => {
  await listener.close(100);
  await test[Symbol.asyncDispose]();
});

/** Resolves after some turns of the event loop. */
async function later(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Sends a message in frames. */
function sendFrames({ socket }: Client, sizes: readonly number[]): void {
  for (const [at, size] of sizes.entries()) socket.send('x'.repeat(size), { fin: at === sizes.length - 1 });
}

/** Sends a handshake with frames in one write. @returns the code of the server's close frame */
async function rawHandshake(id: string, sizes: readonly number[]): Promise<number> {
  const frames = sizes.map((size) => {
    const length = size < 126 ? Buffer.of(0x80 | size) : Buffer.of(0x80 | 126, size >> 8, size & 0xff);
    return Buffer.concat([Buffer.of(0x81), length, Buffer.alloc(4), Buffer.alloc(size, 'x')]);
  });
  const head = [
    `GET /_aws/execute-api/${id}/dev HTTP/1.1`,
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    '\r\n',
  ].join('\r\n');
  const socket = createConnection(listener.port, '127.0.0.1');
  socket.write(Buffer.concat([Buffer.from(head), ...frames]));
  const received: Buffer[] = [];
  for await (const bytes of socket) {
    received.push(bytes as Buffer);
    const all = Buffer.concat(received);
    const start = all.indexOf('\r\n\r\n') + 4;
    if (start >= 4 && all.length >= start + 4 && all[start] === 0x88) {
      socket.destroy();
      return all.readUInt16BE(start + 2);
    }
  }
  throw new Error('the server closed the connection without a close frame');
}

describe('limits of messages', () => {
  it('limits frames to 32 KB, and messages to 128 KB', async () => {
    const client = await connect(listener, ApiId);
    sendFrames(client, [FRAME]);
    expect(await client.next()).toBe(String(FRAME));
    sendFrames(client, [FRAME, FRAME, FRAME, FRAME]);
    expect(await client.next()).toBe(String(MESSAGE));
    sendFrames(client, [FRAME, FRAME, FRAME, FRAME, 1]);
    expect((await client.closed)[0]).toBe(1009);
    const other = await connect(listener, ApiId);
    sendFrames(other, [FRAME + 1]);
    expect((await other.closed)[0]).toBe(1009);
    const later = await connect(listener, ApiId);
    sendFrames(later, [1, FRAME + 1]);
    expect((await later.closed)[0]).toBe(1009);
  });

  it('delivers the messages before a frame that is too long, and not its own', async () => {
    const lengths: number[] = [];
    test.functions.set('lengths', ({ body }: Event) => {
      lengths.push(body.length);
    });
    const id = await socketApi(test, { $default: { fn: 'lengths', answers: false } });
    const { socket, closed } = await connect(listener, id);
    for (const size of [3, FRAME + 1, 5]) socket.send('x'.repeat(size));
    expect((await closed)[0]).toBe(1009);
    await expect.poll(() => lengths).toEqual([3]);
    // All frames arrive with the handshake.
    const early = await rawHandshake(id, [4, FRAME + 1]);
    expect(early).toBe(1009);
    await expect.poll(() => lengths).toEqual([3, 4]);
  });

  it('limits posted messages to 128 KB', async () => {
    const client = await connect(listener, ApiId);
    const ConnectionId = await client.say({ do: 'id' });
    const api = new ApiGatewayManagementApi({ ...test.emulator.clientConfig(), maxAttempts: 1 });
    await api.send(new PostToConnectionCommand({ ConnectionId, Data: 'y'.repeat(MESSAGE) }));
    expect((await client.next()).length).toBe(MESSAGE);
    const post = new PostToConnectionCommand({ ConnectionId, Data: 'y'.repeat(MESSAGE + 1) });
    await expect(api.send(post)).rejects.toMatchObject({
      name: 'PayloadTooLargeException',
      $metadata: { httpStatusCode: 413 },
    });
    client.socket.close();
    await client.closed;
  });
});

describe('a client that does not read', () => {
  it('delays the processing of its messages, and messages to it are refused', async () => {
    let invoked = 0;
    test.functions.set('large', () => {
      invoked++;
      return { statusCode: 200, body: String(invoked).padEnd(100_000) };
    });
    const id = await socketApi(test, { $default: { fn: 'large' }, id: { fn: 'id' } });
    const client = await connect(listener, id);
    const ConnectionId = await client.say({ do: 'id' });
    client.socket.pause();
    for (let count = 0; count < 1000; count++) client.socket.send('x');
    // The system buffers some megabytes.
    const api = new ApiGatewayManagementApi({ ...test.emulator.clientConfig(), maxAttempts: 1 });
    const post = () => api.send(new PostToConnectionCommand({ ConnectionId, Data: 'y' }));
    const refusal = { name: 'LimitExceededException', $metadata: { httpStatusCode: 429 } };
    // https://docs.aws.amazon.com/apigatewaymanagementapi/latest/reference/API_PostToConnection.html
    await expect.poll(() => Promise.race([post(), later()]).catch((error) => error)).toMatchObject(refusal);
    const before = invoked;
    await later();
    expect([invoked, before < 500]).toEqual([before, true]);
    client.socket.resume();
    await expect.poll(() => invoked, { timeout: 20_000 }).toBe(1000);
    client.socket.close();
    await client.closed;
  });
});

describe('$disconnect receives', () => {
  const api = (): ApiGatewayManagementApi => new ApiGatewayManagementApi(test.emulator.clientConfig());
  const stay = async ({ say }: Client, minutes: number): Promise<void> => {
    for (let past = 0; past < minutes; past += 9) {
      await say('here');
      await test.advance(9 * MINUTE);
    }
  };

  it.each<[by: string, code: number, end: (client: Client) => unknown]>([
    ['a client that says goodbye', 1000, ({ socket }) => socket.close(1000, 'bye')],
    ['a client that gives a code of its own', 4000, ({ socket }) => socket.close(4000, 'mine')],
    ['a client that goes without a word', 1006, ({ socket }) => socket.terminate()],
    ['a frame that is too long', 1009, (client) => sendFrames(client, [FRAME + 1])],
    ['a message that is too long', 1009, (client) => sendFrames(client, [FRAME, FRAME, FRAME, FRAME, 1])],
    ['text that is not UTF-8', 1007, ({ socket }) => socket.send(Buffer.from([0xff, 0xfe]), { binary: false })],
    ['a binary message', 1003, ({ socket }) => socket.send(Buffer.from([1]))],
    ['ten minutes without a message', 1001, () => test.advance(10 * MINUTE)],
    ['two hours', 1001, (client) => stay(client, 120)],
    [
      'the management API',
      1000,
      async ({ say }) => api().send(new DeleteConnectionCommand({ ConnectionId: await say({ do: 'id' }) })),
    ],
  ])('of %s', async (_, code, end) => {
    const client = await connect(listener, ApiId);
    const connectionId = await client.say({ do: 'id' });
    ends.length = 0;
    await end(client);
    await expect.poll(() => ends).toHaveLength(1);
    expect(ends).toMatchObject([
      {
        routeKey: '$disconnect',
        eventType: 'DISCONNECT',
        connectionId,
        disconnectStatusCode: code,
        disconnectReason: expect.any(String),
      },
    ]);
    const gone = new GetConnectionCommand({ ConnectionId: connectionId });
    expect(await failureOf(api().send(gone))).toContain('GoneException');
    await client.closed;
  });

  it('a message, a ping and a posted message keep a connection open', async () => {
    const client = await connect(listener, ApiId);
    const ConnectionId = await client.say({ do: 'id' });
    const { socket } = client;
    const acts: (() => Promise<unknown>)[] = [
      () => client.say('message'),
      async () => {
        const pong = new Promise((resolve) => socket.once('pong', resolve));
        socket.ping();
        await pong;
      },
      async () => {
        await api().send(new PostToConnectionCommand({ ConnectionId, Data: 'x' }));
        await client.next();
      },
    ];
    for (const act of acts) {
      await test.advance(9 * MINUTE);
      await act();
    }
    expect(socket.readyState).toBe(socket.OPEN);
    await test.advance(10 * MINUTE);
    expect((await client.closed)[0]).toBe(1001);
  });

  it('a connection ends with its stage and API', async () => {
    for (const end of [
      (id: string) => test.api.deleteStage({ ApiId: id, StageName: 'dev' }),
      (id: string) => test.api.deleteApi({ ApiId: id }),
    ]) {
      const id = await socketApi(test, { $default: { fn: 'length' } });
      const client = await connect(listener, id);
      await end(id);
      expect((await client.closed)[0]).toBe(1001);
    }
  });
});

it('the management API is available at every address that clients use', async () => {
  const DomainName = 'chat.example.com';
  const CertificateArn = `arn:aws:acm:${REGION}:${ACCOUNT}:certificate/c`;
  await test.api.createDomainName({ DomainName, DomainNameConfigurations: [{ CertificateArn }] });
  for (const ApiMappingKey of ['', 'team/chat'])
    await test.api.createApiMapping({ DomainName, ApiId, Stage: 'dev', ApiMappingKey });
  const byDomain = await connect(listener, ApiId, { path: '/team/chat', headers: { host: DomainName } });
  const ConnectionId = await byDomain.say({ do: 'id' });
  const port = ':4566';
  for (const endpoint of [
    `http://localhost${port}`,
    `http://127.0.0.1${port}`,
    `http://localhost${port}/_aws/execute-api/${ApiId}/dev`,
    `http://${ApiId}.execute-api.${REGION}.localhost${port}/dev`,
    `http://${ApiId}.execute-api.${REGION}.amazonaws.com/dev`,
    `http://${ApiId}.execute-api.localhost.localstack.cloud${port}/dev`,
    `http://${ApiId}.execute-api.${REGION}.localhost.localstack.cloud${port}/dev`,
    `http://${DomainName}`,
    `http://${DomainName}/team/chat`,
  ]) {
    const api = new ApiGatewayManagementApi({ ...test.emulator.clientConfig(), endpoint, maxAttempts: 1 });
    await api.send(new PostToConnectionCommand({ ConnectionId, Data: endpoint }));
    expect(await byDomain.next()).toBe(endpoint);
    const known = await api.send(new GetConnectionCommand({ ConnectionId }));
    expect(known).toMatchObject({ Identity: { SourceIp: '127.0.0.1' }, ConnectedAt: expect.any(Date) });
  }
  const other = await socketApi(test, { $default: { fn: 'length' } });
  await test.api.createApiMapping({ DomainName, ApiId: other, Stage: 'dev', ApiMappingKey: 'other' });
  const elsewhere = `http://${DomainName}/other`;
  const foreign = new ApiGatewayManagementApi({ ...test.emulator.clientConfig(), endpoint: elsewhere, maxAttempts: 1 });
  expect(await failureOf(foreign.send(new GetConnectionCommand({ ConnectionId })))).toBe(
    'ForbiddenException: Forbidden',
  );
  const endpoint = `http://${DomainName}/team/chat`;
  const api = new ApiGatewayManagementApi({ ...test.emulator.clientConfig(), endpoint, maxAttempts: 1 });
  const long = new PostToConnectionCommand({ ConnectionId, Data: 'y'.repeat(MESSAGE + 1) });
  expect(await failureOf(api.send(long))).toContain('PayloadTooLargeException');
  const path = `/team/chat/@connections/${encodeURIComponent(ConnectionId)}`;
  expect(await test.fetchHost(DomainName, path)).toMatchObject({
    status: 403,
    body: '{"message":"Missing Authentication Token"}',
  });
  expect(await test.fetchHost(DomainName, '/team/chat')).toMatchObject({ status: 426 });
  await api.send(new DeleteConnectionCommand({ ConnectionId }));
  expect((await byDomain.closed)[0]).toBe(1000);
  expect(await failureOf(api.send(new GetConnectionCommand({ ConnectionId })))).toContain('GoneException');
});

it('connections can be opened with every form of host, and with domain names', async () => {
  for (const [host, path] of [
    [`${ApiId}.execute-api.${REGION}.amazonaws.com`, '/dev'],
    [`${ApiId}.execute-api.${REGION}.localhost`, '/dev'],
    [`${ApiId}.execute-api.localhost`, '/dev'],
    [`${ApiId}.execute-api.${REGION}.localhost.localstack.cloud`, '/dev/'],
    ['localhost', `/_aws/execute-api/${ApiId}/dev`],
    ['localhost', `/_emulator/apigatewayv2/ws/${ApiId}`],
    ['localhost', `/_emulator/apigatewayv2/ws/${ApiId}?stage=dev`],
    ['chat.example.com', '/'],
    ['chat.example.com', '/team/chat'],
  ] as const) {
    const client = await connect(listener, ApiId, { path, headers: { host: `${host}:${listener.port}` } });
    expect(await client.say('12345')).toBe('5');
    client.socket.close();
    await client.closed;
  }
});
