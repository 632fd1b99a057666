import { once } from 'node:events';
import { connect as openSocket, type Socket } from 'node:net';
import type { Listener } from '@emu/gateway';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiTest, startApis } from '../../../packages/svc-apigatewayv2/test/support.ts';
import { socketApi } from './sockets.ts';

/** Largest number of messages of a connection that are processed at a time. */
const MAX_RUNNING = 100;
const FLOOD = 3000;
/** Milliseconds of work of a function. */
const WORK = 1;
/** Pieces of this work that one turn of the event loop has time for, with room for a slow machine. */
const PER_TURN = 30;

let test: ApiTest;
let listener: Listener;

beforeAll(async () => {
  test = await startApis();
  listener = await test.emulator.gateway.listen({ port: 0 });
});
afterAll(async () => {
  await listener.close(100);
  await test[Symbol.asyncDispose]();
});

const pass = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Works for some milliseconds without waiting. */
function work(): void {
  const end = performance.now() + WORK;
  while (performance.now() < end);
}

/** Returns a client's frame of a short text, masked with zeros (RFC 6455, section 5.2). */
const frame = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);

const handshake = (apiId: string): string =>
  [
    `GET /_aws/execute-api/${apiId}/dev HTTP/1.1`,
    'host: 127.0.0.1',
    'connection: upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    `sec-websocket-key: ${Buffer.alloc(16).toString('base64')}`,
    '\r\n',
  ].join('\r\n');

async function connected(): Promise<Socket> {
  const socket = openSocket(listener.port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** Opens a WebSocket without a library, which would send each message on its own. */
async function webSocket(apiId: string): Promise<Socket> {
  const socket = await connected();
  socket.write(handshake(apiId));
  const [head] = await once(socket, 'data');
  expect(String(head)).toMatch(/^HTTP\/1\.1 101 /);
  return socket;
}

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

describe('a flood', () => {
  it('of messages of one connection is processed by a limited number at a time, in order', async () => {
    const seen: number[] = [];
    let open = false;
    const held: (() => void)[] = [];
    test.functions.set('hold', async ({ body }: { body: string }) => {
      seen.push(Number(body));
      if (!open) await new Promise<void>((resolve) => held.push(resolve));
      return { statusCode: 200 };
    });
    const socket = await webSocket(await socketApi(test, { $default: { fn: 'hold', answers: false } }));
    socket.write(Buffer.concat(Array.from({ length: FLOOD }, (_, index) => frame(String(index)))));
    await expect.poll(() => seen.length).toBeGreaterThanOrEqual(MAX_RUNNING);
    for (let turn = 0; turn < 20; turn++) await pass();
    expect(seen).toHaveLength(MAX_RUNNING);
    open = true;
    for (const release of held) release();
    await expect.poll(() => seen.length, { timeout: 15_000 }).toBe(FLOOD);
    expect(seen).toEqual(Array.from({ length: FLOOD }, (_, index) => index));
    socket.destroy();
  });

  it('of messages is processed in several turns, before the end of its connection', async () => {
    const seen: string[] = [];
    test.functions.set('work', ({ body }: { body?: string }) => {
      seen.push(body ?? 'end');
      work();
      return { statusCode: 200 };
    });
    const routes = { $default: { fn: 'work', answers: false }, $disconnect: { fn: 'work', answers: false } };
    const socket = await webSocket(await socketApi(test, routes));
    socket.end(Buffer.concat(Array.from({ length: 200 }, () => frame('x'))));
    expect(await mostPerTurn(() => seen.length, 201)).toBeLessThan(PER_TURN);
    expect(seen.at(-1)).toBe('end');
  });

  it('of connections is accepted in several turns', async () => {
    let begun = 0;
    test.functions.set('connect', () => {
      begun++;
      work();
      return { statusCode: 200 };
    });
    const apiId = await socketApi(test, { $connect: { fn: 'connect', answers: false } });
    const sockets = await Promise.all(Array.from({ length: 200 }, connected));
    for (const socket of sockets) socket.write(handshake(apiId));
    expect(await mostPerTurn(() => begun, sockets.length)).toBeLessThan(PER_TURN);
    for (const socket of sockets) socket.destroy();
  });
});
