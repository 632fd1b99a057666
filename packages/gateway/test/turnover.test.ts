import { expect, it } from 'vitest';
import { createTestEmulator } from '../src/testing/index.ts';
import { notesPlugin } from './notes.ts';

it('during the restore of a checkpoint, health responds and everything else waits', async () => {
  await using emulator = await createTestEmulator({ plugins: [notesPlugin] });
  const { kernel } = emulator;
  const service = await kernel.service('notes');
  let release = false;
  const answered: string[] = [];
  const ask = (method: string, path: string): Promise<unknown> =>
    emulator.control(method, path).then(({ status }) => answered.push(`${path} ${status}`));
  const ended = kernel.turnover.run(
    [
      {
        service,
        clear: () => undefined,
        *put() {
          while (!release) yield;
        },
      },
    ],
    () => undefined,
  );
  const others = [
    ask('GET', '/_emulator/clock'),
    ask('GET', '/bucket/key'),
    kernel
      .callJson('notes', 'GetNote', { Name: 'none' })
      .catch(() => undefined)
      .then(() => answered.push('call')),
  ];
  for (let count = 0; count < 3; count++) await ask('GET', '/_emulator/health');
  expect(answered).toEqual(Array(3).fill('/_emulator/health 200'));
  expect(() => service.state('000000000000', 'us-east-1')).toThrow('is being replaced');
  release = true;
  await ended;
  await Promise.all(others);
  expect(answered).toHaveLength(6);
});
