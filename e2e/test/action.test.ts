import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CreateQueueCommand, ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { freePort } from '../src/emu.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const EMU = join(ROOT, 'apps/cli/bin/emu.js');

interface Action {
  inputs: Record<string, { default?: string }>;
  outputs: Record<string, { value: string }>;
  runs: { using: string; steps: { id?: string; shell: string; run: string; env: Record<string, string> }[] };
}

const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as Action;

describe.skipIf(process.platform === 'win32')('the GitHub Action', () => {
  const folder = mkdtempSync(join(tmpdir(), 'emu-action-'));
  const file = (name: string): string => join(folder, name);
  let port: number;

  /** Runs the steps of the action as a runner does, with this repository's package instead of npm's. */
  function run(inputs: Record<string, string>): {
    status: number | null;
    output: string;
    env: string;
    outputs: string;
  } {
    const values: Record<string, string> = { port: String(port), ...inputs };
    for (const name of Object.keys(values)) expect(action.inputs).toHaveProperty(name);
    const filledIn = (expression: string): string =>
      expression.replace(
        /\$\{\{ inputs\.(\w+) \}\}/g,
        (_, name: string) => values[name] ?? action.inputs[name]!.default!,
      );
    for (const name of ['env', 'outputs']) writeFileSync(file(name), '');
    let output = '';
    for (const step of action.runs.steps) {
      const ended = spawnSync(step.shell, ['-eo', 'pipefail', '-c', step.run], {
        encoding: 'utf8',
        env: {
          ...process.env,
          ...Object.fromEntries(Object.entries(step.env).map(([name, value]) => [name, filledIn(value)])),
          PATH: `${folder}:${process.env.PATH}`,
          GITHUB_ACTION_PATH: ROOT,
          GITHUB_ENV: file('env'),
          GITHUB_OUTPUT: file('outputs'),
          RUNNER_TEMP: folder,
        },
      });
      output += ended.stdout + ended.stderr;
      const told = { env: readFileSync(file('env'), 'utf8'), outputs: readFileSync(file('outputs'), 'utf8') };
      if (ended.status !== 0 || step === action.runs.steps.at(-1)) return { status: ended.status, output, ...told };
    }
    throw new Error('the action has no steps');
  }

  beforeAll(async () => {
    port = await freePort();
    writeFileSync(
      file('npx'),
      `#!/bin/sh\n[ "$1 $2" = "--yes @emu/cli@latest" ] || exit 9\nshift 2\nexec "${process.execPath}" "${EMU}" "$@"\n`,
    );
    chmodSync(file('npx'), 0o755);
  });
  afterAll(() => {
    if (existsSync(file(`emu-${port}.pid`))) run({ command: 'stop' });
    rmSync(folder, { recursive: true });
  });

  const clientOf = (env: string): SQSClient => {
    const variables = Object.fromEntries(env.split('\n').map((line) => line.split('=') as [string, string]));
    return new SQSClient({
      endpoint: variables.AWS_ENDPOINT_URL!,
      region: variables.AWS_REGION!,
      credentials: { accessKeyId: variables.AWS_ACCESS_KEY_ID!, secretAccessKey: variables.AWS_SECRET_ACCESS_KEY! },
    });
  };

  test('starts emu, configures clients, saves the state, ends, and starts with that state', async () => {
    const state = file('state.emu');
    const started = run({ region: 'eu-west-1', flags: '--log-level error --enforce-quotas', state });
    expect(started).toMatchObject({ status: 0, outputs: `endpoint=http://127.0.0.1:${port}\n` });
    await clientOf(started.env).send(new CreateQueueCommand({ QueueName: 'orders' }));
    expect(run({ command: 'save', state })).toMatchObject({ status: 0 });
    expect(run({ command: 'stop' })).toMatchObject({ status: 0 });

    const again = run({ region: 'eu-west-1', state });
    expect(again.output).toContain('loaded the state of ');
    const { QueueUrls } = await clientOf(again.env).send(new ListQueuesCommand({}));
    expect(QueueUrls).toEqual([expect.stringMatching(/\/orders$/)]);
    expect(run({ command: 'stop' })).toMatchObject({ status: 0 });
  });

  test('fails with a reason if emu does not start', () => {
    const failed = run({ flags: '--no-such-flag', timeout: '1' });
    expect(failed).toMatchObject({ status: 1, env: '' });
    expect(failed.output).toContain('--no-such-flag is not a flag of this command');
  });

  test.each([
    [{ command: 'save' }, 'Name the file in the input state'],
    [{ command: 'pause' }, 'command is start, save or stop, not pause'],
  ])('rejects %j', (inputs, reason) => {
    const refused = run(inputs);
    expect(refused.status).toBe(1);
    expect(refused.output).toContain(reason);
  });

  test('passes every input to its script and every output from it', () => {
    expect(action.runs.using).toBe('composite');
    const [step] = action.runs.steps;
    const handed = Object.values(step!.env).map((value) => /inputs\.(\w+)/.exec(value)?.[1]);
    expect(handed.sort()).toEqual(Object.keys(action.inputs).sort());
    expect(action.outputs.endpoint!.value).toBe(`\${{ steps.${step!.id}.outputs.endpoint }}`);
  });
});
