import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LeakCheck, Ledger, type WorkloadClient } from '../src/testing/index.ts';

/** A workload that rejects every third piece. */
const client: WorkloadClient = {
  prepare: async () => undefined,
  write: async (piece) => {
    if (piece % 3 === 2) throw new Error(`no ${piece}`);
  },
  read: async () => [],
  destroy: () => undefined,
};

test('the ledger names lost, invented and duplicate pieces', async () => {
  const ledger = new Ledger();
  await ledger.writeMany(client, 6, 2);
  expect(ledger.size).toBe(4);
  expect(ledger.refusals).toHaveLength(2);
  expect(ledger.losses([0, 1, 3, 4])).toEqual([]);
  // A piece without a response may exist or not.
  expect(ledger.losses([0, 1, 2, 3, 4, 5])).toEqual([]);
  expect(ledger.losses([0, 1, 4])).toEqual(['3 was acknowledged and is lost']);
  expect(ledger.losses([0, 1, 3, 4, 6])).toEqual(['6 was never asked for']);
  expect(ledger.losses([0, 0, 1, 3, 4])).toEqual(['1 are there twice']);
});

test('a leak check finds timers, files, child processes and temporary files', {
  timeout: 60_000,
}, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'emu-test-'));
  const check = await LeakCheck.start();
  expect(await check.leaks(directory)).toEqual([]);

  await writeFile(join(directory, 'snapshot.json.tmp'), '');
  const file = await open(join(directory, 'snapshot.json.tmp'));
  // More of them than timers of earlier tests that may end meanwhile, each of which would hide one.
  const timers = Array.from({ length: 50 }, () => setInterval(() => undefined, 60_000));
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(child, 'spawn');
  const leaks = await check.leaks(directory);
  expect(leaks).toContainEqual(expect.stringContaining('snapshot.json.tmp is left'));
  expect(leaks).toContainEqual(expect.stringContaining('of Timeout'));
  expect(leaks).toContainEqual(expect.stringContaining('of ProcessWrap'));
  if (process.platform === 'linux') expect(leaks).toContainEqual(expect.stringContaining('of open file'));

  for (const timer of timers) clearInterval(timer);
  await file.close();
  child.kill('SIGKILL');
  await once(child, 'close');
  await rm(directory, { recursive: true });
  expect(await check.leaks()).toEqual([]);
});
