import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestEmulator, manifestOf, type TestEmulator } from '../src/testing/index.ts';
import { notesPlugin } from './notes.ts';
import { call, request, textOf } from './requests.ts';

let emulator: TestEmulator;
beforeEach(async () => {
  emulator = await createTestEmulator({ plugins: [notesPlugin], version: '1.2.3' });
});
afterEach(() => emulator.close());

const put = (name: string, text: string, accessKeyId = 'test') =>
  emulator.gateway.handle(
    request({ headers: call('PutNote', accessKeyId), body: JSON.stringify({ Name: name, Text: text }) }),
  );
const get = async (name: string, accessKeyId = 'test') =>
  (
    await emulator.gateway.handle(
      request({ headers: call('GetNote', accessKeyId), body: JSON.stringify({ Name: name }) }),
    )
  ).status;
const error = (code: string, message?: unknown) => ({ error: { code, message: message ?? expect.any(String) } });

describe('control routes', () => {
  it('GET /_emulator/health returns version and services', async () => {
    expect(await emulator.control('GET', '/_emulator/health')).toEqual({
      status: 200,
      json: { status: 'ok', version: '1.2.3', services: ['notes'] },
    });
  });

  it('POST /_reset, reset of a service and of one account remove their state', async () => {
    for (const [path, left] of [
      ['/_reset', 404],
      ['/_emulator/reset/notes', 404],
      ['/_emulator/reset/notes/123456789012', 200],
    ] as const) {
      await put('a', 'x');
      await put('a', 'y', '000000000001');
      expect(await emulator.control('POST', path)).toEqual({ status: 200, json: { reset: true } });
      expect(await get('a')).toBe(404);
      expect(await get('a', '000000000001')).toBe(left);
    }
  });

  it('refuses invalid resets', async () => {
    expect(await emulator.control('POST', '/_emulator/reset/nothing')).toEqual({
      status: 501,
      json: error('NotImplemented', 'emu does not implement the service nothing.'),
    });
    for (const name of ['__proto__', 'constructor'])
      expect(await emulator.control('POST', `/_emulator/reset/${name}`)).toMatchObject({ status: 501 });
    expect(await emulator.control('POST', '/_emulator/reset/notes/12')).toMatchObject({ status: 400 });
    await using whole = await createTestEmulator({
      manifests: [{ ...manifestOf(notesPlugin), withoutAccounts: true }],
    });
    expect(await whole.control('POST', '/_emulator/reset/notes/123456789012')).toEqual({
      status: 400,
      json: error('InvalidRequest', 'notes has no state per account; reset all of it.'),
    });
  });

  it('GET /_emulator/credentials returns a session of the configured role', async () => {
    const { status, json } = await emulator.control('GET', '/_emulator/credentials');
    const record = json as Record<string, string>;
    expect(status).toBe(200);
    expect(Object.keys(record)).toEqual(['AccessKeyId', 'SecretAccessKey', 'Token', 'Expiration', 'RoleArn']);
    expect(record.RoleArn).toBe('arn:aws:iam::123456789012:role/emulator');
    const left = Date.parse(record.Expiration!) - Date.now();
    expect(left).toBeGreaterThan(3590_000);
    expect(left).toBeLessThanOrEqual(3600_000);
    const response = await emulator.gateway.handle(
      request({ headers: call('WhoAmI', record.AccessKeyId), body: '{}' }),
    );
    expect(JSON.parse(await textOf(response))).toMatchObject({
      Arn: 'arn:aws:sts::123456789012:assumed-role/emulator/emulator',
      Key: record.AccessKeyId,
    });
  });

  it('POST /_emulator/iam/create-admin creates a key of a user in any account', async () => {
    const create = () =>
      emulator.control('POST', '/_emulator/iam/create-admin', { accountId: '000000000007', userName: 'jane' });
    const first = await create();
    expect(first).toEqual({
      status: 200,
      json: {
        accountId: '000000000007',
        userName: 'jane',
        arn: 'arn:aws:iam::000000000007:user/jane',
        accessKeyId: expect.stringMatching(/^AKIA[A-Z2-7]{16}$/),
        secretAccessKey: expect.stringMatching(/^[\w+/]{40}$/),
      },
    });
    const keys = [first, await create()].map(({ json }) => (json as { accessKeyId: string }).accessKeyId);
    const principals = keys.map((key) => emulator.kernel.credentials.get(key)!.principal);
    expect(keys[0]).not.toBe(keys[1]);
    expect(principals[0]).toEqual(principals[1]);
    expect(principals[0]!.userId).toMatch(/^AIDA[A-Z2-7]{17}$/);
  });

  it('create-admin refuses bad bodies and unknown organizations', async () => {
    const create = (body?: unknown) => emulator.control('POST', '/_emulator/iam/create-admin', body);
    const good = { accountId: '000000000007', userName: 'jane' };
    expect(await create({ ...good, organizationId: 'o-1234567890' })).toEqual({
      status: 400,
      json: error('OrganizationNotFound', 'There is no organization o-1234567890.'),
    });
    expect(await create({ ...good, accountId: '7' })).toEqual({
      status: 400,
      json: error('InvalidRequest', 'accountId: must be 12 digits'),
    });
    for (const body of [undefined, [], 'x', {}, { ...good, userName: 'a b' }, { ...good, more: 1 }])
      expect(await create(body)).toEqual({ status: 400, json: error('InvalidRequest') });
  });

  it('/_emulator/clock reads and drives the time', async () => {
    const drive = (change: unknown) => emulator.control('POST', '/_emulator/clock', change);
    expect(await emulator.control('GET', '/_emulator/clock')).toMatchObject({
      status: 200,
      json: { frozen: false, offset: 0 },
    });
    expect(await drive({ freeze: true })).toMatchObject({ json: { frozen: true } });
    expect(await drive({ set: '2040-01-01T00:00:00Z' })).toMatchObject({
      status: 400,
      json: error('InvalidRequest', 'time moves forward at most 3660 days at once.'),
    });
    expect(await drive({ set: '2030-01-01T00:00:00+01:00' })).toMatchObject({
      json: { now: '2029-12-31T23:00:00.000Z' },
    });
    expect(await drive({ advance: '1h30m' })).toMatchObject({ json: { now: '2030-01-01T00:30:00.000Z' } });
    expect(await drive({ advance: 500 })).toMatchObject({ json: { now: '2030-01-01T00:30:00.500Z' } });
    const fired: number[] = [];
    emulator.kernel.clock.after(60_000, () => void fired.push(emulator.kernel.clock.now()));
    await drive({ advance: '15m' });
    expect(fired).toEqual([Date.parse('2030-01-01T00:31:00.500Z')]);
    const dated = await emulator.gateway.handle(request({ method: 'GET', target: '/_emulator/health' }));
    expect(dated.headers.date).toBe('Tue, 01 Jan 2030 00:45:00 GMT');
    expect(await drive({ resume: true })).toMatchObject({ json: { frozen: false } });
    expect(await drive({ reset: true })).toMatchObject({ json: { frozen: false, offset: 0 } });
    for (const body of [
      undefined,
      {},
      { freeze: false },
      { freeze: true, resume: true },
      { advance: '-1s' },
      { advance: -1 },
      { advance: 1e20 },
      { advance: 2 ** 63 },
      { advance: '999999999999999d' },
      { set: '9999-12-31T23:59:59Z' },
    ])
      expect(await drive(body)).toEqual({ status: 400, json: error('InvalidRequest') });
    for (const set of ['tomorrow', '2030-01-01', '1900-01-01T00:00:00Z'])
      expect(await drive({ set })).toEqual({ status: 400, json: error('InvalidRequest') });
    const now = vi.spyOn(emulator.kernel.clock, 'now').mockReturnValue(Date.UTC(9999, 11, 31));
    expect(await drive({ advance: '2d' })).toEqual({
      status: 400,
      json: error('InvalidRequest', 'time moves forward at most to the end of the year 9999.'),
    });
    now.mockRestore();
  });

  it('serves the routes of services, with decoded parameters and query', async () => {
    await put('a/b c', 'text');
    expect(await emulator.control('GET', '/_emulator/notes/a%2Fb%20c/text?region=us-east-1')).toEqual({
      status: 200,
      json: { name: 'a/b c', text: 'text' },
    });
  });

  it('distinguishes unsupported routes, unknown routes and other methods', async () => {
    expect(await emulator.control('GET', '/_emulator/sns/messages')).toEqual({
      status: 501,
      json: error('NotImplemented', 'emu does not implement this control route of sns.'),
    });
    expect(await emulator.control('PUT', '/_emulator/service-quotas/quotas/sqs/L-1')).toMatchObject({ status: 501 });
    expect(await emulator.control('GET', '/_emulator/sns/other')).toMatchObject({
      status: 404,
      json: error('NotFound'),
    });
    expect(await emulator.control('GET', '/_emulator/notes/x')).toMatchObject({ status: 404 });
    expect(await emulator.control('GET', '/_emulator')).toMatchObject({ status: 404 });
    const wrong = await emulator.gateway.handle(request({ method: 'DELETE', target: '/_emulator/clock' }));
    expect(wrong).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, POST' } });
    expect(JSON.parse(await textOf(wrong))).toEqual(error('MethodNotAllowed'));
    const broken = await emulator.gateway.handle(request({ target: '/_emulator/clock', body: '{' }));
    expect(broken.status).toBe(400);
    expect(JSON.parse(await textOf(broken))).toEqual(error('InvalidRequest'));
  });
});

it('a reset of the service with access keys removes those of administrators', async () => {
  await using emulator = await createTestEmulator({
    manifests: [{ ...manifestOf(notesPlugin), credentials: 'access-keys' }],
  });
  const admin = await emulator.control('POST', '/_emulator/iam/create-admin', {
    accountId: '000000000009',
    userName: 'ann',
  });
  const { accessKeyId } = admin.json as { accessKeyId: string };
  expect(emulator.kernel.credentials.get(accessKeyId)?.principal.accountId).toBe('000000000009');
  expect(await emulator.control('POST', '/_emulator/reset/notes')).toEqual({ status: 200, json: { reset: true } });
  expect(emulator.kernel.credentials.get(accessKeyId)).toBeUndefined();
});
