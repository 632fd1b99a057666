import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Lambda } from '@aws-sdk/client-lambda';
import { afterEach, describe, expect, test } from 'vitest';
import { type Emu, type EmuOptions, startEmu } from '../src/emu.ts';
import { RUNTIME_PACKAGE } from '../src/runtime-package.ts';

/** Image with a shell and node, created by `tools/container-host.sh`. */
const NODE = 'localhost/emu-test/node:latest';
const env = {
  EMULATOR_LAMBDA_BACKEND: 'docker',
  EMULATOR_LAMBDA_RUNTIME_IMAGES: `provided.al2023=${NODE}`,
};

/** Sockets of engines. */
const SOCKETS = ['/var/run/docker.sock', '/run/podman/podman.sock'];

/** Reason why functions cannot run in containers here; undefined if they can. */
function noEngine(): string | undefined {
  try {
    execFileSync('podman', ['image', 'exists', NODE], { stdio: 'pipe' });
    if (process.env.DOCKER_HOST === undefined && !SOCKETS.some(existsSync)) return 'no container engine responds';
    return undefined;
  } catch {
    return `podman has no image ${NODE}: tools/container-host.sh makes one`;
  }
}
const reason = noEngine();

/** Returns the containers of a function, running or not. Its runtime ends with the emulator. */
const containersOf = (name: string): string[] =>
  execFileSync('podman', ['ps', '--all', '--quiet', '--filter', `label=emulator-function=${name}`], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter(Boolean);

describe.skipIf(reason !== undefined)(`Lambda in containers${reason ? ` (skipped: ${reason})` : ''}`, () => {
  const started: Emu[] = [];
  afterEach(async () => {
    for (const emu of started.splice(0)) await emu.stop();
  });

  async function invoke(name: string, options: EmuOptions = {}): Promise<{ emu: Emu; payload: unknown }> {
    const emu = await startEmu({ ...options, env: { ...env, ...options.env } });
    started.push(emu);
    const lambda = new Lambda({
      endpoint: emu.url,
      region: 'us-east-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    });
    await lambda.createFunction({
      FunctionName: name,
      Role: 'arn:aws:iam::000000000000:role/lambda',
      Runtime: 'provided.al2023',
      Handler: 'x',
      Timeout: 20,
      Code: { ZipFile: RUNTIME_PACKAGE },
    });
    const { Payload } = await lambda.invoke({ FunctionName: name, Payload: '{"a":1}' });
    lambda.destroy();
    return { emu, payload: JSON.parse(Payload!.transformToString()) };
  }

  test('an invocation runs in a container, which ends with the emulator', async () => {
    const { emu, payload } = await invoke('docker-one');
    expect(payload).toEqual({ event: { a: 1 }, health: 200, pid: 1 });
    expect(containersOf('docker-one')).toHaveLength(1);
    expect(await emu.stop()).toBe(0);
    expect(containersOf('docker-one')).toEqual([]);
  });

  // As without --addr, except for the port.
  test.each(['docker', 'process'])(
    'a function reaches an emulator that is closed to other machines (%s)',
    async (by) => {
      const closed = { host: '0.0.0.0', args: ['--allow-remote=false'], env: { EMULATOR_LAMBDA_BACKEND: by } };
      const { emu, payload } = await invoke(`closed-${by}`, closed);
      expect(emu.output()).toContain('open to   this machine and its containers; --allow-remote opens it');
      expect(payload).toMatchObject({ event: { a: 1 }, health: 200 });
      // Other containers connect through their bridge, not through the listener for functions.
      const url = `http://host.containers.internal:${emu.port}/_emulator/health`;
      const program = `fetch('${url}').then(async (answer) => console.log(answer.status, await answer.text()))`;
      const output = execFileSync('podman', ['run', '--rm', NODE, '/usr/bin/node', '-e', program], {
        encoding: 'utf8',
      });
      expect(output).toMatch(/^200 /);
    },
  );

  test('the next emulator removes leftovers of a killed one', async () => {
    const { emu } = await invoke('docker-killed');
    await emu.kill();
    started.length = 0;
    expect(containersOf('docker-killed')).toHaveLength(1);
    await invoke('docker-next');
    expect(containersOf('docker-killed')).toEqual([]);
    expect(containersOf('docker-next')).toHaveLength(1);
  });
});
