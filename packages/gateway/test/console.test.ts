import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestEmulator, type TestEmulator } from '../src/testing/index.ts';
import { blobsPlugin } from './blobs.ts';
import { notesPlugin } from './notes.ts';
import { request, textOf } from './requests.ts';

const CALL = '/_emulator/console/call';
const JSON_TYPE = { 'content-type': 'application/json' };
let emulator: TestEmulator;
beforeAll(async () => {
  emulator = await createTestEmulator({ plugins: [notesPlugin, blobsPlugin], verifySigv4: true });
});
afterAll(() => emulator.close());

const send = async (body: unknown, headers: Record<string, string> = JSON_TYPE) => {
  const answer = await emulator.gateway.handle(
    request({
      method: 'POST',
      target: CALL,
      headers: { host: 'localhost:4566', ...headers },
      body: JSON.stringify(body),
    }),
  );
  return { status: answer.status, text: await textOf(answer) };
};
const note = (input: unknown, more = {}) => ({ service: 'notes', operation: 'PutNote', input, ...more });

describe('the console', () => {
  it.each([
    ['', /^text\/html/],
    ['/app.js', /^text\/javascript/],
    ['/app.css', /^text\/css/],
  ])('serves %s with a policy for the page', async (path, type) => {
    const { status, headers } = await emulator.gateway.handle(
      request({ method: 'GET', target: `/_emulator/console${path}`, headers: { host: 'localhost:4566' } }),
    );
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(type);
    expect(headers['content-security-policy']).toMatch(/^default-src 'self';.*frame-ancestors 'none'$/);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it.each([
    ['a link to the page', '/_emulator/console', { referer: 'http://evil.com/' }, 200],
    ['a bookmark of another site', '/_emulator/console', { 'sec-fetch-site': 'cross-site' }, 200],
    ['a script that asks for the page', '/_emulator/console', { origin: 'http://evil.com' }, 403],
    ['a link to what it shows', '/_emulator/console/resources', { referer: 'http://evil.com/' }, 403],
  ])('serves its page to everyone, but not its data: %s', async (_, target, headers, status) => {
    const answer = await emulator.gateway.handle(
      request({ method: 'GET', target, headers: { host: 'localhost:4566', ...headers } }),
    );
    expect(answer.status).toBe(status);
  });

  it('calls operations in an account', async () => {
    const accountId = '000000000001';
    expect((await send(note({ Name: 'a', Text: 'x' }, { accountId }))).status).toBe(200);
    const get = { service: 'notes', operation: 'GetNote', input: { Name: 'a' } };
    expect(JSON.parse((await send({ ...get, accountId })).text).output).toMatchObject({ Text: 'x' });
    expect((await send(get)).status).toBe(404);
  });

  it.each([
    ['a body that does not say it is JSON', note({ Name: 'b', Text: 'x' }), { 'content-type': 'text/plain' }, 415],
    ['a page of a stranger', note({ Name: 'b', Text: 'x' }), { ...JSON_TYPE, origin: 'http://evil.com' }, 403],
    ['a service that is not there', { ...note({}), service: 'nothing' }, JSON_TYPE, 501],
    ['an operation that is not there', { ...note({}), operation: 'Nothing' }, JSON_TYPE, 501],
    ['no account', note({}, { accountId: '1' }), JSON_TYPE, 400],
    ['no region', note({}, { region: '../x' }), JSON_TYPE, 400],
    ['other members', note({}, { more: 1 }), JSON_TYPE, 400],
    ['what is no input', note({ Other: 1 }), JSON_TYPE, 400],
  ])('refuses %s', async (_, body, headers, status) => {
    expect((await send(body, headers)).status).toBe(status);
    expect((await send({ service: 'notes', operation: 'GetNote', input: { Name: 'b' } })).status).toBe(404);
  });

  const BYTES = '/_emulator/console/bytes';
  const answerTo = async (parts: Parameters<typeof request>[0]) => {
    const answer = await emulator.gateway.handle(request(parts));
    return { ...answer, text: await textOf(answer) };
  };
  const queryOf = (operation: string, input: unknown) =>
    new URLSearchParams({ service: 'blobs', operation, input: JSON.stringify(input) });
  const upload = (operation: string, input: unknown, body = '') =>
    answerTo({ method: 'PUT', target: `${BYTES}?${queryOf(operation, input)}`, body });
  const download = (operation: string, input: unknown, headers: Record<string, string> = JSON_TYPE) =>
    answerTo({ target: BYTES, headers, body: JSON.stringify({ service: 'blobs', operation, input }) });

  it('sends and reads streams, as downloads', async () => {
    const put = await upload('PutBlob', { Name: 'a' }, 'seven b');
    expect(JSON.parse(put.text).output).toMatchObject({ Size: 7 });
    const { status, headers, text } = await download('GetBlob', { Name: '2' });
    expect({ status, length: text.length }).toEqual({ status: 200, length: 2 * 64 * 1024 });
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
      'content-security-policy': "default-src 'none'; sandbox",
    });
  });

  it.each([
    [download, 'PutBlob', { Name: 'a' }, 'InvalidRequest'],
    [upload, 'GetBlob', { Name: '1' }, 'ValidationException'],
    [download, 'GetBlob', { Other: 'a' }, 'ValidationException'],
  ])('refuses bytes for an operation without any: %s of %s', async (act, operation, input, code) => {
    const { status, text } = await act(operation, input);
    expect({ status, code: JSON.parse(text).error.code }).toEqual({ status: 400, code });
  });

  it('runs no operation for bytes by GET, without a JSON content type, or without bytes in its output', async () => {
    const { recorder } = emulator.kernel;
    recorder.recording = true;
    const target = `${BYTES}?${queryOf('PutBlob', { Name: 'a' })}`;
    for (const method of ['GET', 'HEAD']) expect((await answerTo({ method, target })).status).toBe(405);
    expect((await download('GetBlob', { Name: '1' }, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await download('PutBlob', { Name: 'a' })).status).toBe(400);
    expect([...recorder.list()]).toEqual([]);
    await download('GetBlob', { Name: '1' });
    expect([...recorder.list()]).toHaveLength(1);
    recorder.recording = false;
  });

  it('lists resources of a valid account and region', async () => {
    expect(await emulator.control('GET', '/_emulator/console/resources?region=eu-west-1')).toMatchObject({
      status: 200,
      json: { region: 'eu-west-1', truncated: false },
    });
    expect((await emulator.control('GET', '/_emulator/console/resources?account_id=x')).status).toBe(400);
  });
});
