import { createLogger } from '@emu/core';
import { expect, test } from 'vitest';
import { closeInTime } from '../src/lifetime.ts';

test.each([
  [true, 'the next start finishes writing snapshots'],
  [false, 'the remaining work ends with the process'],
])('a slow end is logged by the storage mode (persistent: %s)', async (persistent, message) => {
  const lines: string[] = [];
  const log = createLogger({ level: 'warn', format: 'text', write: (line) => void lines.push(line) });
  const emulator = { kernel: { persistent }, close: () => new Promise<void>(() => {}) };
  expect(await closeInTime({ emulator, log, hooks: undefined, url: 'http://localhost:4566' })).toBe(0);
  expect(lines).toEqual([expect.stringContaining(`shutting down took too long; ${message}`)]);
});
