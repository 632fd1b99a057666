import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, defaultSettings } from '@emu/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DriverContainers } from '../src/backends.ts';
import { parseEndpoint } from '../src/docker/endpoint.ts';
import { findEngine } from '../src/docker/engine.ts';
import { engineEndpoints } from '../src/docker/find-engine.ts';
import { FrameReader } from '../src/docker/frames.ts';
import { registryAuth } from '../src/docker/registry-auth.ts';
import { fakeEngine } from './support/fake-engine.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'emu-test-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(home, { recursive: true });
});

async function write(path: string, content: string): Promise<string> {
  const file = join(home, path);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, content);
  return file;
}

/** Creates a CLI with fixed output. */
async function cli(cases: string): Promise<string> {
  const file = await write('cli', `#!/bin/sh\ncase "$1" in\n${cases}\n*) exit 1;;\nesac\n`);
  await chmod(file, 0o755);
  return file;
}

describe('addresses of engines', () => {
  it.each([
    ['unix:///run/x.sock', { socketPath: '/run/x.sock' }],
    ['npipe:////./pipe/docker_engine', { socketPath: '\\\\.\\pipe\\docker_engine' }],
    ['tcp://10.0.0.1:2375', { protocol: 'http', host: '10.0.0.1', port: 2375 }],
    ['tcp://[::1]:2375', { protocol: 'http', host: '::1', port: 2375 }],
    ['https://engine', { protocol: 'https', host: 'engine', port: 443 }],
    ['ssh://me@engine', { protocol: 'ssh', host: 'engine', port: 22, username: 'me' }],
  ])('parses %s', (address, expected) => {
    expect(parseEndpoint(address, 'test')).toMatchObject(
      address.startsWith('https') ? { ...expected, port: 2376 } : expected,
    );
  });

  it.each(['nonsense', 'ftp://x', 'tcp://'])('rejects %s', (address) => {
    expect(() => parseEndpoint(address, 'DOCKER_HOST')).toThrow(
      `DOCKER_HOST is no address of a container engine: ${address}`,
    );
  });

  it('prefers DOCKER_HOST, with TLS if set', async () => {
    await write('certs/ca.pem', 'CA');
    await write('certs/key.pem', 'KEY');
    const env = {
      HOME: home,
      DOCKER_HOST: 'tcp://engine:2376',
      DOCKER_TLS_VERIFY: '1',
      DOCKER_CERT_PATH: join(home, 'certs'),
      DOCKER_CONTEXT: 'other',
    };
    expect(await engineEndpoints(undefined, env)).toEqual([
      {
        source: 'DOCKER_HOST',
        protocol: 'https',
        host: 'engine',
        port: 2376,
        tls: { ca: 'CA', cert: undefined, key: 'KEY' },
      },
    ]);
  });

  it('follows the docker context in use', async () => {
    const id = createHash('sha256').update('mine').digest('hex');
    const meta = { Name: 'mine', Endpoints: { docker: { Host: 'unix:///somewhere.sock' } } };
    await write('.docker/config.json', '{"currentContext":"mine"}');
    await write(`.docker/contexts/meta/${id}/meta.json`, JSON.stringify(meta));
    const expected = [{ source: 'docker context mine', socketPath: '/somewhere.sock' }];
    expect(await engineEndpoints(undefined, { HOME: home })).toEqual(expected);
    expect(await engineEndpoints(undefined, { DOCKER_CONFIG: join(home, '.docker') })).toEqual(expected);
    await expect(engineEndpoints(undefined, { HOME: home, DOCKER_CONTEXT: 'gone' })).rejects.toMatchObject({
      reason: 'unavailable',
      message: 'docker context gone does not exist, or names no engine',
    });
  });

  it('finds the sockets of Docker before those of podman', async () => {
    const runtime = join(home, 'run');
    await mkdir(join(runtime, 'podman'), { recursive: true });
    const paths = [join(runtime, 'docker.sock'), join(runtime, 'podman', 'podman.sock')];
    const servers = await Promise.all(
      paths.map(async (path) => {
        const server = createServer();
        await new Promise<void>((resolve) => server.listen(path, resolve));
        return server;
      }),
    );
    const env = { HOME: home, XDG_RUNTIME_DIR: runtime, CONTAINER_HOST: 'unix:///named.sock' };
    const found = (await engineEndpoints(undefined, env)).map(({ socketPath }) => socketPath);
    for (const server of servers) server.close();
    expect(found.filter((path) => path?.startsWith(home) || path === '/named.sock')).toEqual([
      paths[0],
      '/named.sock',
      paths[1],
    ]);
  });

  it('recognizes a CLI that is really podman by its version', async () => {
    const podman = await cli(
      '--version) echo "podman version 5.0.0";;\ninfo) echo /run/user/7/podman/podman.sock;;\ncontext) echo unix:///wrong;;',
    );
    expect(await engineEndpoints(podman, {})).toEqual([
      { source: `${podman} (EMULATOR_CONTAINER_CLI)`, socketPath: '/run/user/7/podman/podman.sock' },
    ]);
    const quiet = await cli(
      '--version) echo "Docker version 4.0.0";;\nversion) echo "Client: Podman Engine"; exit 125;;\ninfo) echo unix:///run/p.sock;;',
    );
    expect(await engineEndpoints(quiet, {})).toMatchObject([{ socketPath: '/run/p.sock' }]);
    const docker = await cli('--version) echo "Docker version 27.0.0";;\ncontext) echo tcp://10.0.0.9:2375;;');
    expect(await engineEndpoints(docker, {})).toMatchObject([{ protocol: 'http', host: '10.0.0.9', port: 2375 }]);
    const mute = await cli('--version) echo "Docker version 27.0.0";;');
    await expect(engineEndpoints(mute, {})).rejects.toThrow('does not report the address of its engine');
    await expect(engineEndpoints('/no/such/cli', {})).rejects.toMatchObject({
      reason: 'unavailable',
      message: expect.stringContaining('/no/such/cli (EMULATOR_CONTAINER_CLI) cannot be run'),
    });
  });

  it('reports the attempts if no engine responds', async () => {
    vi.stubEnv('DOCKER_HOST', `unix://${join(home, 'nothing.sock')}`);
    await expect(findEngine(undefined, undefined)).rejects.toMatchObject({
      reason: 'unavailable',
      message: expect.stringMatching(/^no container engine responds: DOCKER_HOST: connect ENOENT/),
    });
  });
});

describe('an engine that stops while emu runs', () => {
  const spec = { service: 'lambda', name: 'x', image: 'busybox', pull: 'never' as const, environment: {} };
  const containersOf = (values: object = {}): DriverContainers => {
    const settings = defaultSettings();
    const log = createLogger({ level: 'error', format: 'text' });
    return new DriverContainers({ settings: { ...settings, values: { ...settings.values, ...values } }, log });
  };

  it('is replaced by processes at the next use, and by itself once it is back', async () => {
    await using engine = await fakeEngine();
    await engine.start();
    vi.stubEnv('DOCKER_HOST', engine.address);
    const containers = containersOf();
    const first = await containers.of('lambda', { processes: true });
    expect(first.backend).toBe('docker');
    expect(await containers.of('lambda', { processes: true })).toBe(first);
    await engine.stop();
    const gone = { reason: 'unavailable', message: expect.stringMatching(/^the container engine does not respond: /) };
    await expect(first.start(spec)).rejects.toMatchObject(gone);
    await expect(first.images!.find('busybox')).rejects.toMatchObject(gone);
    await expect(first.images!.pull('busybox')).rejects.toMatchObject(gone);
    expect((await containers.of('lambda', { processes: true })).backend).toBe('process');
    await expect(containers.of('ssm')).rejects.toMatchObject({ reason: 'unavailable' });
    await engine.start();
    expect((await containers.of('ssm')).backend).toBe('docker');
    await containers.close();
  });

  it('is missed by a configured backend, which finds it once it is back', async () => {
    await using engine = await fakeEngine();
    await engine.start();
    vi.stubEnv('DOCKER_HOST', engine.address);
    const containers = containersOf({ EMULATOR_LAMBDA_BACKEND: 'docker' });
    const first = await containers.of('lambda', { processes: true });
    await engine.stop();
    await expect(first.start(spec)).rejects.toMatchObject({ reason: 'unavailable' });
    await expect(containers.of('lambda', { processes: true })).rejects.toMatchObject({
      reason: 'unavailable',
      message: expect.stringMatching(/^no container engine responds: DOCKER_HOST: /),
    });
    await engine.start();
    const second = await containers.of('lambda', { processes: true });
    expect([second.backend, second === first]).toEqual(['docker', false]);
    await expect(second.start(spec)).rejects.toMatchObject({ reason: 'image' });
    await containers.close();
  });
});

describe('credentials of registries', () => {
  it('come from docker login', async () => {
    const auth = Buffer.from('me:pass:word').toString('base64');
    await write(
      '.docker/config.json',
      JSON.stringify({ auths: { 'reg.io:5000': { auth }, 'https://index.docker.io/v1/': { auth } } }),
    );
    const env = { HOME: home };
    const expected = { username: 'me', password: 'pass:word' };
    expect(await registryAuth('reg.io:5000/team/app:1', env)).toEqual({ ...expected, serveraddress: 'reg.io:5000' });
    for (const image of ['busybox', 'team/app', 'docker.io/library/busybox'])
      expect(await registryAuth(image, env)).toEqual({ ...expected, serveraddress: 'https://index.docker.io/v1/' });
    expect(await registryAuth('public.ecr.aws/lambda/nodejs:22', env)).toBeUndefined();
    expect(await registryAuth('busybox', { HOME: join(home, 'nobody') })).toBeUndefined();
  });

  it('come from a credential helper if configured', async () => {
    const helper = await write(
      'docker-credential-vault',
      '#!/bin/sh\nread registry\n[ "$registry" = reg.io ] && echo \'{"Username":"me","Secret":"s3"}\' || { echo unknown; exit 1; }\n',
    );
    await chmod(helper, 0o755);
    vi.stubEnv('PATH', `${home}:${process.env.PATH}`);
    await write(
      '.docker/config.json',
      JSON.stringify({ credsStore: 'missing', credHelpers: { 'reg.io': 'vault', 'other.io': 'vault' } }),
    );
    const env = { HOME: home };
    expect(await registryAuth('reg.io/app', env)).toEqual({ username: 'me', password: 's3', serveraddress: 'reg.io' });
    expect(await registryAuth('other.io/app', env)).toBeUndefined();
    expect(await registryAuth('busybox', env)).toBeUndefined();
  });
});

describe('frames of output', () => {
  it('are assembled from chunks of any size', () => {
    const frame = (type: number, text: string): Buffer => {
      const header = Buffer.alloc(8);
      header[0] = type;
      header.writeUInt32BE(text.length, 4);
      return Buffer.concat([header, Buffer.from(text)]);
    };
    const all = Buffer.concat([frame(1, 'one'), frame(2, 'problem'), frame(1, ''), frame(1, 'two')]);
    for (const size of [1, 3, 8, 100]) {
      const seen = { stdout: '', stderr: '' };
      const reader = new FrameReader((chunk, stream) => {
        seen[stream] += chunk.toString();
      });
      for (let at = 0; at < all.length; at += size) reader.push(all.subarray(at, at + size));
      expect(seen).toEqual({ stdout: 'onetwo', stderr: 'problem' });
    }
  });
});
