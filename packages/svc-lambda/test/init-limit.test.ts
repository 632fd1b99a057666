import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type RunningTest, startRunning } from './running.ts';

const home = mkdtempSync(join(tmpdir(), 'emu-test-'));
let test: RunningTest;
beforeAll(async () => {
  // The function creates files of this machine.
  test = await startRunning({ settings: { values: { EMULATOR_LAMBDA_SANDBOX: 'off' } } });
});
afterEach(() => vi.useRealTimers());
afterAll(async () => {
  rmSync(home, { recursive: true });
  await test[Symbol.asyncDispose]();
});

/** A function whose first initializations hang; each creates a file. */
const hangs = (times: number) => ({
  'index.js': `
const { existsSync, writeFileSync } = require('node:fs');
for (let turn = 0; turn < ${times}; turn++) {
  const file = process.env.HOME_OF_TEST + '/' + process.env.AWS_LAMBDA_FUNCTION_NAME + turn;
  if (existsSync(file)) continue;
  writeFileSync(file, '');
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
exports.handler = async (event, context) => context.getRemainingTimeInMillis();`,
});
const define = (times: number) =>
  test.define(hangs(times), { Timeout: 5, Environment: { Variables: { HOME_OF_TEST: home } } });

/** Resolves when a file exists. Timers do not follow real time here. */
async function appears(file: string): Promise<void> {
  while (!existsSync(join(home, file))) await new Promise((resolve) => setImmediate(resolve));
}

it('an initialization times out after 10 seconds, and is retried within the invocation', async () => {
  const name = await define(1);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const invoked = test.invoke(name);
  await appears(`${name}0`);
  vi.advanceTimersByTime(10_000);
  // The invocation was started, and the second initialization counts towards its timeout.
  expect((await invoked).payload).toBeLessThan(4999);
});

it("an initialization longer than the invocation's timeout times out", async () => {
  const name = await define(2);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const invoked = test.invoke(name);
  await appears(`${name}0`);
  vi.advanceTimersByTime(10_000);
  await appears(`${name}1`);
  vi.advanceTimersByTime(5000);
  const { payload, log } = await invoked;
  expect(payload).toMatchObject({
    errorType: 'Sandbox.Timedout',
    errorMessage: expect.stringContaining('Task timed out after 5.00 seconds'),
  });
  expect(log).toMatch(/Phase: invoke\tStatus: timeout\n/);
});
