import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { createLogger } from '@emu/core';
import type { AnyServicePlugin, OperationContext } from '@emu/core/service';
import { copyDataDirectory, type FaultyFileSystem, faultyFileSystem, noSpace } from '@emu/core/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { GatewayResponse } from '../src/request/gateway-request.ts';
import { createTestEmulator, type TestEmulator } from '../src/testing/index.ts';
import { notesPlugin } from './notes.ts';
import { call, request, textOf } from './requests.ts';

/** A copy of the notes service whose operation `Open` calls the other service. */
const diaryPlugin: AnyServicePlugin = {
  ...notesPlugin,
  name: 'diary',
  model: {
    ...notesPlugin.model,
    service: 'diary',
    metadata: {
      ...notesPlugin.model.metadata,
      endpointPrefix: 'diary',
      signingName: 'diary',
      targetPrefix: 'Diary_20200202',
    },
  },
  operations: {
    ...notesPlugin.operations,
    Open: (_: unknown, ctx: OperationContext) => ctx.callJson('notes', 'PutNote', { Name: 'from the diary' }),
    WhoAmI: (_: unknown, ctx: OperationContext) =>
      ctx.handle.callJson('notes', 'PutNote', { Name: 'from the handle' }).then(() => ({})),
  },
};

const FULL = 'The disk that holds the state of the emulator is full (ENOSPC).';

let path: string;
let fs: FaultyFileSystem;
let emulator: TestEmulator;
/** Lets the disk write the notes' journal again. */
let release: () => void;
/** Lines of the log. */
let lines: string[];

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'emu-waits-'));
  fs = faultyFileSystem();
  lines = [];
  const log = createLogger({ level: 'error', format: 'text', write: (line) => void lines.push(line) });
  emulator = await createTestEmulator({ plugins: [notesPlugin, diaryPlugin], dataPath: path, fs, log });
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = `${sep}notes${sep}`;
  fs.fault = async (operation, _, file) => {
    if (operation === 'write' && file.includes(slow)) await held;
    return undefined;
  };
});

afterEach(async () => {
  release();
  await emulator.close();
  await rm(path, { recursive: true });
});

function send(service: 'notes' | 'diary', operation: string, input: object = {}): Promise<GatewayResponse> {
  const headers = call(operation);
  if (service === 'diary') {
    headers['x-amz-target'] = `Diary_20200202.${operation}`;
    headers.authorization = headers.authorization!.replace('/notes/', '/diary/');
  }
  return emulator.gateway.handle(request({ headers, body: JSON.stringify(input) }));
}

/** Whether a response is still pending after far more time than it usually takes. */
async function isWaiting(answer: Promise<unknown>): Promise<boolean> {
  const late = new Promise<'late'>((resolve) => setTimeout(resolve, 50, 'late'));
  return (await Promise.race([answer, late])) === 'late';
}

test('a request waits for the journal of its service, but requests of others do not', async () => {
  const slow = send('notes', 'PutNote', { Name: 'a' });
  expect((await send('diary', 'PutNote', { Name: 'b' })).status).toBe(200);
  expect((await send('diary', 'GetNote', { Name: 'b' })).status).toBe(200);
  expect(await isWaiting(slow)).toBe(true);
  expect(emulator.kernel.loadedService('diary')!.store.dirty).toBe(false);
  release();
  expect((await slow).status).toBe(200);
});

test.each([
  ['the operation', 'Open'],
  ['the service, on its own behalf', 'WhoAmI'],
])('a request waits for the journals of services that %s called', async (_, operation) => {
  const slow = send('diary', operation);
  expect(await isWaiting(slow)).toBe(true);
  release();
  expect((await slow).status).toBe(200);
});

test('a request does not wait for calls that its service makes for another request', async () => {
  const slow = send('diary', 'WhoAmI');
  expect(await isWaiting(slow)).toBe(true);
  expect((await send('diary', 'PutNote', { Name: 'b' })).status).toBe(200);
  expect(await isWaiting(slow)).toBe(true);
  release();
  expect((await slow).status).toBe(200);
});

test('a read waits for changes that it may have read', async () => {
  const writing = send('notes', 'PutNote', { Name: 'a', Text: 'not safe yet' });
  expect(await isWaiting(writing)).toBe(true);
  const reading = send('notes', 'GetNote', { Name: 'a' });
  expect(await isWaiting(reading)).toBe(true);
  release();
  expect(JSON.parse(await textOf(await reading))).toEqual({ Name: 'a', Text: 'not safe yet' });
});

test('a disk that fails for one service does not fail requests of others', async () => {
  const refuse = Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
  fs.fault = (operation, _, file) => (operation === 'write' && file.includes(`${sep}notes${sep}`) ? refuse : undefined);
  expect((await send('notes', 'PutNote', { Name: 'a' })).status).toBe(500);
  expect((await send('diary', 'PutNote', { Name: 'b' })).status).toBe(200);
  expect((await send('diary', 'Open')).status).toBe(500);
  for (let attempt = 0; attempt < 5; attempt++) {
    expect((await send('notes', 'PutNote', { Name: 'b' })).status).toBe(500);
    expect((await send('notes', 'GetNote', { Name: 'a' })).status).toBe(200);
  }
  expect(lines).toHaveLength(1);
  fs.fault = () => undefined;
  expect((await send('notes', 'GetNote', { Name: 'a' })).status).toBe(200);
});

test('a full disk of one service refuses its requests, is logged once a minute, and loses nothing', async () => {
  fs.fault = () => undefined;
  expect((await send('notes', 'PutNote', { Name: 'before' })).status).toBe(200);
  fs.fault = (operation, _, file) =>
    operation === 'write' && /[/\\](notes|credentials)[/\\]/.test(file) ? noSpace() : undefined;
  emulator.kernel.credentials.put({
    accessKeyId: 'AKIA',
    secretAccessKey: 's',
    active: true,
    principal: { type: 'user', accountId: '000000000000', arn: 'arn:aws:iam::000000000000:user/u', userId: 'u' },
  });
  for (let attempt = 0; attempt < 20; attempt++) {
    const answer = await send('notes', 'PutNote', { Name: `refused ${attempt}` });
    expect(answer.status).toBe(503);
    expect(JSON.parse(await textOf(answer))).toMatchObject({
      __type: expect.stringContaining('ServiceUnavailable'),
      message: FULL,
    });
  }
  // Only the first of them started, and may have taken effect, as with any 5xx; reads get responses.
  expect((await send('notes', 'GetNote', { Name: 'before' })).status).toBe(200);
  expect((await send('notes', 'GetNote', { Name: 'refused 0' })).status).toBe(200);
  expect((await send('notes', 'GetNote', { Name: 'refused 1' })).status).toBe(404);
  expect((await send('diary', 'PutNote', { Name: 'a' })).status).toBe(200);
  expect((await send('diary', 'GetNote', { Name: 'a' })).status).toBe(200);
  expect((await emulator.control('GET', '/_emulator/health')).status).toBe(200);
  expect((await emulator.gateway.fetch(new Request('http://localhost/_emulator/health'))).status).toBe(200);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('cannot be written to disk; requests fail until they can');

  fs.fault = () => undefined;
  expect((await send('notes', 'PutNote', { Name: 'after' })).status).toBe(200);
  const copy = join(path, '..', `${path}-copy`);
  await copyDataDirectory(path, copy);
  try {
    await using reopened = await createTestEmulator({ plugins: [notesPlugin, diaryPlugin], dataPath: copy });
    const read = (Name: string) =>
      reopened.gateway.handle(request({ headers: call('GetNote'), body: JSON.stringify({ Name }) }));
    expect((await read('after')).status).toBe(200);
    expect((await read('before')).status).toBe(200);
  } finally {
    await rm(copy, { recursive: true });
  }
});

test('a control route reports a full disk', async () => {
  fs.fault = (operation) => (operation === 'write' ? noSpace() : undefined);
  expect(await emulator.control('POST', '/_emulator/reset/notes')).toEqual({
    status: 503,
    json: { error: { code: 'ServiceUnavailable', message: FULL } },
  });
  fs.fault = () => undefined;
  expect((await emulator.control('POST', '/_emulator/reset/notes')).status).toBe(200);
});

test('control routes of a service do not wait for others', async () => {
  const slow = send('notes', 'PutNote', { Name: 'a' });
  const { status } = await emulator.control('POST', '/_emulator/reset/diary');
  expect(status).toBe(200);
  expect(await isWaiting(slow)).toBe(true);
});
