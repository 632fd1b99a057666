import { afterAll, describe, expect, test } from 'vitest';
import { timerDelay } from '../../../tools/testing/delays.ts';
import { FairQueue } from '../src/programs/fair-queue.ts';
import { ProgramPool, programPool } from '../src/programs/pool.ts';
import { Program } from '../src/programs/program.ts';
import * as hostile from './support/hostile-program.ts';

const close = programPool.open();
afterAll(close);

const patient = new Program(() => import('./support/hostile-program.ts'), 20_000);
const impatient = new Program(() => import('./support/hostile-program.ts'), 300);

describe('a program from a user', () => {
  test('returns its output', async () => {
    expect(await patient.run({ program: 'echo', argument: 7 }, 'a')).toBe(7);
  });

  test('throws its error', async () => {
    await expect(patient.run({ program: 'endless recursion', argument: 0 }, 'a')).rejects.toThrow(
      'Maximum call stack size exceeded',
    );
    await expect(patient.run({ program: 'a function as output', argument: 0 }, 'a')).rejects.toThrow('cloned');
  });

  test.each([
    ['endless loop', impatient, 'time'],
    ['growing list', patient, 'memory'],
    ['one large allocation', patient, 'memory'],
    ['doubled text', patient, 'memory'],
    ['memory outside of the heap', patient, 'memory'],
  ] as const)('ends above a limit without delay of the main thread: %s', async (program, limited, limit) => {
    const delay = await timerDelay(() =>
      expect(limited.run({ program, argument: 0 }, 'a')).rejects.toMatchObject({ name: 'ProgramLimitError', limit }),
    );
    expect(delay).toBeLessThan(100);
    expect(await patient.run({ program: 'echo', argument: 8 }, 'a')).toBe(8);
  });

  test('does not delay the programs of another owner', async () => {
    const endless = Array.from({ length: 6 }, () => impatient.run({ program: 'endless loop', argument: 0 }, 'hostile'));
    const ended: string[] = [];
    const all = Promise.allSettled(endless.map((run) => run.catch(() => ended.push('hostile'))));
    await patient.run({ program: 'echo', argument: 1 }, 'friendly');
    ended.push('friendly');
    await all;
    expect(ended.indexOf('friendly')).toBeLessThan(3);
  });

  test('ends with the last emulator', async () => {
    // A pool of its own, because emulators of other test files may use the shared one.
    const pool = new ProgramPool();
    const [end, endOther] = [pool.open(), pool.open()];
    const run = (program: string, owner: string) => pool.run(hostile.url, { program, argument: 0 }, owner, 600_000);
    const waiting = run('endless loop', 'a');
    const id = (await run('process', 'b')) as number;
    end();
    expect(isRunning(id)).toBe(true);
    endOther();
    await expect(waiting).rejects.toThrow('the emulator has been closed');
    await expect.poll(() => isRunning(id)).toBe(false);
  });
});

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

test('a fair queue serves its keys in turns, and limits the share of each', () => {
  const queue = new FairQueue<number>(2);
  for (const item of [1, 2, 3]) queue.add('a', item);
  queue.add('b', 4);
  expect([queue.take(), queue.take(), queue.take(), queue.take()]).toEqual([
    { key: 'a', item: 1 },
    { key: 'b', item: 4 },
    { key: 'a', item: 2 },
    undefined,
  ]);
  queue.release('a');
  expect(queue.take()).toEqual({ key: 'a', item: 3 });
  queue.add('b', 5);
  expect(queue.clear()).toEqual([5]);
});
