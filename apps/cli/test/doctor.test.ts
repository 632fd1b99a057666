import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmulator } from '@emu/emulator';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { emu, run } from './cli.ts';

let dataPath: string;
let snapshot: string;
beforeEach(async () => {
  dataPath = await mkdtemp(join(tmpdir(), 'emu-test-'));
  snapshot = join(dataPath, 'sqs', 'snapshot.json');
  await using emulator = await createEmulator({ dataPath, services: ['sqs', 's3'] });
  await emulator.kernel.call('sqs', 'CreateQueue', { QueueName: 'jobs' });
  await emulator.kernel.call('s3', 'CreateBucket', { Bucket: 'bucket' });
  await emulator.kernel.call('s3', 'PutObject', { Bucket: 'bucket', Key: 'key', Body: Buffer.from('content') });
});
afterEach(() => rm(dataPath, { recursive: true }));

const doctor = (...args: string[]) => run(['doctor', '--data-path', dataPath, ...args]);
const flipByte = async (path: string, offset: number): Promise<void> => {
  const bytes = await readFile(path);
  bytes[offset]! ^= 1;
  await writeFile(path, bytes);
};

describe('emu doctor', () => {
  test('reports undamaged data', async () => {
    const finished = await doctor();
    expect(finished).toMatchObject({ code: 0, stderr: '' });
    expect(finished.stdout).toMatch(
      /^s3 +undamaged: \d+ records, 1 bodies\nsqs +undamaged: \d+ records\nEverything is undamaged\.\n$/,
    );
    expect(await run(['doctor'], { EMULATOR_DATA_PATH: dataPath })).toEqual(finished);
  });

  test('reports damage, and moves it away so that emu starts', async () => {
    await flipByte(snapshot, 60);
    const start = ['--storage-mode', 'persistent', '--data-path', dataPath, '--addr', '127.0.0.1:0'];
    const refused = await run(start);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`${snapshot} is damaged at byte`);
    expect(refused.stderr).toContain(`\`emu doctor --data-path ${dataPath}\``);

    const found = await doctor();
    expect(found.code).toBe(1);
    expect(found.stdout).toMatch(/^s3 +undamaged: .*\nsqs +damaged; \d+ records can be read\n/);
    expect(found.stdout).toContain(`${snapshot} is damaged at byte`);
    expect(found.stdout).toContain('emu does not start with this directory; --repair moves the damaged parts away.\n');

    const repaired = await doctor('--repair');
    expect(repaired.code).toBe(0);
    expect(repaired.stdout).toContain('all records of sqs were set aside');
    const [, aside] = /were moved to (.*); emu starts with the rest\.\n$/.exec(repaired.stdout)!;
    expect(aside).toContain(join(dataPath, 'damaged'));
    expect((await readFile(join(aside!, 'sqs', 'snapshot.json'), 'utf8')).length).toBeGreaterThan(60);

    expect(await doctor()).toMatchObject({ code: 0, stdout: expect.stringContaining('Everything is undamaged.') });
    const running = emu(start);
    await running.waitFor(/ready on/);
    running.child.kill('SIGTERM');
    expect((await running.finished).code).toBe(0);
  });

  test('reads a directory in use, and reports its user', async () => {
    const running = emu(['--storage-mode', 'persistent', '--data-path', dataPath, '--addr', '127.0.0.1:0']);
    const [, url] = await running.waitFor(/ready on (\S+)/);
    const files = await readdir(dataPath, { recursive: true });
    expect(await doctor()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        new RegExp(`Everything is undamaged; it is in use by process ${running.child.pid} on .*, since .*\\.\\n$`),
      ),
    });
    expect(await run(['--storage-mode', 'persistent', '--data-path', dataPath, '--addr', '127.0.0.1:0'])).toMatchObject(
      {
        code: 1,
        stderr: expect.stringMatching(
          /^emu: .* is in use by .*; stop it, or start this one with another --data-path .*\n$/,
        ),
      },
    );
    // The directory is unchanged, and the running emulator still holds it.
    expect(await readdir(dataPath, { recursive: true })).toEqual(files);
    expect((await fetch(`${url}/_emulator/health`)).status).toBe(200);
    await flipByte(snapshot, 60);
    expect(await doctor()).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(
        'files that seem damaged may be in the process of being written. Stop it, and check again.\n',
      ),
    });
    running.child.kill('SIGTERM');
    await running.finished;
  });

  test('fails with a message if there is nothing to inspect', async () => {
    expect(await run(['doctor'])).toMatchObject({
      code: 1,
      stderr: 'emu: Name the data directory: emu doctor --data-path <dir> (EMULATOR_DATA_PATH).\n',
    });
    const nothing = join(dataPath, 'nothing');
    for (const flags of [[], ['--repair']])
      expect(await run(['doctor', '--data-path', nothing, ...flags])).toMatchObject({
        code: 1,
        stderr: `emu: ${nothing} contains no state of emu.\n`,
      });
    expect(await doctor('--repairs')).toMatchObject({
      code: 1,
      stderr: 'emu: --repairs is not a flag of this command; did you mean --repair?\n',
    });
  });
});
