import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Lambda, type Runtime } from '@aws-sdk/client-lambda';
import { CreateQueueCommand, ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../src/emu.ts';
import { RUNTIME_PACKAGE } from '../src/runtime-package.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Image with a shell and node, created by `tools/container-host.sh`. */
const NODE = 'localhost/emu-test/node:latest';
const BUILT = 'localhost/emu-test/emu-built:latest';
const IMAGE = 'localhost/emu-test/emu:latest';
/** Socket of podman. */
const SOCKET = '/run/podman/podman.sock';

/** Whether images can be built here. */
function canBuild(): boolean {
  try {
    execFileSync('podman', ['image', 'exists', NODE], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

const podman = async (...args: string[]): Promise<string> => (await run('podman', args, { cwd: ROOT })).stdout.trim();

/** A container that ends with the scope in which it is declared. */
interface Container extends AsyncDisposable {
  readonly id: string;
  readonly url: string;
  logs(): Promise<string>;
}

async function start(options: readonly string[], command: readonly string[] = []): Promise<Container> {
  const id = await podman('run', '-d', '-p', '127.0.0.1::4566', ...options, IMAGE, ...command);
  const port = (await podman('port', id, '4566')).split(':').at(-1);
  return {
    id,
    url: `http://127.0.0.1:${port}`,
    logs: async () => {
      const { stdout, stderr } = await run('podman', ['logs', id]);
      return stdout + stderr;
    },
    async [Symbol.asyncDispose]() {
      await podman('rm', '-f', '-t', '0', id);
    },
  };
}

/** Sends a request as a page does, optionally with another host name than the URL's, which `fetch` does not allow. */
async function fetchAs(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const [answer] = (await once(get(url, { headers, agent: false }), 'response')) as [IncomingMessage];
  return answer.resume();
}

/** Log line that Testcontainers' modules for LocalStack wait for. */
const ready = (container: Container) => expect.poll(container.logs, { timeout: 20_000 }).toMatch(/^Ready\.$/m);
const queuesOf = ({ url }: Container): SQSClient =>
  new SQSClient({ endpoint: url, region: 'us-east-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' } });

describe.skipIf(!canBuild())('the image (requires podman and its images from tools/container-host.sh)', () => {
  beforeAll(async () => {
    // Result of the build stage, which would require a registry.
    using folder = temporaryDirectory();
    const emu = join(folder.path, 'opt/emu');
    mkdirSync(emu, { recursive: true });
    for (const part of ['bin', 'dist', 'package.json'])
      cpSync(join(ROOT, 'apps/cli', part), join(emu, part), { recursive: true });
    cpSync(join(ROOT, 'docker/entrypoint.mjs'), join(emu, 'entrypoint.mjs'));
    const sdk = join(emu, 'runtime/nodejs/1.0.0/node_modules/@aws-sdk/client-image');
    mkdirSync(sdk, { recursive: true });
    writeFileSync(join(sdk, 'index.js'), 'module.exports = 42;');
    symlinkSync('1.0.0', join(emu, 'runtime/nodejs/current'));
    execFileSync('tar', ['-C', folder.path, '-cf', join(folder.path, 'built.tar'), 'opt']);
    await podman('import', '--quiet', join(folder.path, 'built.tar'), BUILT);
    const stages = ['--build-arg', `NODE_IMAGE=${NODE}`, '--build-arg', `BUILT_IMAGE=${BUILT}`];
    await podman('build', '--quiet', '--network=none', '--format=docker', '--target=emu', ...stages, '-t', IMAGE, '.');
  }, 120_000);
  afterAll(() => podman('rmi', '-f', IMAGE, BUILT));

  test('runs emu as an unprivileged user, open to everybody who can reach its port', async () => {
    await using container = await start([]);
    await ready(container);
    expect(await podman('exec', container.id, 'grep', '^Uid', '/proc/1/status')).toMatch(/^Uid:\s+1000\s/);
    expect(await podman('exec', container.id, 'emu', 'status')).toContain('runs on http://127.0.0.1:4566');
    const { QueueUrl } = await queuesOf(container).send(new CreateQueueCommand({ QueueName: 'jobs' }));
    expect(QueueUrl).toBe(`${container.url}/123456789012/jobs`);
    await expect(podman('exec', container.id, 'awslocal', 'sqs', 'list-queues')).rejects.toMatchObject({
      code: 127,
      stderr: expect.stringContaining('the one whose tag ends in -aws has it'),
    });
  });

  test('contains the SDKs of functions', async () => {
    // The base image of the tests has a /tmp of root.
    await using container = await start(['-e', 'EMULATOR_RUN_AS_ROOT=true']);
    await ready(container);
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    const lambda = new Lambda({ endpoint: container.url, region: 'us-east-1', credentials });
    await lambda.createFunction({
      FunctionName: 'sdk',
      Role: 'arn:aws:iam::000000000000:role/lambda',
      Code: {
        ZipFile: zipSync({ 'index.js': strToU8(`exports.handler = async () => require('@aws-sdk/client-image');`) }),
      },
      Runtime: `nodejs${process.versions.node.split('.')[0]}.x` as Runtime,
      Handler: 'index.handler',
    });
    const { Payload } = await lambda.invoke({ FunctionName: 'sdk' });
    lambda.destroy();
    expect(Payload!.transformToString()).toBe('42');
  });

  test('allows pages of other containers to use it, and no others', async () => {
    await using container = await start([]);
    await ready(container);
    const ask = async (headers: Record<string, string>) => {
      const answer = await fetchAs(`${container.url}/_emulator/health`, headers);
      return [answer.statusCode, answer.headers['access-control-allow-origin']];
    };
    const origin = 'http://frontend:3000';
    // By its name in a Compose file, and by its published port.
    expect(await ask({ host: 'emu:4566', origin })).toEqual([200, origin]);
    expect(await ask({ origin })).toEqual([200, origin]);
    expect(await ask({ host: 'emu:4566', referer: `${origin}/page` })).toEqual([200, undefined]);
    expect(await ask({ host: 'emu:4566', origin: 'http://frontend.evil.com:3000' })).toEqual([403, undefined]);
    expect(await ask({ host: 'emu.evil.com:4566' })).toEqual([403, undefined]);
    await using strict = await start(['-e', 'EMULATOR_ALLOW_CONTAINER_ORIGINS=false']);
    await ready(strict);
    const { statusCode } = await fetchAs(`${strict.url}/_emulator/health`, { origin });
    expect(statusCode).toBe(403);
  });

  test("accepts LocalStack's settings and scripts, and keeps state in its directory", async () => {
    using folder = temporaryDirectory();
    // The user in the container is another one.
    chmodSync(folder.path, 0o755);
    const create = `fetch('http://127.0.0.1:4566', { method: 'POST', body: '{"QueueName":"made"}', headers: {
      'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.CreateQueue' } })`;
    writeFileSync(join(folder.path, 'queue.sh'), `#!/bin/sh\nnode -e "${create.replaceAll('"', '\\"')}"\n`);
    const volume = `emu-test-${process.pid}`;
    const settings = [
      '-e',
      'PERSISTENCE=1',
      '-e',
      'DEBUG=1',
      '-e',
      'SERVICES=sqs',
      '-v',
      `${volume}:/var/lib/localstack`,
    ];
    try {
      {
        await using first = await start([...settings, '-v', `${folder.path}:/etc/localstack/init/ready.d:ro`]);
        await ready(first);
        const logs = await first.logs();
        expect(logs).toContain('emu: PERSISTENCE=1 is taken as EMULATOR_DATA_PATH=/var/lib/localstack/emu');
        expect(logs).toContain('emu: DEBUG=1 is taken as EMULATOR_LOG=debug');
        expect(logs).toContain('emu: SERVICES has no effect');
        const init = (await (await fetch(`${first.url}/_localstack/init/ready`)).json()) as { scripts: unknown };
        expect(init.scripts).toEqual([{ stage: 'READY', name: 'queue.sh', state: 'SUCCESSFUL' }]);
        await podman('stop', '-t', '10', first.id);
      }
      await using second = await start(settings);
      await ready(second);
      const { QueueUrls } = await queuesOf(second).send(new ListQueuesCommand({}));
      expect(QueueUrls).toEqual([`${second.url}/123456789012/made`]);
    } finally {
      await podman('volume', 'rm', '-f', volume);
    }
  });

  test("starts in Testcontainers' modules for LocalStack", async () => {
    // They wait for a script, which then sets the published port and runs the entry point.
    const wait = 'while [ ! -f /testcontainers_start.sh ]; do sleep 0.1; done; /testcontainers_start.sh';
    await using container = await start(['--entrypoint', 'sh'], ['-c', wait]);
    using folder = temporaryDirectory();
    const script = join(folder.path, 'start.sh');
    const settings = `export LAMBDA_DOCKER_FLAGS=-l\\ x LOCALSTACK_HOST=${container.url.slice('http://'.length)}`;
    writeFileSync(script, `#!/bin/sh\n${settings}\n/usr/local/bin/docker-entrypoint.sh\n`, { mode: 0o777 });
    await podman('cp', script, `${container.id}:/testcontainers_start.sh`);
    await ready(container);
    const health = await (await fetch(`${container.url}/_localstack/health`)).json();
    expect(health).toMatchObject({ services: { sqs: 'available' } });
    const { QueueUrl } = await queuesOf(container).send(new CreateQueueCommand({ QueueName: 'jobs' }));
    expect(QueueUrl).toBe(`${container.url}/123456789012/jobs`);
  });

  describe.skipIf(!existsSync(SOCKET))(
    `with podman's socket${existsSync(SOCKET) ? '' : ' (skipped: there is none)'}`,
    () => {
      const socket = [
        '-v',
        `${SOCKET}:/var/run/docker.sock`,
        '-e',
        `EMULATOR_LAMBDA_RUNTIME_IMAGES=provided.al2023=${NODE}`,
        // Only root can use podman's socket.
        '-e',
        'EMULATOR_RUN_AS_ROOT=true',
      ];
      const containersOf = async (name: string): Promise<string[]> =>
        (await podman('ps', '--all', '--quiet', '--filter', `label=emulator-function=${name}`))
          .split('\n')
          .filter(Boolean);

      /** Runs a function in an emulator. @returns its response */
      async function invoke({ url }: Container, name: string): Promise<unknown> {
        const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
        const lambda = new Lambda({ endpoint: url, region: 'us-east-1', credentials });
        const Role = 'arn:aws:iam::000000000000:role/lambda';
        const Code = { ZipFile: RUNTIME_PACKAGE };
        await lambda.createFunction({
          FunctionName: name,
          Role,
          Code,
          Runtime: 'provided.al2023',
          Handler: 'x',
          Timeout: 20,
        });
        const { Payload } = await lambda.invoke({ FunctionName: name, Payload: '{"a":1}' });
        lambda.destroy();
        return JSON.parse(Payload!.transformToString());
      }

      test('runs functions in sibling containers, in its own network', async () => {
        const network = `emu-test-${randomUUID()}`;
        await podman('network', 'create', network);
        try {
          await using container = await start([...socket, '--network', network]);
          await ready(container);
          expect(await invoke(container, 'beside-one')).toEqual({ event: { a: 1 }, health: 200, pid: 1 });
          const [instance] = await containersOf('beside-one');
          expect(await podman('inspect', instance!, '--format', '{{json .NetworkSettings.Networks}}')).toContain(
            network,
          );
          await podman('kill', container.id);
          expect(await containersOf('beside-one')).toHaveLength(1);
          await podman('rm', '-f', '-t', '0', container.id);

          // In the engine's default network, and after the first container was killed.
          await using next = await start(socket);
          await ready(next);
          expect(await invoke(next, 'beside-two')).toEqual({ event: { a: 1 }, health: 200, pid: 1 });
          expect(await containersOf('beside-one')).toEqual([]);
          await podman('stop', '-t', '10', next.id);
          expect(await containersOf('beside-two')).toEqual([]);
        } finally {
          await podman('network', 'rm', '-f', network);
        }
      });
    },
  );
});
