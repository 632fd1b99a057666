import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Listener } from '../src/http/listener.ts';
import { createTestEmulator, type TestEmulator, type TestEmulatorOptions } from '../src/testing/index.ts';
import { notesPlugin, waits } from './notes.ts';
import { call } from './requests.ts';

let emulator: TestEmulator;
let listener: Listener;

async function start(options: TestEmulatorOptions = {}): Promise<void> {
  emulator = await createTestEmulator({ plugins: [notesPlugin], ...options });
  listener = await emulator.gateway.listen();
}

beforeAll(() => start());
afterAll(async () => {
  await listener.close(100);
  await emulator.close();
});

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const [DATA, HEADERS, RST_STREAM, SETTINGS, PING, CONTINUATION] = [0, 1, 3, 4, 6, 9] as const;
const [END_STREAM, END_HEADERS] = [1, 4] as const;

/** Returns a frame of HTTP/2 (RFC 9113, section 4.1). */
function frame(type: number, flags: number, stream: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Encodes fields as literals without indexing, none longer than 126 bytes (RFC 7541, section 6.2.2). */
function fields(values: Record<string, string>): Buffer {
  const literal = (text: string): Buffer => {
    const bytes = Buffer.from(text);
    if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
    return Buffer.concat([Buffer.from([127, bytes.length - 127]), bytes]);
  };
  return Buffer.concat(
    Object.entries(values).flatMap(([name, value]) => [Buffer.from([0]), literal(name), literal(value)]),
  );
}

const request = (operation: string): Buffer =>
  fields({ ':method': 'POST', ':path': '/', ':scheme': 'http', ':authority': 'localhost', ...call(operation) });

/** Opens a connection and shakes hands. */
async function open(settings: Uint8Array = Buffer.alloc(0)): Promise<Socket> {
  const socket = connect(listener.port, '127.0.0.1');
  socket.on('error', () => undefined).resume();
  await once(socket, 'connect');
  socket.write(Buffer.concat([PREFACE, frame(SETTINGS, 0, 0, settings), frame(SETTINGS, 1, 0)]));
  return socket;
}

/** Sends pieces until the connection is closed. @returns their number */
async function flood(socket: Socket, piece: (index: number) => Buffer, most: number): Promise<number> {
  const closed = new Promise((resolve) => socket.once('close', resolve));
  let sent = 0;
  for (; sent < most && !socket.destroyed; sent++)
    if (!socket.write(piece(sent)))
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
  await closed;
  return sent;
}

const eventually = async (check: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 500 && !check(); tries++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(check()).toBe(true);
};

/** Returns the sockets of this process, both ends of each connection. */
const openSockets = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

const repeated = (bytes: Buffer, times: number): Buffer => Buffer.concat(Array.from({ length: times }, () => bytes));
const opens = (index: number, flags: number, operation = 'WhoAmI'): Buffer =>
  frame(HEADERS, flags, 2 * index + 1, request(operation));

describe('a connection of HTTP/2 is ended that', () => {
  it.each<[string, (index: number) => Buffer]>([
    ['pings without end', () => repeated(frame(PING, 0, 0, Buffer.alloc(8)), 100)],
    ['changes its settings without end', () => repeated(frame(SETTINGS, 0, 0), 100)],
    [
      'opens streams and resets them',
      (index) =>
        Buffer.concat([opens(index, END_HEADERS), frame(RST_STREAM, 0, 2 * index + 1, Buffer.from([0, 0, 0, 8]))]),
    ],
    [
      'sends headers without end',
      (index) => (index === 0 ? opens(0, 0) : frame(CONTINUATION, 0, 1, fields({ [`x-${index}`]: 'x'.repeat(200) }))),
    ],
    [
      'sends empty data without end',
      (index) => (index === 0 ? opens(0, END_HEADERS, 'PutNote') : repeated(frame(DATA, 0, 1), 100)),
    ],
    ['opens streams without end', (index) => opens(index, END_HEADERS | END_STREAM, 'Wait')],
  ])('%s', async (_, piece) => {
    const socket = await open();
    expect(await flood(socket, piece, 50_000)).toBeLessThan(50_000);
    await eventually(() => waits.running === 0);
  });

  it('reads nothing of its responses', async () => {
    await listener.close(100);
    await emulator.close();
    await start({ stallTimeout: 100 });
    // SETTINGS_INITIAL_WINDOW_SIZE of 0
    const socket = await open(Buffer.from([0, 4, 0, 0, 0, 0]));
    const resets = new Promise<void>((resolve) => {
      let received = Buffer.alloc(0);
      socket.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
        if (received.includes(frame(RST_STREAM, 0, 1, Buffer.from([0, 0, 0, 8])))) resolve();
      });
    });
    socket.write(opens(0, END_HEADERS | END_STREAM));
    await resets;
    socket.destroy();
  });
});

describe('a connection', () => {
  it('leaks nothing if its client disconnects at once', async () => {
    const before = openSockets();
    const clients = Array.from({ length: 300 }, () => connect(listener.port, '127.0.0.1'));
    await Promise.all(clients.map((client) => once(client, 'connect')));
    // Half of them send something first.
    for (const [index, client] of clients.entries()) client.end(index % 2 ? 'GET' : '');
    await Promise.all(clients.map((client) => once(client.resume(), 'close')));
    await eventually(() => openSockets() <= before);
  });

  it('among 2,000 simultaneous ones is not reset', async () => {
    const fields = Object.entries({ ...call('WhoAmI'), connection: 'close', 'content-length': '2' });
    const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const sent = `POST / HTTP/1.1\r\nhost: localhost\r\n${head}\r\n{}`;
    const answers = await Promise.all(
      Array.from({ length: 2000 }, async () => {
        const socket = connect(listener.port, '127.0.0.1', () => socket.write(sent));
        let text = '';
        socket.on('data', (chunk) => {
          text += chunk;
        });
        await once(socket, 'close');
        return text.slice(0, 12);
      }),
    );
    expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 200']));
  });
});
