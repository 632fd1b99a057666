import { once } from 'node:events';
import type { NodeShellRequest } from '@emu/core/service';
import type { Listener } from '@emu/gateway';
import { fakeService } from '@emu/gateway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type ChannelMessage, decodeMessage, encodeMessage, PAYLOAD } from '../src/sessions/messages.ts';
import { type Fleet, makeFleet, node } from './nodes.ts';
import { failureOf, type SsmTest, startSsm } from './support.ts';

const NODE = 'i-0123456789abcdef0';

/** Polls a condition with a timeout for slow machines. */
const soon = <T>(read: () => T) => expect.poll(read, { timeout: 10_000 });

/** A shell of a test that records its input. */
interface TestShell {
  readonly request: NodeShellRequest;
  readonly typed: string[];
  readonly sizes: [number, number][];
  end(code: number): void;
  closed: boolean;
}

/** Stored objects by bucket and key. */
const objects = new Map<string, string>();
const s3 = fakeService('s3', {
  PutObject({ Bucket, Key, Body }) {
    objects.set(`${Bucket}/${Key}`, Buffer.from(Body as Uint8Array).toString());
    return {};
  },
});

let t: SsmTest;
let fleet: Fleet;
let listener: Listener;
const shells: TestShell[] = [];

beforeAll(async () => {
  fleet = makeFleet(node(NODE));
  fleet.open = (_id, request) => {
    let end!: (code: number) => void;
    const ended = new Promise<number>((resolve) => {
      end = resolve;
    });
    const shell: TestShell = { request, typed: [], sizes: [], end, closed: false };
    shells.push(shell);
    return {
      ended,
      write(bytes) {
        shell.typed.push(Buffer.from(bytes).toString());
        request.output(Buffer.from(`you said ${Buffer.from(bytes)}`));
      },
      resize: (columns, rows) => void shell.sizes.push([columns, rows]),
      close() {
        shell.closed = true;
        end(0);
      },
    };
  };
  t = await startSsm({ manifests: [fleet.manifest, s3] });
  listener = await t.emulator.gateway.listen({ port: 0 });
});
afterAll(async () => {
  await listener.close(100);
  await t[Symbol.asyncDispose]();
});

/** Connects a client that acknowledges messages, as the Session Manager plugin does. */
async function client(url: string, token: string) {
  const { pathname, search } = new URL(url);
  const socket = new WebSocket(`${listener.url.replace('http', 'ws')}${pathname}${search}`);
  const received: ChannelMessage[] = [];
  const acknowledged: number[] = [];
  let next = 0;
  socket.on('message', (data: Buffer) => {
    const message = decodeMessage(data)!;
    const payload = message.payload.toString();
    if (message.type === 'acknowledge') acknowledged.push(JSON.parse(payload).AcknowledgedMessageSequenceNumber);
    else received.push(message);
    if (message.type === 'output_stream_data') acknowledge(message);
  });
  const closed = once(socket, 'close') as Promise<[number]>;
  await once(socket, 'open');
  socket.send(JSON.stringify({ MessageSchemaVersion: '1.0', RequestId: 'r', TokenValue: token, ClientId: 'c' }));
  const send = (payloadType: number, payload: string | Buffer, sequence = next++, type = 'input_stream_data') =>
    socket.send(
      encodeMessage({
        type,
        sequence,
        flags: 0,
        id: '01234567-89ab-cdef-0123-456789abcdef',
        payloadType,
        payload: Buffer.from(payload),
        createdAt: 0,
      }),
    );
  const acknowledge = ({ type, id, sequence }: ChannelMessage) =>
    send(
      PAYLOAD.none,
      JSON.stringify({
        AcknowledgedMessageType: type,
        AcknowledgedMessageId: id,
        AcknowledgedMessageSequenceNumber: sequence,
        IsSequentialMessage: true,
      }),
      0,
      'acknowledge',
    );
  const payloads = (type: number) =>
    received.filter(({ payloadType }) => payloadType === type).map(({ payload }) => payload.toString());
  return {
    socket,
    closed,
    received,
    acknowledged,
    send,
    payloads,
    async shake(status = 1): Promise<void> {
      await soon(() => payloads(PAYLOAD.handshakeRequest).length).toBe(1);
      const ProcessedClientActions = [{ ActionType: 'SessionType', ActionStatus: status, Error: 'not for me' }];
      send(PAYLOAD.handshakeResponse, JSON.stringify({ ClientVersion: '1.2.707.0', ProcessedClientActions }));
    },
  };
}

const statusOf = async (SessionId: string) => {
  const found = await Promise.all(
    (['Active', 'History'] as const).map((State) =>
      t.ssm.describeSessions({ State, Filters: [{ key: 'SessionId', value: SessionId }] }),
    ),
  );
  return found.flatMap(({ Sessions = [] }) => Sessions.map(({ Status }) => Status))[0];
};

test('encodes and decodes messages as the plugin does', () => {
  const message: ChannelMessage = {
    type: 'output_stream_data',
    sequence: 7,
    flags: 1,
    id: 'dd01e56b-ff48-483e-a508-b5f073f31b16',
    payloadType: PAYLOAD.output,
    payload: Buffer.from('payload'),
    createdAt: 1_503_434_274_948,
  };
  const bytes = encodeMessage(message);
  expect(bytes.length).toBe(120 + 7);
  expect(bytes.readUInt32BE(0)).toBe(116);
  expect(bytes.toString('utf8', 4, 36)).toBe('output_stream_data'.padEnd(32));
  // The lower half of the id is first.
  expect(bytes.subarray(64, 80).toString('hex')).toBe('a508b5f073f31b16dd01e56bff48483e');
  expect(decodeMessage(bytes)).toEqual(message);
  bytes[bytes.length - 1]! ^= 1;
  expect(decodeMessage(bytes)).toBeUndefined();
});

test('connects a client to the shell of a node and ends the session with the shell', async () => {
  const { StreamUrl, TokenValue, SessionId } = await t.ssm.startSession({ Target: NODE });
  const plugin = await client(StreamUrl!, TokenValue!);
  await plugin.shake();
  const [asked] = plugin.payloads(PAYLOAD.handshakeRequest);
  expect(JSON.parse(asked!)).toMatchObject({
    AgentVersion: '3.3.1611.0',
    RequestedClientActions: [
      { ActionType: 'SessionType', ActionParameters: { SessionType: 'Standard_Stream', Properties: {} } },
    ],
  });
  await soon(() => plugin.payloads(PAYLOAD.handshakeComplete)).toHaveLength(1);
  await soon(() => shells.length).toBe(1);
  const shell = shells[0]!;
  expect(shell.request).toMatchObject({ interactive: true, commands: undefined });
  plugin.send(PAYLOAD.size, JSON.stringify({ cols: 120, rows: 40 }));
  plugin.send(PAYLOAD.output, 'ls\r');
  await soon(() => plugin.payloads(PAYLOAD.output)).toEqual(['you said ls\r']);
  expect(shell.sizes).toEqual([[120, 40]]);
  expect(plugin.acknowledged).toEqual([0, 1, 2]);
  // Out of order and duplicated: the shell receives each message once, in order.
  plugin.send(PAYLOAD.output, 'c', 4);
  plugin.send(PAYLOAD.output, 'b', 3);
  plugin.send(PAYLOAD.output, 'b', 3);
  await soon(() => shell.typed).toEqual(['ls\r', 'b', 'c']);
  shell.end(0);
  await plugin.closed;
  const last = plugin.received.at(-1)!;
  expect(last.type).toBe('channel_closed');
  expect(JSON.parse(last.payload.toString())).toMatchObject({ SessionId, MessageType: 'channel_closed', Output: '' });
  await soon(() => statusOf(SessionId!)).toBe('Terminated');
});

test('resends missed output to a client that reconnects with a new token', async () => {
  const { StreamUrl, TokenValue, SessionId } = await t.ssm.startSession({ Target: NODE });
  const first = await client(StreamUrl!, TokenValue!);
  await first.shake();
  await soon(() => shells.length).toBe(2);
  first.socket.terminate();
  await soon(() => statusOf(SessionId!)).toBe('Disconnected');
  shells[1]!.request.output(Buffer.from('while you were away'));
  const resumed = await t.ssm.resumeSession({ SessionId });
  const wrong = await client(resumed.StreamUrl!, TokenValue!);
  expect((await wrong.closed)[0]).toBe(1008);
  const second = await client(resumed.StreamUrl!, resumed.TokenValue!);
  await soon(() => second.payloads(PAYLOAD.output)).toEqual(['while you were away']);
  expect(await statusOf(SessionId!)).toBe('Connected');
  await t.ssm.terminateSession({ SessionId });
  await second.closed;
  expect(shells[1]!.closed).toBe(true);
});

test("ends the session if a disconnected client's output exceeds the buffer", async () => {
  const { StreamUrl, TokenValue, SessionId } = await t.ssm.startSession({ Target: NODE });
  const plugin = await client(StreamUrl!, TokenValue!);
  await plugin.shake();
  await soon(() => shells.length).toBe(3);
  plugin.socket.terminate();
  await soon(() => statusOf(SessionId!)).toBe('Disconnected');
  const mebibyte = Buffer.alloc(1024 * 1024, 'y');
  for (let count = 0; count < 9; count++) shells[2]!.request.output(mebibyte);
  await soon(() => statusOf(SessionId!)).toBe('Terminated');
  expect(shells[2]!.closed).toBe(true);
});

test('returns errors and exit code of commands without a terminal', async () => {
  await t.ssm.createDocument({
    Name: 'greet',
    DocumentType: 'Session',
    Content: JSON.stringify({
      schemaVersion: '1.0',
      sessionType: 'NonInteractiveCommands',
      parameters: { name: { type: 'String', default: 'world' } },
      properties: { linux: { commands: 'echo hello {{ name }}', runAsElevated: false } },
    }),
  });
  const { StreamUrl, TokenValue, SessionId } = await t.ssm.startSession({
    Target: NODE,
    DocumentName: 'greet',
    Parameters: { name: ['Jane'] },
  });
  const plugin = await client(StreamUrl!, TokenValue!);
  await plugin.shake();
  await soon(() => shells.length).toBe(4);
  const { request, end } = shells[3]!;
  expect(request).toMatchObject({ interactive: false, commands: ['echo hello Jane'] });
  request.output(Buffer.from('x'.repeat(2000)));
  request.error(Buffer.from('oops'));
  end(3);
  await plugin.closed;
  expect(plugin.payloads(PAYLOAD.output).map(({ length }) => length)).toEqual([1024, 976]);
  expect(plugin.payloads(PAYLOAD.standardError)).toEqual(['oops']);
  expect(plugin.payloads(PAYLOAD.exitCode)).toEqual(['3']);
  await soon(() => statusOf(SessionId!)).toBe('Terminated');
});

test('ends a session after a failed handshake, a malformed message or idle time', async () => {
  const failing = await t.ssm.startSession({ Target: NODE });
  const first = await client(failing.StreamUrl!, failing.TokenValue!);
  await first.shake(2);
  await first.closed;
  expect(first.received.at(-1)!.payload.toString()).toContain('Handshake failed: not for me');
  const idle = await t.ssm.startSession({ Target: NODE });
  const second = await client(idle.StreamUrl!, idle.TokenValue!);
  await second.shake();
  await soon(() => second.payloads(PAYLOAD.handshakeComplete)).toHaveLength(1);
  await t.advance(19 * 60_000);
  second.send(PAYLOAD.output, 'x');
  await soon(() => second.payloads(PAYLOAD.output)).toHaveLength(1);
  await t.advance(19 * 60_000);
  expect(await statusOf(idle.SessionId!)).toBe('Connected');
  await t.advance(60_000);
  expect(await statusOf(idle.SessionId!)).toBe('Terminated');
  await second.closed;
  const broken = await t.ssm.startSession({ Target: NODE });
  const third = await client(broken.StreamUrl!, broken.TokenValue!);
  await soon(() => third.payloads(PAYLOAD.handshakeRequest)).toHaveLength(1);
  third.socket.send(Buffer.from('nonsense'));
  expect((await third.closed)[0]).toBe(1008);
  await t.ssm.terminateSession({ SessionId: broken.SessionId });
});

test('rejects port forwarding sessions and unknown channels', async () => {
  await t.ssm.createDocument({
    Name: 'forward',
    DocumentType: 'Session',
    Content: JSON.stringify({
      schemaVersion: '1.0',
      sessionType: 'Port',
      properties: { portNumber: '80', type: 'LocalPortForwarding' },
    }),
  });
  expect(await failureOf(t.ssm.startSession({ Target: NODE, DocumentName: 'forward' }))).toMatch(/^NotImplemented/);
  for (const id of ['none', '%zz']) {
    const socket = new WebSocket(`${listener.url.replace('http', 'ws')}/v1/data-channel/${id}`);
    const [, response] = await once(socket, 'unexpected-response');
    expect(response.statusCode).toBe(404);
    socket.on('error', () => undefined);
    socket.terminate();
  }
});

test("writes the transcript to the document's bucket and log group", async () => {
  await t.ssm.createDocument({
    Name: 'recorded',
    DocumentType: 'Session',
    Content: JSON.stringify({
      schemaVersion: '1.0',
      sessionType: 'Standard_Stream',
      inputs: {
        s3BucketName: 'transcripts',
        s3KeyPrefix: 'sessions',
        runAsEnabled: true,
        runAsDefaultUser: 'ec2-user',
        shellProfile: { linux: 'cd /srv', windows: '' },
      },
    }),
  });
  const { StreamUrl, TokenValue, SessionId } = await t.ssm.startSession({ Target: NODE, DocumentName: 'recorded' });
  const plugin = await client(StreamUrl!, TokenValue!);
  await plugin.shake();
  await soon(() => plugin.payloads(PAYLOAD.output)).toEqual(['you said cd /srv\n']);
  const shell = shells.at(-1)!;
  expect(shell.request.user).toBe('ec2-user');
  shell.end(0);
  await plugin.closed;
  await soon(() => objects.get(`transcripts/sessions/${SessionId}.log`)).toBe('you said cd /srv\n');
});
