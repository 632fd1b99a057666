import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { SdkHttpRequest } from '../src/http/in-process.ts';
import { createTestEmulator } from '../src/testing/index.ts';
import { notesPlugin, waits } from './notes.ts';
import { call } from './requests.ts';

const sdkRequest = (operation: string, body: unknown): SdkHttpRequest => ({
  method: 'POST',
  protocol: 'https:',
  hostname: 'localhost',
  port: 4566,
  path: '/',
  headers: call(operation),
  body,
});

const textOf = async (body: Readable): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

describe('in-process handler', () => {
  it('takes every kind of body of the SDK', async () => {
    await using emulator = await createTestEmulator({ plugins: [notesPlugin] });
    const { requestHandler } = emulator.clientConfig();
    const text = '{"Name":"a","Text":"hello"}';
    const bytes = Buffer.from(text);
    const bodies = [
      text,
      bytes,
      new Uint8Array(bytes).buffer,
      Readable.from([bytes.subarray(0, 5), bytes.subarray(5)]),
      new Blob([bytes]),
      new Blob([bytes]).stream(),
    ];
    for (const body of bodies) {
      const { response } = await requestHandler.handle(sdkRequest('PutNote', body));
      expect(response.statusCode).toBe(200);
      expect(response.headers['content-length']).toBe('10');
      expect(await textOf(response.body)).toBe('{"Size":5}');
    }
  });

  it('refuses bodies over the limit', async () => {
    await using emulator = await createTestEmulator({ plugins: [notesPlugin], maxRequestBodyBytes: 10 });
    const { requestHandler } = emulator.clientConfig();
    for (const body of ['x'.repeat(11), Readable.from([Buffer.alloc(6), Buffer.alloc(6)])]) {
      const { response } = await requestHandler.handle(sdkRequest('PutNote', body));
      expect(response.statusCode).toBe(413);
    }
  });

  it("passes the client's URL and query parameters to services", async () => {
    await using emulator = await createTestEmulator({ plugins: [notesPlugin] });
    const { requestHandler } = emulator.clientConfig();
    const who = await requestHandler.handle({ ...sdkRequest('WhoAmI', '{}'), query: { a: ['b', 'c d'], e: null } });
    expect(JSON.parse(await textOf(who.response.body))).toMatchObject({ Endpoint: 'https://localhost:4566' });
    const query = { Action: 'PutNote', Version: '2020-02-02', Name: 'q', Text: "it's *&= ü" };
    const { authorization } = call('') as { authorization: string };
    const put = await requestHandler.handle({
      ...sdkRequest('', ''),
      method: 'GET',
      headers: { authorization },
      query,
    });
    expect(await textOf(put.response.body)).toContain('<Size>10</Size>');
  });

  it('rejects when the client aborts, and aborts the operation', async () => {
    await using emulator = await createTestEmulator({ plugins: [notesPlugin] });
    const { requestHandler } = emulator.clientConfig();
    const before = waits.aborted;
    const controller = new AbortController();
    const waiting = requestHandler.handle(sdkRequest('Wait', '{}'), { abortSignal: controller.signal });
    const rejected = expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(() => waits.running, { interval: 1, timeout: 20_000 }).toBe(1);
    controller.abort();
    await rejected;
    expect(waits).toMatchObject({ running: 0, aborted: before + 1 });
    await expect(
      requestHandler.handle(sdkRequest('WhoAmI', '{}'), { abortSignal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('lets timers run while a client sends one request after the other', async () => {
    await using emulator = await createTestEmulator({ plugins: [notesPlugin] });
    const { requestHandler } = emulator.clientConfig();
    let rang = false;
    setTimeout(() => {
      rang = true;
    }, 1);
    let requests = 0;
    // Each takes only microtasks and would otherwise continue without end.
    for (; !rang && requests < 1_000_000; requests++) await requestHandler.handle(sdkRequest('WhoAmI', '{}'));
    expect(requests).toBeLessThan(1_000_000);
  });
});
