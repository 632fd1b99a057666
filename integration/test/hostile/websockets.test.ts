import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Listener } from '@emu/gateway';
import { fakeService } from '@emu/gateway/testing';
import { manifest as apigatewayv2 } from '@emu/svc-apigatewayv2/manifest';
import { expect } from 'vitest';
import { bodyOf, describeHostileInputs, eventually, type HostileClient, type Outcome } from './support.ts';

const FUNCTION = 'arn:aws:lambda:us-east-1:123456789012:function:f';
const URI = `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${FUNCTION}/invocations`;

/** Numbers of messages and connections that must not delay a health check. */
const MESSAGES = 30_000;
const CONNECTIONS = 10_000;
/** Largest number of messages of a connection that are processed at a time. */
const MAX_RUNNING = 100;
/** Milliseconds of work of a function. */
const WORK = 1;
/** Pieces of this work that one turn of the event loop has time for, with room for a slow machine. */
const PER_TURN = 30;

interface SocketEvent {
  readonly requestContext: { readonly routeKey: string };
  readonly body?: string;
}

/** Function of all routes; each case sets its own. */
let invoke: (event: SocketEvent) => unknown;
const lambda = fakeService('lambda', {
  async Invoke({ Payload }) {
    await invoke(JSON.parse(Buffer.from(Payload as Uint8Array).toString()) as SocketEvent);
    return { StatusCode: 200, Payload: Buffer.from('{"statusCode":200}') };
  },
});

/** Creates a WebSocket API whose routes invoke a function. @returns the path of its stage */
async function socketApi(client: HostileClient, ...routes: readonly string[]): Promise<string> {
  return selectingApi(client, '$request.body.do', routes);
}

/** Creates a WebSocket API with a route selection expression. */
async function selectingApi(
  client: HostileClient,
  routeSelectionExpression: string,
  routes: readonly string[],
): Promise<string> {
  const post = async <T>(path: string, input: object): Promise<T> =>
    bodyOf<T>(await client.signed('apigatewayv2', 'POST', `/v2/apis${path}`, input));
  const { apiId } = await post<{ apiId: string }>('', {
    name: 'sockets',
    protocolType: 'WEBSOCKET',
    routeSelectionExpression,
  });
  const integration = { integrationType: 'AWS_PROXY', integrationUri: URI };
  const { integrationId } = await post<{ integrationId: string }>(`/${apiId}/integrations`, integration);
  for (const routeKey of routes) await post(`/${apiId}/routes`, { routeKey, target: `integrations/${integrationId}` });
  await post(`/${apiId}/stages`, { stageName: 'dev', autoDeploy: true });
  return `/_aws/execute-api/${apiId}/dev`;
}

const handshake = (path: string): string =>
  [
    `GET ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'connection: upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    `sec-websocket-key: ${Buffer.alloc(16).toString('base64')}`,
    '\r\n',
  ].join('\r\n');

async function connected({ port }: Listener): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket.on('error', () => undefined);
}

/** Opens a WebSocket without a library, which would send each message on its own. */
async function webSocket(listener: Listener, path: string): Promise<Socket> {
  const socket = await connected(listener);
  socket.write(handshake(path));
  const [head] = await once(socket, 'data');
  expect(String(head)).toMatch(/^HTTP\/1\.1 101 /);
  return socket;
}

/** Returns a client's frame of a short text, masked with zeros (RFC 6455, section 5.2). */
const frame = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);

/** Returns many of the shortest frames: pings or pongs. */
const shortest = (opcode: 0x89 | 0x8a, count: number): Buffer =>
  Buffer.concat(Array<Buffer>(count).fill(Buffer.from([opcode, 0x80, 0, 0, 0, 0])));

/** Runs a flood at an open port. */
async function flooded(client: HostileClient, run: (listener: Listener) => Promise<void>): Promise<Outcome> {
  const listener = await client.emulator.gateway.listen({ port: 0 });
  await run(listener).finally(() => listener.close(0));
  return { status: 200, text: '' };
}

/** Works for some milliseconds without waiting. */
function work(): void {
  const end = performance.now() + WORK;
  while (performance.now() < end);
}

const pass = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Returns the largest number by which a count grows in one turn, until it reaches a total. */
async function mostPerTurn(count: () => number, total: number): Promise<number> {
  let most = 0;
  for (let last = 0; last < total; ) {
    await pass();
    most = Math.max(most, count() - last);
    last = count();
  }
  return most;
}

describeHostileInputs(
  [apigatewayv2, lambda],
  [
    {
      name: '30,000 messages of one WebSocket at once, of which a limited number is processed at a time, in order',
      send: async (client) => {
        const seen: number[] = [];
        let open = false;
        const held: (() => void)[] = [];
        invoke = async ({ body }) => {
          seen.push(Number(body));
          if (!open) await new Promise<void>((resolve) => held.push(resolve));
        };
        const path = await socketApi(client, '$default');
        return flooded(client, async (listener) => {
          const socket = await webSocket(listener, path);
          for (let first = 0; first < MESSAGES; first += 1000)
            socket.write(Buffer.concat(Array.from({ length: 1000 }, (_, index) => frame(String(first + index)))));
          await eventually(async () => seen.length >= MAX_RUNNING || undefined);
          for (let turn = 0; turn < 20; turn++) await pass();
          expect(seen).toHaveLength(MAX_RUNNING);
          open = true;
          for (const release of held) release();
          await eventually(async () => seen.length >= MESSAGES || undefined);
          expect(seen.every((number, index) => number === index)).toBe(true);
          socket.destroy();
        });
      },
    },
    {
      name: '10,000 WebSockets that begin and end at once',
      send: async (client) => {
        const seen = { $connect: 0, $disconnect: 0 };
        invoke = ({ requestContext: { routeKey } }) => {
          seen[routeKey as keyof typeof seen]++;
        };
        const path = await socketApi(client, '$connect', '$disconnect');
        return flooded(client, async ({ port }) => {
          const program = join(import.meta.dirname, 'programs', 'web-sockets.mjs');
          const clients = spawn(process.execPath, [program, String(port), path, String(CONNECTIONS)]);
          const ended = once(clients, 'close');
          try {
            await eventually(async () => seen.$connect === CONNECTIONS || undefined);
          } finally {
            clients.stdin.end();
            await ended;
          }
          await eventually(async () => seen.$disconnect === CONNECTIONS || undefined);
        });
      },
    },
    {
      name: 'messages with work, which are processed in several turns before the end of their connection',
      send: async (client) => {
        const seen: string[] = [];
        invoke = ({ body }) => {
          seen.push(body ?? 'end');
          work();
        };
        const path = await socketApi(client, '$default', '$disconnect');
        return flooded(client, async (listener) => {
          const socket = await webSocket(listener, path);
          socket.end(Buffer.concat(Array.from({ length: 200 }, () => frame('x'))));
          expect(await mostPerTurn(() => seen.length, 201)).toBeLessThan(PER_TURN);
          expect(seen.at(-1)).toBe('end');
        });
      },
    },
    {
      name: 'connections with work, which are accepted in several turns',
      send: async (client) => {
        let begun = 0;
        invoke = () => {
          begun++;
          work();
        };
        const path = await socketApi(client, '$connect');
        return flooded(client, async (listener) => {
          const sockets = await Promise.all(Array.from({ length: 200 }, () => connected(listener)));
          for (const socket of sockets) socket.write(handshake(path));
          expect(await mostPerTurn(() => begun, sockets.length)).toBeLessThan(PER_TURN);
          for (const socket of sockets) socket.destroy();
        });
      },
    },
    {
      name: 'pings of clients that read no pongs, whose connections end while they send more',
      send: async (client) => {
        const path = await socketApi(client, '$default');
        return flooded(client, async (listener) => {
          const sockets = await Promise.all(Array.from({ length: 8 }, () => webSocket(listener, path)));
          const pings = shortest(0x89, 10_000);
          await Promise.all(
            sockets.map(async (socket) => {
              socket.pause();
              while (socket.writable) {
                socket.write(pings);
                await pass();
              }
              socket.destroy();
            }),
          );
        });
      },
    },
    {
      name: 'the shortest frames of 100 WebSockets, which end in the middle of them',
      send: async (client) => {
        let ended = 0;
        invoke = () => {
          ended++;
        };
        const path = await socketApi(client, '$disconnect');
        return flooded(client, async (listener) => {
          const pongs = shortest(0x8a, 10_000);
          const sockets = await Promise.all(Array.from({ length: 100 }, () => webSocket(listener, path)));
          for (const socket of sockets) for (let count = 0; count < 5; count++) socket.write(pongs);
          for (let turn = 0; turn < 20; turn++) await pass();
          for (const socket of sockets) socket.resetAndDestroy();
          await eventually(async () => ended === sockets.length || undefined);
        });
      },
    },
    {
      name: 'a route selection expression of 500 variables for messages of 30 KB',
      send: async (client) => {
        let seen = 0;
        invoke = () => {
          seen++;
        };
        const variables = '\u0024{request.body.a}'.repeat(500);
        const path = await selectingApi(client, variables, ['$default']);
        return flooded(client, async (listener) => {
          const socket = await webSocket(listener, path);
          const text = Buffer.from(JSON.stringify({ a: '', b: Array(10_000).fill(1) }));
          const head = Buffer.from([0x81, 0x80 | 126, text.length >> 8, text.length & 0xff, 0, 0, 0, 0]);
          for (let count = 0; count < 20; count++) socket.write(Buffer.concat([head, text]));
          await eventually(async () => seen === 20 || undefined);
          socket.destroy();
        });
      },
    },
    {
      name: 'a route selection expression of 10,001 characters',
      send: (client) =>
        client.signed('apigatewayv2', 'POST', '/v2/apis', {
          name: 'sockets',
          protocolType: 'WEBSOCKET',
          routeSelectionExpression: `$request.body.${'a'.repeat(9987)}`,
        }),
      code: 'BadRequestException',
      text: 'Invalid RouteSelectionExpression specified',
    },
  ],
);
