import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownIdentity } from '@emu/core';
import { ContainerError, type ContainerSpec } from '@emu/core/service';
import { afterEach, describe, expect, it } from 'vitest';
import { DockerRuntime } from '../src/docker/runtime.ts';
import { OWNER_LABEL } from '../src/ownership.ts';
import { BUSYBOX, testEngine } from './support/engine.ts';

const { engine, reason } = await testEngine();
if (reason) console.log(`containers are not tested: ${reason}`);

const runtimes: DockerRuntime[] = [];
afterEach(async () => {
  for (const runtime of runtimes.splice(0)) await runtime.close();
});

function open(): { runtime: DockerRuntime; run: string } {
  const run = randomUUID();
  const runtime = new DockerRuntime({ ...engine!, lost: () => undefined }, run);
  runtimes.push(runtime);
  return { runtime, run };
}

const spec = (script: string, more: Partial<ContainerSpec> = {}): ContainerSpec => ({
  service: 'lambda',
  name: 'test',
  image: BUSYBOX,
  pull: 'never',
  entrypoint: ['/bin/sh', '-c', script],
  environment: { PATH: '/bin' },
  ...more,
});

describe.skipIf(reason !== undefined)('containers as instances', () => {
  it('returns both outputs from the start, keeps their last part, and reports the exit status', async () => {
    const { runtime } = open();
    const seen = { stdout: '', stderr: '' };
    const instance = await runtime.start(
      spec('echo out; echo problem >&2; echo $GREETING; exit 3', {
        environment: { PATH: '/bin', GREETING: 'hello there' },
        limits: { output: 8 },
        onOutput: (chunk, stream) => {
          seen[stream] += Buffer.from(chunk).toString();
        },
      }),
    );
    expect(await instance.exited).toEqual({ code: 3, signal: undefined, outOfMemory: false });
    expect(seen).toEqual({ stdout: 'out\nhello there\n', stderr: 'problem\n' });
    expect((await instance.logs()).toString()).toHaveLength(8);
    expect(await runtime.list({ 'emulator-service': 'lambda' })).not.toContainEqual(
      expect.objectContaining({ id: instance.id }),
    );
  });

  it('returns a flood of small writes completely', async () => {
    const { runtime } = open();
    let bytes = 0;
    const instance = await runtime.start(
      spec('i=0; while [ $i -lt 20000 ]; do echo $i; i=$((i+1)); done', {
        onOutput: (chunk) => {
          bytes += chunk.length;
        },
      }),
    );
    await instance.exited;
    expect(bytes).toBe(108_890);
  });

  it('sends input, runs commands inside, and sends signals', async () => {
    const { runtime } = open();
    const instance = await runtime.start(
      spec('trap "echo caught; exit 0" USR1; read line; echo "got $line"; while true; do sleep 0.1; done', {
        input: true,
      }),
    );
    await instance.write('a line\n');
    const result = await instance.exec(['/bin/sh', '-c', 'cat; echo $EXTRA >&2; pwd; exit 4'], {
      input: 'from outside',
      environment: { EXTRA: 'more' },
      workingDirectory: '/tmp',
    });
    expect(result.code).toBe(4);
    expect(result.stdout.toString()).toBe('from outside/tmp\n');
    expect(result.stderr.toString()).toBe('more\n');
    await expect(instance.exec(['/no/such/program'])).rejects.toThrow('cannot be started');
    await instance.kill('SIGUSR1');
    expect(await instance.exited).toEqual({ code: 0, signal: undefined, outOfMemory: false });
    expect((await instance.logs()).toString()).toBe('got a line\ncaught\n');
    await expect(instance.write('x')).rejects.toThrow('accepts no input');
  });

  it('stops processes that ignore the first signal, and kills immediately without a grace period', async () => {
    const { runtime } = open();
    const stubborn = await runtime.start(spec('trap "" TERM; echo up; while true; do sleep 1; done'));
    expect(await stubborn.stop({ grace: 200 })).toMatchObject({ code: undefined, signal: 'SIGKILL' });
    const other = await runtime.start(spec('while true; do sleep 1; done'));
    expect(await other.stop({ grace: 0 })).toMatchObject({ signal: 'SIGKILL' });
    expect(await other.stop()).toMatchObject({ signal: 'SIGKILL' });
  });

  it('kills a container above its memory limit and reports the reason', async () => {
    const { runtime } = open();
    const instance = await runtime.start(
      spec('tail /dev/zero', { limits: { memory: 32 * 1024 * 1024, cpus: 0.5, processes: 20 } }),
    );
    expect(await instance.exited).toMatchObject({ outOfMemory: true });
  });

  it('publishes ports, serves other containers by name, and reaches the emulator', async () => {
    const { runtime } = open();
    const network = `emu-test-${randomUUID().slice(0, 8)}`;
    await runtime.networks.ensure(network);
    await runtime.networks.ensure(network);
    const serve = 'mkdir -p /tmp/www; echo "served by $(hostname)" > /tmp/www/index.html; httpd -f -p 8080 -h /tmp/www';
    const web = await runtime.start(
      spec(serve, { ports: [{ port: 8080 }], hostname: 'web-1', networks: [{ network, aliases: ['web'] }] }),
    );
    const { host, port } = await web.address(8080);
    await expect
      .poll(() => fetch(`http://${host}:${port}/`).then((r) => r.text(), String), { timeout: 10_000 })
      .toBe('served by web-1\n');
    await expect(web.address(1)).rejects.toThrow('has no port 1');

    const { bind, host: emulator } = await runtime.callback();
    const server = createServer((_, response) => response.end('called back'));
    await new Promise<void>((resolve) => server.listen(0, bind, resolve));
    try {
      const own = (server.address() as AddressInfo).port;
      const client = await runtime.start(
        spec(`wget -qO- http://web:8080/; wget -qO- http://${emulator}:${own}/; cat /etc/hosts`, {
          networks: [{ network }],
          hosts: { 'db.internal': '10.1.2.3' },
        }),
      );
      await client.exited;
      const text = (await client.logs()).toString();
      expect(text).toContain('served by web-1\ncalled back');
      expect(text).toMatch(/10\.1\.2\.3\s+db\.internal/);
    } finally {
      server.close();
    }
    await web.stop({ grace: 0 });
    await runtime.networks.remove(network);
    await runtime.networks.remove(network);
  });

  it('mounts directories, volumes and memory', async () => {
    const { runtime } = open();
    const directory = await mkdtemp(join(tmpdir(), 'emu-test-'));
    await writeFile(join(directory, 'file'), 'of the machine');
    const volume = `emu-test-${randomUUID()}`;
    await runtime.volumes.ensure(volume, { 'emu-test': 'yes' });
    const mounts: ContainerSpec['mounts'] = [
      { type: 'directory', source: directory, target: '/var/task', readOnly: true },
      { type: 'volume', volume, target: '/data' },
      { type: 'tmpfs', target: '/scratch', size: 1024 * 1024 },
    ];
    const first = await runtime.start(
      spec('cat file; echo kept > /data/file; echo x > /scratch/x && echo x > /var/task/new || echo read-only', {
        workingDirectory: '/var/task',
        mounts,
      }),
    );
    await first.exited;
    expect((await first.logs()).toString()).toMatch(/^of the machine.*read-only\n/s);
    const second = await runtime.start(spec('cat /data/file; ls /scratch', { mounts }));
    await second.exited;
    expect((await second.logs()).toString()).toBe('kept\n');
    expect(await runtime.volumes.list({ 'emu-test': 'yes' })).toContainEqual({
      name: volume,
      labels: { 'emu-test': 'yes' },
    });
    await runtime.volumes.remove(volume);
    expect(await runtime.volumes.exists(volume)).toBe(false);
    await runtime.volumes.remove(volume);
    await rm(directory, { recursive: true });
  });

  it('copies directories to an engine that does not share this file system', async () => {
    const run = randomUUID();
    const runtime = new DockerRuntime(
      { ...engine!, local: false, endpoint: { source: 'test', host: '127.0.0.1' }, lost: () => undefined },
      run,
    );
    runtimes.push(runtime);
    const directory = await mkdtemp(join(tmpdir(), 'emu-test-'));
    await writeFile(join(directory, 'run.sh'), 'echo "copied and run"', { mode: 0o755 });
    const instance = await runtime.start(
      spec('/bin/sh /var/task/run.sh', { mounts: [{ type: 'directory', source: directory, target: '/var/task' }] }),
    );
    await instance.exited;
    expect((await instance.logs()).toString()).toBe('copied and run\n');
    await rm(directory, { recursive: true });
  });

  it('finds and builds images, and reports why one is unavailable', async () => {
    const { runtime } = open();
    expect(await runtime.images.find(BUSYBOX)).toMatch(/^sha256:|^[0-9a-f]{64}$/);
    expect(await runtime.images.find('localhost/emu-test/nothing:1')).toBeUndefined();
    const image = `localhost/emu-test/built-${randomUUID().slice(0, 8)}:latest`;
    await runtime.images.build(image, {
      Dockerfile: `FROM ${BUSYBOX}\nCOPY greeting /greeting\nENTRYPOINT ["cat", "/greeting"]\n`,
      greeting: 'built',
    });
    const { entrypoint: _, ...plain } = spec('');
    const instance = await runtime.start({ ...plain, image });
    await instance.exited;
    expect((await instance.logs()).toString()).toBe('built');
    await engine!.docker.getImage(image).remove({ force: true });
    await expect(runtime.images.build(image, { Dockerfile: 'FROM scratch\nCOPY missing /\n' })).rejects.toThrow(
      'cannot be built',
    );
    await expect(runtime.start(spec('', { image: 'localhost/emu-test/nothing:1' }))).rejects.toMatchObject({
      reason: 'image',
    });
    // No registry listens there.
    await expect(runtime.start(spec('', { image: '127.0.0.1:9/emu/nothing:1', pull: 'always' }))).rejects.toMatchObject(
      { reason: 'image', message: expect.stringContaining('cannot be fetched') },
    );
  });

  it('rejects a command that the image lacks', async () => {
    const { runtime, run } = open();
    const error = await runtime
      .start(spec('', { entrypoint: ['/no/such/program'] }))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ContainerError);
    expect(error).toMatchObject({ reason: 'command' });
    expect(await runtime.list({ 'emulator-run': run })).toEqual([]);
  });

  it('removes everything it created when it closes', async () => {
    const { runtime, run } = open();
    const instance = await runtime.start(spec('while true; do sleep 1; done', { labels: { color: 'blue' } }));
    expect(await runtime.list({ color: 'blue', 'emulator-run': run })).toMatchObject([
      { id: instance.id, running: true, name: expect.stringMatching(/^emulator-test-[0-9a-f]{12}$/) },
    ]);
    const scratch = await runtime.scratch();
    await writeFile(join(scratch, 'file'), 'x');
    const network = `emu-test-${randomUUID().slice(0, 8)}`;
    await runtime.networks.ensure(network);
    await runtime.close();
    expect(await instance.exited).toMatchObject({ signal: 'SIGKILL' });
    expect(existsSync(scratch)).toBe(false);
    expect(await runtime.list({ 'emulator-run': run })).toEqual([]);
    expect((await engine!.docker.listNetworks()).map(({ Name }) => Name)).not.toContain(network);
    await expect(runtime.start(spec('true'))).rejects.toMatchObject({ reason: 'unavailable' });
  });

  it('removes leftovers of a killed emulator, and nothing of a running one', async () => {
    const { runtime } = open();
    const mine = await runtime.start(spec('while true; do sleep 1; done'));
    const gone = JSON.stringify({ ...ownIdentity(), pid: 2 ** 22 + 1 });
    const volume = `emu-test-${randomUUID()}`;
    await runtime.volumes.ensure(volume, { [OWNER_LABEL]: gone });
    const left = await engine!.docker.createContainer({
      _query: { name: `emulator-left-${randomUUID().slice(0, 8)}` },
      _body: { Image: BUSYBOX, Cmd: ['sleep', '100'], Labels: { [OWNER_LABEL]: gone } },
    } as never);
    await left.start();
    await runtime.removeLeftovers();
    await expect(left.inspect()).rejects.toMatchObject({ statusCode: 404 });
    expect(await runtime.volumes.exists(volume)).toBe(false);
    expect((await mine.exec(['true'])).code).toBe(0);
  });
});
