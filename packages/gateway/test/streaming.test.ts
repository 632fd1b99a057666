import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { Readable } from 'node:stream';
import { createLogger } from '@emu/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AwsChunkedDecoder } from '../src/body/aws-chunked.ts';
import type { Listener } from '../src/http/listener.ts';
import { createTestEmulator, type TestEmulator } from '../src/testing/index.ts';
import { blobsPlugin, produced } from './blobs.ts';

const MIB = 1024 * 1024;
let emulator: TestEmulator;
let listener: Listener;
let errors: string[];

beforeEach(async () => {
  errors = [];
  const log = createLogger({ level: 'error', format: 'json', write: (line) => errors.push(line) });
  emulator = await createTestEmulator({ plugins: [blobsPlugin], maxRequestBodyBytes: 1000, log });
  listener = await emulator.gateway.listen();
});
afterEach(async () => {
  await listener.close(100);
  await emulator.close();
});

const authorization =
  'AWS4-HMAC-SHA256 Credential=test/20240101/us-east-1/blobs/aws4_request, SignedHeaders=host, Signature=0';

const start = (method: string, name: string, headers: Record<string, string> = {}): ClientRequest =>
  httpRequest({
    host: '127.0.0.1',
    port: listener.port,
    method,
    path: `/blobs/${name}`,
    headers: { authorization, ...headers },
  });

const answer = async (request: ClientRequest): Promise<{ status: number; json: unknown }> => {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode!, json: JSON.parse(Buffer.concat(chunks).toString()) };
};

const eventually = async (check: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 500 && !check(); tries++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(check()).toBe(true);
};

describe('streamed uploads', () => {
  it('are exempt from the limit of buffered bodies', async () => {
    const body = Buffer.alloc(8 * MIB, 'y');
    const hash = createHash('sha256').update(body).digest('hex');
    const request = start('PUT', 'a');
    request.end(body);
    expect(await answer(request)).toEqual({ status: 200, json: { Size: body.length, Hash: hash } });
  });

  it('work over HTTP/2', async () => {
    const session = connectHttp2(listener.url);
    const stream = session.request({ ':method': 'PUT', ':path': '/blobs/a', authorization });
    stream.end(Buffer.alloc(MIB));
    let text = '';
    for await (const chunk of stream) text += chunk;
    expect(JSON.parse(text)).toMatchObject({ Size: MIB });
    session.close();
  });

  it('lose their aws-chunked framing, and their trailers become headers', async () => {
    const request = start('PUT', 'a', {
      'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
      'content-encoding': 'aws-chunked',
      'x-amz-decoded-content-length': '5',
      'x-amz-trailer': 'x-amz-checksum-crc32',
    });
    request.end('5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n');
    expect(await answer(request)).toMatchObject({ status: 200, json: { Size: 5, Checksum: 'NhCmhg==' } });
    const broken = start('PUT', 'a', { 'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER' });
    broken.end('5\r\nhel');
    expect(await answer(broken)).toMatchObject({ status: 400 });
  });

  it('of many small chunks are decoded in pieces, while other work runs', async () => {
    const frames = Buffer.from(`${'1\r\na\r\n'.repeat(100_000)}0\r\n\r\n`);
    let turns = 0;
    let ended = false;
    const others = (async () => {
      for (; !ended; turns++) await new Promise((resolve) => setImmediate(resolve));
    })();
    const pieces: Uint8Array[] = [];
    for await (const piece of new AwsChunkedDecoder(Readable.from([frames]), 100_000)) pieces.push(piece);
    ended = true;
    await others;
    expect(turns).toBeGreaterThan(3);
    expect(pieces).toHaveLength(1);
    expect(Buffer.concat(pieces).equals(Buffer.alloc(100_000, 'a'))).toBe(true);
  });

  it('that break off are dropped without an error in the log', async () => {
    const request = start('PUT', 'a', { 'content-length': '1000000' });
    request.on('error', () => undefined);
    request.write(Buffer.alloc(1000));
    await new Promise((resolve) => setTimeout(resolve, 30));
    request.destroy();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(errors).toEqual([]);
  });
});

describe('streamed downloads', () => {
  it('are produced at the speed of the client, and end when it disconnects', async () => {
    const before = { ...produced };
    const request = start('GET', '1000000');
    request.on('error', () => undefined);
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', () => undefined);
    response.pause();
    await eventually(() => produced.chunks > before.chunks);
    // At most the buffers of the sockets.
    let seen = -1;
    await eventually(() => {
      const same = seen === produced.chunks;
      seen = produced.chunks;
      return same;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(produced.chunks - seen).toBeLessThan(10);
    expect(produced.ended).toBe(before.ended);
    request.destroy();
    await eventually(() => produced.ended === before.ended + 1);
    expect(errors).toEqual([]);
  });

  it('are complete', async () => {
    const response = await fetch(`${listener.url}/blobs/100`, { headers: { authorization } });
    expect((await response.arrayBuffer()).byteLength).toBe(100 * 64 * 1024);
  });

  it('are cut if their source fails, so that the client sees that they are incomplete', async () => {
    const response = await fetch(`${listener.url}/blobs/broken`, { headers: { authorization } });
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow();
    await eventually(() => errors.length === 1);
    expect(JSON.parse(errors[0]!)).toMatchObject({ error: expect.stringContaining('the source broke') });
  });
});

describe('old and odd clients', () => {
  it('may omit the Host header in HTTP/1.0', async () => {
    const { connect } = await import('node:net');
    const socket = connect(listener.port, '127.0.0.1');
    socket.write('GET /_emulator/health HTTP/1.0\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += chunk;
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
  });
});
