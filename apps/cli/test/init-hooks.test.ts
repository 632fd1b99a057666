import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** A script that creates a queue with node only. */
const createQueue = (name: string): string => `
const response = await fetch(process.env.AWS_ENDPOINT_URL, {
  method: 'POST',
  headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.CreateQueue' },
  body: JSON.stringify({ QueueName: '${name}' }),
});
if (!response.ok) process.exit(1);
`;

describe('--init', () => {
  test('runs scripts in the order of their names before emu reports that it is ready', async () => {
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

  test('shows the output and failure of a script, and continues', async () => {
    script('1.sh', 'echo out of luck >&2\nexit 3\n');
    script('2.mjs', createQueue('after'));
    await using server = await started([], { EMULATOR_INIT_DIR: folder });
    expect(server.running.stderr).toContain('out of luck');
    expect(server.running.stderr).toMatch(/ERROR init: 1\.sh failed with exit code 3/);
    expect(server.running.stderr).toMatch(/INFO {2}init: 2\.mjs ran/);
  });

  test('ends emu after a failing script in strict mode', async () => {
    script('1.sh', 'exit 3\n');
    script('2.sh', 'touch ran\n');
    const { code, stderr } = await run(['--addr', '127.0.0.1:0', '--init', folder, '--init-strict']);
    expect(code).toBe(1);
    expect(stderr).toContain('The init hook 1.sh failed with exit code 3 (--init-strict).');
    expect(() => readFileSync(join(folder, 'ran'))).toThrow();
  });

  test('ends emu if the directory cannot be read', async () => {
    const running = emu(['--addr', '127.0.0.1:0', '--init', join(folder, 'missing')]);
    const { code, stderr } = await running.finished;
    expect(code).toBe(1);
    expect(stderr).toContain('The init directory cannot be read');
  });
});

describe('stages of --init', () => {
  const below = (stage: string, name: string, text: string): void => {
    mkdirSync(join(folder, `${stage}.d`), { recursive: true });
    writeFileSync(join(folder, `${stage}.d`, name), text);
  };
  const order = (): string[] => readFileSync(join(folder, 'order.txt'), 'utf8').trim().split('\n');
  const note = (what: string): string => `echo "${what} $AWS_ENDPOINT_URL" >> "${join(folder, 'order.txt')}"\n`;

  test('run before emu starts, when it listens, when it is ready and before it ends, and are reported', async () => {
    below('boot', '1.sh', note('boot'));
    below('start', '1.sh', note('start'));
    below('ready', '1.sh', note('below'));
    script('1.sh', note('ready'));
    script('2.sh', 'exit 1\n');
    below('shutdown', '1.sh', note('shutdown'));
    const { running, url, [Symbol.asyncDispose]: dispose } = await started(['--init', folder]);
    const stages = await (await fetch(`${url}/_localstack/init`)).json();
    expect(stages).toEqual({
      completed: { BOOT: true, START: true, READY: true, SHUTDOWN: false },
      scripts: [
        { stage: 'READY', name: '1.sh', state: 'SUCCESSFUL' },
        { stage: 'READY', name: '2.sh', state: 'ERROR' },
        { stage: 'BOOT', name: '1.sh', state: 'SUCCESSFUL' },
        { stage: 'START', name: '1.sh', state: 'SUCCESSFUL' },
        { stage: 'READY', name: '1.sh', state: 'SUCCESSFUL' },
        { stage: 'SHUTDOWN', name: '1.sh', state: 'UNKNOWN' },
      ],
    });
    expect(await (await fetch(`${url}/_localstack/init/boot`)).json()).toEqual({
      completed: true,
      scripts: [{ stage: 'BOOT', name: '1.sh', state: 'SUCCESSFUL' }],
    });
    expect((await fetch(`${url}/_localstack/init/nap`)).status).toBe(404);
    running.child.kill('SIGTERM');
    await running.finished;
    await dispose();
    expect(order()).toEqual(['boot ', `start ${url}`, `ready ${url}`, `below ${url}`, `shutdown ${url}`]);
  });

  test('honour #!, run Python, and run again after a reset if configured', async () => {
    script('1-any', `#!${process.execPath} --no-warnings\nrequire('fs').appendFileSync('order.txt', 'node\\n');`);
    script('2.py', "open('order.txt', 'a').write('python\\n')\n");
    await using server = await started(['--init', folder, '--init-after-reset']);
    const python = /init: 2\.py could not be run/.test(server.running.stderr) ? [] : ['python'];
    expect(order()).toEqual(['node', ...python]);
    expect((await fetch(`${server.url}/_localstack/state/reset`, { method: 'POST' })).status).toBe(200);
    expect(order()).toEqual(['node', ...python, 'node', ...python]);
    const health = (await (await fetch(`${server.url}/_localstack/health`)).json()) as { version: string };
    expect(health).toMatchObject({ services: { sqs: 'available', 'resource-groups': 'available' } });
    const info = await (await fetch(`${server.url}/_localstack/info`)).json();
    expect(info).toMatchObject({ version: health.version, is_license_activated: false });
  });
});
