import { getEventListeners } from 'node:events';
import { EmulatorClock } from '@emu/core';
import { expect, test } from 'vitest';
import { Wait } from '../src/wait.ts';

const fail = (error: unknown): never => {
  throw error;
};

test('completed waits leave no listeners', async () => {
  const wait = new Wait(new EmulatorClock(fail));
  for (let time = 0; time < 20; time++) await wait.idle(1);
  for (let time = 0; time < 20; time++) await wait.pause(1);
  expect(getEventListeners(wait.signal, 'abort')).toHaveLength(0);
});

test('waits end with their reader, and none starts after it', async () => {
  const wait = new Wait(new EmulatorClock(fail));
  const waits = [wait.idle(3_600_000), wait.pause(3_600_000)];
  expect(getEventListeners(wait.signal, 'abort')).toHaveLength(2);
  wait.close();
  await Promise.all(waits);
  expect(getEventListeners(wait.signal, 'abort')).toHaveLength(0);
  await wait.idle(3_600_000);
  await wait.pause(3_600_000);
  expect(wait.closed).toBe(true);
});
