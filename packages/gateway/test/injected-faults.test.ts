import { request as httpRequest } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestEmulator, type TestEmulator } from '../src/testing/index.ts';
import { notesPlugin } from './notes.ts';
import { call, request } from './requests.ts';

let emulator: TestEmulator;
beforeEach(async () => {
  emulator = await createTestEmulator({ plugins: [notesPlugin] });
});
afterEach(() => emulator.close());

const put = (accessKeyId = 'test') =>
  emulator.gateway.handle(
    request({ headers: call('PutNote', accessKeyId), body: JSON.stringify({ Name: 'a', Text: 'x' }) }),
  );
const add = (fault: unknown) => emulator.control('POST', '/_emulator/faults', fault);

describe('injected faults', () => {
  it('return the injected error without a change of state', async () => {
    const added = await add({
      service: 'notes',
      operation: 'PutNote',
      error: { code: 'Broken', message: 'Sorry.', status: 503 },
    });
    expect(added.status).toBe(200);
    const answer = await put();
    expect(answer.status).toBe(503);
    expect(String(answer.body)).toContain('Broken');
    const get = request({ headers: call('GetNote', 'test'), body: JSON.stringify({ Name: 'a' }) });
    expect((await emulator.gateway.handle(get)).status).toBe(404);
  });

  it('apply only to their target, for their number of calls', async () => {
    await add({ service: 'notes', accountId: '000000000001', times: 2, error: { code: 'Broken' } });
    expect((await put()).status).toBe(200);
    expect((await put('000000000001')).status).toBe(400);
    const { json } = await emulator.control('GET', '/_emulator/faults');
    expect(json).toMatchObject({ faults: [{ hits: 1, remaining: 1, share: 1 }] });
    expect((await put('000000000001')).status).toBe(400);
    expect((await put('000000000001')).status).toBe(200);
    expect((await emulator.control('GET', '/_emulator/faults')).json).toEqual({ faults: [] });
  });

  it('throttle with the header that determines the wait of SDKs', async () => {
    await add({ throttle: { retryAfterSeconds: 2 } });
    const answer = await put();
    expect(answer.headers['retry-after']).toBe('2');
    expect(String(answer.body)).toContain('ThrottlingException');
  });

  it('delay a call, which then continues', async () => {
    await add({ latency: 30 });
    const started = performance.now();
    expect((await put()).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThanOrEqual(29);
  });

  it('apply to no call with a share of 0', async () => {
    await add({ share: 0, error: { code: 'Broken' } });
    expect((await put()).status).toBe(200);
  });

  it('cut the connection', async () => {
    await add({ drop: true });
    const listener = await emulator.gateway.listen({ port: 0 });
    const outcome = await new Promise<string>((resolve) => {
      const body = JSON.stringify({ Name: 'a' });
      const headers = call('PutNote', 'test') as Record<string, string>;
      const sent = httpRequest({ port: listener.port, host: '127.0.0.1', method: 'POST', headers });
      sent.on('response', (response) => resolve(`answered ${response.statusCode}`));
      sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      sent.end(body);
    });
    await listener.close();
    expect(outcome).toBe('ECONNRESET');
  });

  it('reject unknown services and operations', async () => {
    const refused = async (target: unknown) => (await add({ drop: true, ...(target as object) })).json as never;
    const error = (message: string) => ({ error: { code: 'InvalidRequest', message } });
    expect(await refused({ service: 'nots' })).toEqual(error('emu has no service nots; did you mean notes?'));
    expect(await refused({ service: 'braket' })).toEqual(error('emu has no service braket.'));
    expect(await refused({ service: 'notes', operation: 'putNote' })).toEqual(
      error('notes has no operation putNote; did you mean PutNote?'),
    );
    expect(await refused({ operation: 'PutNoes' })).toEqual(
      error('No service of emu has an operation PutNoes; did you mean PutNote?'),
    );
    expect((await emulator.control('GET', '/_emulator/faults')).json).toEqual({ faults: [] });
    expect((await add({ operation: 'PutNote', drop: true })).status).toBe(200);
  });

  it('are cleared one by one or together', async () => {
    const first = (await add({ drop: true })).json as { id: string };
    await add({ drop: true });
    expect((await emulator.control('DELETE', `/_emulator/faults/${first.id}`)).json).toEqual({ cleared: 1 });
    expect((await emulator.control('DELETE', `/_emulator/faults/${first.id}`)).status).toBe(404);
    expect((await emulator.control('DELETE', '/_emulator/faults')).json).toEqual({ cleared: 1 });
    expect((await put()).status).toBe(200);
  });

  it('are rejected if they are invalid', async () => {
    for (const fault of [
      {},
      { service: 'notes' },
      { drop: true, error: { code: 'A' } },
      { share: 2, drop: true },
      { times: 0, drop: true },
      { latency: -1 },
      { error: { code: 'no code' } },
      { error: { code: 'A', status: 200 } },
      { accountId: '1', drop: true },
      { unknown: 1, drop: true },
    ]) {
      const { status, json } = await add(fault);
      expect({ fault, status, code: (json as { error?: { code: string } }).error?.code }).toEqual({
        fault,
        status: 400,
        code: 'InvalidRequest',
      });
    }
    expect((await emulator.control('GET', '/_emulator/faults')).json).toEqual({ faults: [] });
  });
});
