import { expect, test, vi } from 'vitest';
import { authorityOf, originForm } from '../src/request/request-target.ts';
import { createTestEmulator, manifestOf } from '../src/testing/index.ts';
import { notesPlugin } from './notes.ts';
import { call, request } from './requests.ts';

test.each([
  ['/a?b=http://c', undefined, '/a?b=http://c'],
  ['http://host:1/a?b', 'host:1', '/a?b'],
  ['HTTPS://host', 'host', '/'],
  ['http://host?b', 'host', '/?b'],
  ['*', undefined, '/*'],
  ['', undefined, '/'],
])('the target %s has the authority %s and the path %s', (target, authority, path) => {
  expect({ authority: authorityOf(target), path: originForm(target) }).toEqual({ authority, path });
});

test('no time is taken unless durations are logged', async () => {
  await using emulator = await createTestEmulator({ manifests: [manifestOf(notesPlugin)] });
  const who = request({ headers: call('WhoAmI'), body: '{}' });
  await emulator.gateway.handle(who);
  const now = vi.spyOn(performance, 'now');
  try {
    expect((await emulator.gateway.handle(who)).status).toBe(200);
    expect(now).not.toHaveBeenCalled();
  } finally {
    now.mockRestore();
  }
});
