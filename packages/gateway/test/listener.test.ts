import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createLogger } from '@emu/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Listener } from '../src/http/listener.ts';
import { createTestEmulator, type TestEmulator, type TestEmulatorOptions } from '../src/testing/index.ts';
import { notesPlugin, waits } from './notes.ts';
import { call } from './requests.ts';

let emulator: TestEmulator;
let listener: Listener;
let logged: string[];

async function start(options: TestEmulatorOptions = {}): Promise<void> {
  logged = [];
  const log = createLogger({ level: 'error', format: 'text', write: (line) => void logged.push(line) });
  emulator = await createTestEmulator({ plugins: [notesPlugin], log, ...options });
  listener = await emulator.gateway.listen();
}

beforeEach(() => start({ maxRequestBodyBytes: 1000 }));
afterEach(async () => {
  await listener.close(100);
  await emulator.close();
});

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

const read = async (response: IncomingMessage): Promise<Answer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode!, headers: response.headers, text: Buffer.concat(chunks).toString() };
};

/** Sends a request with node:http or node:https. */
async function send(options: RequestOptions & { body?: string | Buffer; tls?: boolean }): Promise<Answer> {
  const { body, tls, ...rest } = options;
  const request = (tls ? httpsRequest : httpRequest)({
    host: '127.0.0.1',
    port: listener.port,
    method: 'POST',
    path: '/',
    ...(tls && { rejectUnauthorized: false }),
    ...rest,
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return read(response);
}

/** Opens a raw connection and returns everything received until its end. */
async function raw(...parts: (string | Buffer)[]): Promise<string> {
  const socket = connect(listener.port, '127.0.0.1');
  const ended = everything(socket);
  for (const part of parts) {
    socket.write(part);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return ended;
}

async function everything(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  await once(socket, 'close');
  return text;
}

const head = (headers: Record<string, string>): string =>
  Object.entries({ host: 'localhost', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

const eventually = async (check: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 500 && !check(); tries++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(check()).toBe(true);
};

describe('one port', () => {
  it('speaks HTTP/1.1 and keeps connections alive', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number>();
    for (let index = 0; index < 3; index++) {
      const request = httpRequest({
        agent,
        port: listener.port,
        host: '127.0.0.1',
        method: 'POST',
        headers: call('WhoAmI'),
      });
      request.end('{}');
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      ports.add(response.socket.localPort!);
      expect((await read(response)).status).toBe(200);
    }
    expect(ports.size).toBe(1);
    agent.destroy();
  });

  it('responds to pipelined requests in order', async () => {
    const one = (operation: string, body: string): string =>
      `POST / HTTP/1.1\r\n${head({ ...call(operation), 'content-length': String(body.length) })}\r\n${body}`;
    const last = `POST / HTTP/1.1\r\n${head({ ...call('WhoAmI'), 'content-length': '2', connection: 'close' })}\r\n{}`;
    const text = await raw(one('PutNote', '{"Name":"p","Text":"one"}') + one('GetNote', '{"Name":"p"}') + last);
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(3);
    expect(text.indexOf('{"Size":3}')).toBeLessThan(text.indexOf('"Text":"one"'));
    expect(text.indexOf('"Text":"one"')).toBeLessThan(text.indexOf('"Account"'));
  });

  it('recognises HTTP/1.1 whose first bytes arrive one by one and equal the start of the HTTP/2 preface', async () => {
    expect(await raw('P', 'R', 'OPFIND / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')).toContain(
      'HTTP/1.1 501',
    );
  });

  it('speaks HTTP/2 by prior knowledge', async () => {
    const session = connectHttp2(listener.url);
    const stream = session.request({ ':method': 'POST', ':path': '/', ...call('WhoAmI') });
    stream.end('{}');
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
    let text = '';
    for await (const chunk of stream) text += chunk;
    expect(headers[':status']).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ Account: '123456789012', Endpoint: `http://127.0.0.1:${listener.port}` });
    session.close();
  });

  it('speaks TLS with a generated certificate, HTTP/1.1 and HTTP/2', async () => {
    const { kernel } = emulator;
    const versions: unknown[] = [];
    const invoke = kernel.invoke.bind(kernel);
    kernel.invoke = (invocation) => {
      versions.push(invocation.http?.tlsVersion);
      return invoke(invocation);
    };
    const answer = await send({ tls: true, headers: { ...call('WhoAmI'), host: 'localhost' }, body: '{}' });
    expect(JSON.parse(answer.text)).toMatchObject({ Endpoint: 'https://localhost' });

    const session = connectHttp2(`https://127.0.0.1:${listener.port}`, { rejectUnauthorized: false });
    const stream = session.request({ ':method': 'POST', ':path': '/', ...call('WhoAmI') });
    stream.end('{}');
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
    expect(headers[':status']).toBe(200);
    stream.resume();
    session.close();
    await once(session, 'close');
    expect(versions).toEqual(['1.3', '1.3']);
  });

  it('returns 400 for malformed requests and continues', async () => {
    expect(await raw('NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await raw('GET / HTTP/1.1\r\nhost: a\r\nx y: z\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await raw('GET / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 /,
    );
    expect(await raw('GET /\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await raw('GET / HTTP/0.9\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await raw('GET / HTTP/1.1\r\nhost: localhost\r\nHost: localhost\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await raw('GET file:///etc/passwd HTTP/1.1\r\nhost: localhost\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await raw(Buffer.from([0x16, 3, 1, 0, 5, 1, 2, 3, 4, 5]))).not.toContain('HTTP');
    expect(await raw('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nthis is no frame and never will be one')).not.toContain('HTTP/1');
    expect((await send({ headers: call('WhoAmI'), body: '{}' })).status).toBe(200);
  });

  it('responds to HEAD without a body', async () => {
    const text = await raw(`HEAD /x HTTP/1.1\r\n${head({ connection: 'close' })}\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 501 /);
    expect(text).toMatch(/content-length: [1-9]/i);
    expect(text.endsWith('\r\n\r\n')).toBe(true);
  });
});

describe('bodies', () => {
  it('returns 413 for a length over the limit before the body has arrived', async () => {
    const text = await raw(`POST / HTTP/1.1\r\n${head({ ...call('PutNote'), 'content-length': '1001' })}\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(text).toMatch(/connection: close/i);
    expect(text).toContain('RequestEntityTooLarge');
  });

  it('returns 413 for a chunked body as soon as it is over the limit', async () => {
    const chunk = `190\r\n${'x'.repeat(0x190)}\r\n`;
    const text = await raw(
      `POST / HTTP/1.1\r\n${head({ ...call('PutNote'), 'transfer-encoding': 'chunked' })}\r\n${chunk}${chunk}`,
      chunk,
    );
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('returns 413 over HTTP/2', async () => {
    const session = connectHttp2(listener.url);
    const stream = session.request({ ':method': 'POST', ':path': '/', ...call('PutNote') });
    stream.on('error', () => undefined);
    stream.write('x'.repeat(1001));
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
    expect(headers[':status']).toBe(413);
    stream.resume();
    await once(stream, 'close');
    session.close();
  });

  it('lets clients read the response to a large unread upload', async () => {
    const answer = await send({ headers: call('PutNote'), body: Buffer.alloc(8 * 1024 * 1024) });
    expect(answer.status).toBe(413);
  });

  it('sends 100 to a client that waits for it, and 413 for a large body instead', async () => {
    const body = '{"Name":"c","Text":"go on"}';
    const request = httpRequest({
      host: '127.0.0.1',
      port: listener.port,
      method: 'POST',
      headers: { ...call('PutNote'), expect: '100-continue', 'content-length': body.length },
    });
    request.flushHeaders();
    await once(request, 'continue');
    request.end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect((await read(response)).text).toBe('{"Size":5}');

    const refused = await raw(
      `POST / HTTP/1.1\r\n${head({ ...call('PutNote'), expect: '100-continue', 'content-length': '5000' })}\r\n`,
    );
    expect(refused).toMatch(/^HTTP\/1\.1 413 /);
    const ignored = { ...call('WhoAmI'), expect: 'miracles', connection: 'close', 'content-length': '2' };
    expect(await raw(`POST / HTTP/1.1\r\n${head(ignored)}\r\n{}`)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('inflates gzip bodies for operations that allow it, up to the limit', async () => {
    const headers = { ...call('PutNote'), 'content-encoding': 'gzip' };
    const body = gzipSync('{"Name":"z","Text":"zipped"}');
    expect(await send({ headers, body })).toMatchObject({ status: 200, text: '{"Size":6}' });
    const bomb = gzipSync(`{"Name":"z","Text":"${'0'.repeat(100_000)}"}`);
    expect(bomb.length).toBeLessThan(1000);
    expect((await send({ headers, body: bomb })).status).toBe(413);
    const broken = await send({ headers, body: Buffer.from('not gzip') });
    expect(broken.status).toBe(400);
    expect(broken.text).toContain('SerializationException');
    // WhoAmI takes no compressed input.
    expect((await send({ headers: { ...call('WhoAmI'), 'content-encoding': 'gzip' }, body })).status).toBe(400);
  });
});

describe('misbehaving clients', () => {
  it('abort the wait of their request when they disconnect', async () => {
    const before = waits.aborted;
    const request = httpRequest({ host: '127.0.0.1', port: listener.port, method: 'POST', headers: call('Wait') });
    request.on('error', () => undefined);
    request.end('{}');
    await eventually(() => waits.running === 1);
    request.destroy();
    await eventually(() => waits.running === 0 && waits.aborted === before + 1);
    expect((await send({ headers: call('WhoAmI'), body: '{}' })).status).toBe(200);
    // An aborted request is not an error.
    expect(logged).toEqual([]);
  });

  it('abort the wait of an HTTP/2 stream when they cancel it', async () => {
    const before = waits.aborted;
    const session = connectHttp2(listener.url);
    const stream = session.request({ ':method': 'POST', ':path': '/', ...call('Wait') });
    stream.on('error', () => undefined);
    stream.end('{}');
    await eventually(() => waits.running === 1);
    stream.close(8);
    await eventually(() => waits.aborted === before + 1);
    session.close();
  });

  it('end their request when they disconnect in the middle of the body', async () => {
    const socket = connect(listener.port, '127.0.0.1');
    socket.write(`POST / HTTP/1.1\r\n${head({ ...call('PutNote'), 'content-length': '100' })}\r\n{"Na`);
    await new Promise((resolve) => setTimeout(resolve, 30));
    socket.destroy();
    expect((await send({ headers: call('WhoAmI'), body: '{}' })).status).toBe(200);
  });

  it('leave no connection behind when a WebSocket is refused to them', async () => {
    const connections = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    const before = connections();
    const handshake = (path: string): string => `GET ${path} HTTP/1.1\r\n${head({ connection: 'upgrade' })}`;
    for (const rest of ['upgrade: websocket\r\n\r\n', 'upgrade: websocket\r\nhost: b\r\n\r\n']) {
      const socket = connect(listener.port, '127.0.0.1');
      const ended = everything(socket);
      socket.write(handshake('/') + rest);
      await once(socket, 'data');
      socket.end('a frame that nothing reads');
      await ended;
    }
    await eventually(() => connections() <= before);
  });

  it('are disconnected if they send nothing, or a head or body too slowly', async () => {
    await listener.close();
    await emulator.close();
    await start({ headersTimeout: 200, requestTimeout: 400 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await send({ agent, headers: call('WhoAmI'), body: '{}' });
    const [[kept]] = Object.values(agent.freeSockets) as [[Socket]];
    expect(await raw('')).toBe('');
    expect(await raw('GET / HTTP/1.1\r\n')).toMatch(/^HTTP\/1\.1 408 /);
    // A connection that waits for its next request is kept longer.
    expect((await send({ agent, headers: call('WhoAmI'), body: '{}' })).status).toBe(200);
    expect(Object.values(agent.freeSockets)[0]).toEqual([kept]);
    agent.destroy();
    expect(await raw('POST / HTTP/1.1\r\nhost: a\r\n')).toMatch(/^HTTP\/1\.1 408 /);
    const body = `POST / HTTP/1.1\r\n${head({ ...call('PutNote'), 'content-length': '100' })}\r\n{`;
    expect(await raw(body)).toMatch(/^HTTP\/1\.1 408 /);
    const session = connectHttp2(listener.url);
    const stream = session.request({ ':method': 'POST', ':path': '/', ...call('PutNote') });
    stream.on('error', () => undefined);
    stream.write('{');
    await once(stream, 'close');
    expect(stream.rstCode).toBe(8);
    session.close();
  });
});

describe('close', () => {
  it('finishes running requests, closes idle connections and cuts the rest after the grace', async () => {
    const agent = new Agent({ keepAlive: true });
    await send({ agent, headers: call('WhoAmI'), body: '{}' });
    const session = connectHttp2(listener.url);
    await once(session, 'connect');
    const waiting = httpRequest({ host: '127.0.0.1', port: listener.port, method: 'POST', headers: call('Wait') });
    const cut = once(waiting, 'error');
    waiting.end('{}');
    await eventually(() => waits.running === 1);
    await listener.close(50);
    await cut;
    await eventually(() => waits.running === 0);
    await expect(send({ headers: call('WhoAmI') })).rejects.toThrow('ECONNREFUSED');
    agent.destroy();
  });
});
