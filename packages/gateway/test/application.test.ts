import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Listener } from '../src/http/listener.ts';
import { createTestEmulator, type TestEmulator } from '../src/testing/index.ts';
import { notesPlugin } from './notes.ts';
import { call } from './requests.ts';

const GLOBALS = [globalThis.Request, globalThis.Response, globalThis.Headers, globalThis.fetch];

let emulator: TestEmulator;
let listener: Listener;
beforeEach(async () => {
  emulator = await createTestEmulator({ plugins: [notesPlugin], maxRequestBodyBytes: 1000, version: '1.2.3' });
  listener = await emulator.gateway.listen();
});
afterEach(async () => {
  await listener.close(100);
  await emulator.close();
});

/** Returns everything that a connection responds with to a text. */
async function raw(text: string): Promise<string> {
  const socket = connect(listener.port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString();
  });
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

describe('the application behind a port', () => {
  it('does not replace the classes of the process', async () => {
    expect((await fetch(`${listener.url}/_emulator/clock`)).status).toBe(200);
    expect([globalThis.Request, globalThis.Response, globalThis.Headers, globalThis.fetch]).toEqual(GLOBALS);
  });

  it('answers control routes to requests that the adapter refuses', async () => {
    for (const head of [
      'GET /_emulator/clock HTTP/1.0\r\n',
      'GET /_emulator/clock HTTP/1.1\r\nhost:\r\n',
      `GET http://127.0.0.1:${listener.port}/_emulator/clock HTTP/1.1\r\nhost: localhost\r\n`,
    ])
      expect(await raw(`${head}connection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 [\s\S]*"now"/);
    expect(await raw('GET /_emulator/a\\b HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 404 [\s\S]*There is no control route \/_emulator\/a\\\\b\./,
    );
  });

  it('reads paths as sent', async () => {
    const answer = await raw('GET /_emulator/../_reset HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
    expect(answer).toContain('There is no control route /_emulator/../_reset.');
    expect(
      await raw('GET /x/../_emulator/clock HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n'),
    ).not.toContain('"now"');
  });

  it("sends the length of a control route's response to HEAD, without a body", async () => {
    const answer = await raw('HEAD /_emulator/clock HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toMatch(/content-length: [1-9]/i);
    expect(answer.endsWith('\r\n\r\n')).toBe(true);
  });

  it('sends 100 to a client that waits for it before the body of a control route', async () => {
    const request = httpRequest(`${listener.url}/_emulator/faults`, {
      method: 'POST',
      headers: { expect: '100-continue', 'content-length': 1 },
    });
    request.flushHeaders();
    await once(request, 'continue');
    request.end('{');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(400);
    response.resume();
  });

  it('ends the connection of a control request that is too large', async () => {
    const answer = await raw('POST /_emulator/faults HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1001\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toMatch(/connection: close/i);
  });

  it('sends all of an HTTP/2 response that is longer than its unread request', async () => {
    const session = connectHttp2(listener.url);
    const stream = session.request({ ':method': 'POST', ':path': `/_emulator/${'x'.repeat(20_000)}` });
    stream.on('error', () => undefined);
    stream.write('unread');
    const [headers] = (await once(stream, 'response')) as [Record<string, string>];
    // Iteration would fail, because the request is cut off after the complete response.
    let text = '';
    stream.on('data', (chunk) => {
      text += chunk;
    });
    await once(stream, 'close');
    expect(headers[':status']).toBe(404);
    expect(text).toHaveLength(Number(headers['content-length']));
    expect(text.length).toBeGreaterThan(20_000);
    session.close();
  });
});

describe('the application without a port', () => {
  it('answers control routes, metadata and the APIs of services', async () => {
    const { gateway } = emulator;
    const health = await gateway.fetch(new Request('http://localhost/_emulator/health'));
    expect(await health.json()).toEqual({ status: 'ok', version: '1.2.3', services: ['notes'] });
    const tree = await gateway.fetch(new Request('http://localhost/latest'));
    expect([tree.headers.get('server'), await tree.text()]).toEqual(['EC2ws', expect.stringContaining('meta-data')]);
    const body = '{"Name":"a","Text":"hello"}';
    const put = await gateway.fetch(
      new Request('http://localhost/', { method: 'POST', headers: call('PutNote'), body }),
    );
    expect([put.status, await put.json()]).toEqual([200, { Size: 5 }]);
    const large = { method: 'POST', headers: call('PutNote'), body: 'x'.repeat(1001) };
    expect((await gateway.fetch(new Request('http://localhost/', large))).status).toBe(413);
  });

  it('checks access first', async () => {
    const { gateway } = emulator;
    const foreign = await gateway.fetch(new Request('http://emu.example/_emulator/health'));
    expect([foreign.status, await foreign.json()]).toMatchObject([403, { error: { code: 'AccessDenied' } }]);
    const headers = { origin: 'https://page.example' };
    expect((await gateway.fetch(new Request('http://localhost/_emulator/clock', { headers }))).status).toBe(403);
    const own = { origin: 'http://localhost:3000' };
    const trusted = await gateway.fetch(new Request('http://localhost/_emulator/clock', { headers: own }));
    expect(trusted.headers.get('access-control-allow-origin')).toBe('http://localhost:3000');
    expect(trusted.headers.get('vary')).toBe('Origin');
  });

  it('rejects, as fetch does, if an injected fault cuts the connection', async () => {
    await emulator.control('POST', '/_emulator/faults', { drop: true });
    const request = new Request('http://localhost/', { method: 'POST', headers: call('WhoAmI'), body: '{}' });
    await expect(emulator.gateway.fetch(request)).rejects.toThrow('fetch failed');
  });
});
