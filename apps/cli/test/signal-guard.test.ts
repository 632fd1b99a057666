import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createEmulator } from '@emu/emulator';
import { expect, test } from 'vitest';

test('a signal ends a process that is busy since its first work', async () => {
  const program = join(import.meta.dirname, 'programs', 'busy.ts');
  const child = spawn(process.execPath, ['--conditions=emu-source', '--import', import.meta.resolve('tsx'), program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    expect(String((await once(child.stdout, 'data'))[0])).toBe('busy\n');
    // The thread starts while the process is busy; a signal that it misses is sent again.
    const timer = setInterval(() => child.kill('SIGTERM'), 500);
    expect((await ended)[1]).toBe('SIGKILL');
    clearInterval(timer);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
});

test('work begins with the first service', async () => {
  await using emulator = await createEmulator({ services: ['sqs'] });
  let begun = 0;
  const begin = () => {
    begun++;
  };
  emulator.kernel.beforeLoading(begin);
  await fetch(`${(await emulator.listen()).url}/_emulator/health`);
  expect(begun).toBe(0);
  await emulator.kernel.callJson('sqs', 'ListQueues', {});
  expect(begun).toBe(1);
  emulator.kernel.beforeLoading(begin);
  expect(begun).toBe(2);
});
