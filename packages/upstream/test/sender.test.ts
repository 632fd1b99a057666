import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OutgoingRequest, Sender } from '../src/sender.ts';

const RESPONSE = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

/** Requests by connection. */
const requests: number[] = [];
/** Whether the server resets connections at their second request, as one does that has closed them. */
const sockets = new Set<Socket>();
const server = createServer((socket) => {
  const connection = requests.push(0) - 1;
  sockets.add(socket);
  socket.on('error', () => socket.destroy());
  socket.on('data', () => {
    requests[connection]!++;
    if (requests[connection] === 1) socket.write(RESPONSE);
    else socket.resetAndDestroy();
  });
});

beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  return new Promise((resolve) => server.close(resolve));
});

const outgoing = (body: OutgoingRequest['body']): OutgoingRequest => ({
  method: 'POST',
  secure: false,
  hostname: '127.0.0.1',
  port: (server.address() as AddressInfo).port,
  path: '/',
  query: '',
  headers: { host: 'localhost' },
  body,
  http2: false,
});

async function send(sender: Sender, body: OutgoingRequest['body']): Promise<string> {
  const response = await sender.send(outgoing(body), new AbortController().signal);
  let text = '';
  for await (const bytes of response.body) text += Buffer.from(bytes).toString();
  return text;
}

test('a request on a connection that the server has closed is sent once more, unless its body is a stream', async () => {
  const sender = new Sender();
  expect(await send(sender, Buffer.from('one'))).toBe('ok');
  expect(await send(sender, Buffer.from('two'))).toBe('ok');
  expect(requests).toEqual([2, 1]);
  const stream = (async function* () {
    yield Buffer.from('three');
  })();
  await expect(send(sender, stream)).rejects.toMatchObject({ name: 'NoResponse' });
  expect(requests).toEqual([2, 2]);
  sender.close();
});

test('a server that cannot be reached is named', async () => {
  const sender = new Sender();
  const request = { ...outgoing(undefined), port: 1 };
  await expect(sender.send(request, new AbortController().signal)).rejects.toThrow('127.0.0.1 did not respond');
  sender.close();
});
