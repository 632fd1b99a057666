import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { emu, run, started } from './cli.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'emu-init-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const script = (name: string, text: string): void => writeFileSync(join(folder, name), text);

/** A script that makes a queue with nothing but node. */
const createQueue = (name: string): string => `
const response = await fetch(process.env.AWS_ENDPOINT_URL, {
  method: 'POST',
  headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.CreateQueue' },
  body: JSON.stringify({ QueueName: '${name}' }),
});
if (!response.ok) process.exit(1);
`;

describe('--init', () => {
  test('runs scripts in the order of their names before emu says that it is ready', async () => {
    script('20-second.sh', 'echo "$AWS_ENDPOINT_URL $AWS_ACCESS_KEY_ID" >> order.txt\n');
    script(
      '10-first.mjs',
      `${createQueue('made-by-init')}
import { appendFileSync } from 'node:fs';
appendFileSync('order.txt', 'first\\n');`,
    );
    script('notes.txt', 'not a script');
    await using server = await started(['--init', folder]);
    const queues = await fetch(server.url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.ListQueues' },
      body: '{}',
    });
    expect(await queues.json()).toEqual({ QueueUrls: [`${server.url}/123456789012/made-by-init`] });
    expect(readFileSync(join(folder, 'order.txt'), 'utf8')).toBe(`first\n${server.url} test\n`);
    expect(server.running.stderr).toContain('init: notes.txt is not run');
  });

  test('shows what a script prints and that it failed, and goes on', async () => {
    script('1.sh', 'echo out of luck >&2\nexit 3\n');
    script('2.mjs', createQueue('after'));
    await using server = await started([], { EMULATOR_INIT_DIR: folder });
    expect(server.running.stderr).toContain('out of luck');
    expect(server.running.stderr).toMatch(/ERROR init: 1\.sh failed with exit code 3/);
    expect(server.running.stderr).toMatch(/INFO {2}init: 2\.mjs ran/);
  });

  test('ends emu at a failing script where it is strict', async () => {
    script('1.sh', 'exit 3\n');
    script('2.sh', 'touch ran\n');
    const { code, stderr } = await run(['--addr', '127.0.0.1:0', '--init', folder, '--init-strict']);
    expect(code).toBe(1);
    expect(stderr).toContain('The init hook 1.sh failed with exit code 3 (--init-strict).');
    expect(() => readFileSync(join(folder, 'ran'))).toThrow();
  });

  test('ends emu where the directory cannot be read', async () => {
    const running = emu(['--addr', '127.0.0.1:0', '--init', join(folder, 'missing')]);
    const { code, stderr } = await running.finished;
    expect(code).toBe(1);
    expect(stderr).toContain('The init directory cannot be read');
  });
});
