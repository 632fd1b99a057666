import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { createLogger, defaultSettings } from '@emu/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { codespaceNames } from '../src/access/codespaces.ts';
import { HostRules } from '../src/access/host-rules.ts';
import { listenLinkLocal } from '../src/metadata/link-local.ts';
import { createTestEmulator } from '../src/testing/index.ts';
import { notesPlugin } from './notes.ts';
import { call, request, textOf } from './requests.ts';

const rules = (values: Parameters<typeof defaultSettings>[0] = {}) => new HostRules(defaultSettings(values));

describe('a host name', () => {
  it.each([
    'localhost',
    'LOCALHOST:4566',
    'localhost.:4566',
    'sqs.us-east-1.localhost',
    'photos.s3.localhost.emulator.localhost:4566',
    '127.0.0.1:4566',
    '192.168.1.20',
    '[::1]:4566',
    '[fd00::2]',
    'emu:4566',
    'my_service',
    'localstack',
    'localhost.localstack.cloud:4566',
    'photos.s3.us-east-1.localhost.localstack.cloud',
    'sqs.us-east-1.amazonaws.com',
    'photos.s3.cn-north-1.amazonaws.com.cn',
    hostname(),
    '',
  ])('%j is emu’s own', (host) => {
    expect(rules().standingOf(host)).toBe('own');
  });

  it.each(['host.docker.internal:4566', 'host.containers.internal', 'api.test', 'emu.tools.svc.cluster.local'])(
    '%s is trusted, and a resource may have it',
    (host) => {
      expect(rules().standingOf(host)).toBe('trusted');
    },
  );

  it.each([
    'evil.com',
    'evil.com:4566',
    'localhost:1@evil.com',
    'localhost@evil.com',
    'user:secret@localhost',
    'localhost:80/../..',
    'localhost#.evil.com',
    'localhost?evil.com',
    'localhost\\.evil.com',
    'localhost:99999',
    'localhost:1:2',
    'localhost:a',
    '[::1',
    '[::1]a:1',
    'x.localhost.evil.com',
    'sqs.us-east-1.localhost.evil.com:4566',
    'localhost.evil.com',
    'evillocalhost.com',
    'notlocalhost.localstack.cloud.evil.com',
    'localstack.cloud',
    'amazonaws.com.evil.com',
    'evilamazonaws.com',
    '127.0.0.1.nip.io',
    '127.0.0.1.evil.com',
    '[::1].evil.com',
    'test.evil.com',
    'svc.cluster.local.evil.com',
  ])('%s is foreign', (host) => {
    expect(rules().standingOf(host)).toBe('foreign');
  });

  it('is trusted by a setting', () => {
    const configured = rules({
      domain: 'emu.example.com',
      externalUrl: 'https://aws.example.com:8443/base',
      values: {
        EMULATOR_ALLOW_HOSTS: ['ci.example.org', '*.dev.example.org'],
      },
      hosts: ['emu.tools:4566', 'registry.example.com:5000'],
    });
    for (const own of ['emu.example.com', 'sqs.us-east-1.localhost.emu.example.com', 'aws.example.com', 'emu.tools:80'])
      expect(configured.standingOf(own), own).toBe('own');
    expect(configured.standingOf('registry.example.com')).toBe('own');
    for (const trusted of ['ci.example.org:4566', 'a.dev.example.org', 'a.b.dev.example.org'])
      expect(configured.standingOf(trusted), trusted).toBe('trusted');
    for (const foreign of ['a.ci.example.org', 'dev.example.org', 'xdev.example.org', 'example.com'])
      expect(configured.standingOf(foreign), foreign).toBe('foreign');
    expect(rules({ values: { EMULATOR_ALLOW_HOSTS: ['*'] } }).standingOf('evil.com')).toBe('trusted');
  });

  it('is trusted if GitHub forwards ports of this codespace by it', () => {
    const env = { CODESPACE_NAME: 'fuzzy-disco', GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN: 'app.github.dev' };
    const names = codespaceNames(env)!;
    expect(names.test('fuzzy-disco-4566.app.github.dev')).toBe(true);
    for (const other of [
      'other-4566.app.github.dev',
      'fuzzy-disco-4566xapp.github.dev',
      'x-fuzzy-disco-4566.app.github.dev',
    ])
      expect(names.test(other), other).toBe(false);
    expect(codespaceNames({})).toBeUndefined();
  });
});

describe('requests by a foreign name', () => {
  const send = async (host: string, rest: Parameters<typeof request>[0] = {}) => {
    const lines: string[] = [];
    const log = createLogger({ level: 'warn', format: 'json', write: (line) => lines.push(line) });
    await using emulator = await createTestEmulator({ plugins: [notesPlugin], log });
    const response = await emulator.gateway.handle(request({ ...rest, headers: { ...rest.headers, host } }));
    await emulator.gateway.handle(request({ ...rest, headers: { ...rest.headers, host } }));
    return { ...response, text: await textOf(response), log: lines };
  };

  it('get 403 with the option that would admit them, which is logged once', async () => {
    const answer = await send('evil.com:4566', { headers: call('WhoAmI'), body: '{}' });
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.text)).toMatchObject({
      __type: expect.stringContaining('AccessDenied'),
      message:
        'emu does not answer to the host name evil.com, which anyone might own. If it leads to this emulator, start emu with --allow-host evil.com (EMULATOR_ALLOW_HOSTS).',
    });
    expect(answer.log).toHaveLength(1);
    expect(answer.log[0]).toContain('--allow-host evil.com');
    expect((await send('x.localhost.evil.com')).status).toBe(403);
    expect((await send('localhost', { headers: call('WhoAmI'), body: '{}' })).status).toBe(200);
  });

  it('reach neither control routes nor metadata nor the response to a preflight', async () => {
    const control = await send('evil.com', { method: 'GET', target: '/_emulator/health' });
    expect(control.status).toBe(403);
    expect(JSON.parse(control.text)).toEqual({
      error: { code: 'AccessDenied', message: expect.stringContaining('EMULATOR_ALLOW_HOSTS') },
    });
    expect((await send('evil.com', { method: 'GET', target: '/latest/meta-data/' })).status).toBe(403);
    const preflight = await send('evil.com', {
      method: 'OPTIONS',
      headers: { origin: 'http://evil.com', 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(403);
    expect(preflight.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('are refused for the authority of a whole URL, too', async () => {
    const target = '/_emulator/health';
    expect((await send('localhost', { method: 'GET', target: `http://evil.com:4566${target}` })).status).toBe(403);
    expect((await send('localhost', { method: 'GET', target: `HTTP://evil.com` })).status).toBe(403);
    expect((await send('localhost', { method: 'GET', target: `http://localhost:4566${target}` })).status).toBe(200);
  });
});

describe('requests by the names of forwarded ports of a codespace', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('reach emu, from pages on other ports of the codespace', async () => {
    const send = async (host: string, origin?: string) => {
      await using emulator = await createTestEmulator({ plugins: [notesPlugin] });
      const headers = { ...call('WhoAmI'), host, ...(origin !== undefined && { origin }) };
      const { status, headers: answered } = await emulator.gateway.handle(request({ headers, body: '{}' }));
      return [status, answered['access-control-allow-origin']];
    };
    const [own, page] = ['fuzzy-disco-4566.app.github.dev', 'https://fuzzy-disco-3000.app.github.dev'];
    expect(await send(own)).toEqual([403, undefined]);
    vi.stubEnv('CODESPACE_NAME', 'fuzzy-disco');
    vi.stubEnv('GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN', 'app.github.dev');
    expect(await send(own)).toEqual([200, undefined]);
    expect(await send(own, page)).toEqual([200, page]);
    // GitHub's proxy may send the address that it forwards to.
    expect(await send('localhost:4566', page)).toEqual([200, page]);
    expect(await send(own, 'https://other-3000.app.github.dev')).toEqual([403, undefined]);
    expect(await send('other-4566.app.github.dev')).toEqual([403, undefined]);
  });
});

describe('a listener', () => {
  it('refuses a foreign :authority and a foreign Host over HTTP/2', async () => {
    await using emulator = await createTestEmulator({ plugins: [notesPlugin] });
    const listener = await emulator.gateway.listen();
    const session = connectHttp2(listener.url);
    const statusOf = async (names: Record<string, string>): Promise<unknown> => {
      const stream = session.request({ ':path': '/_emulator/health', ...names });
      stream.resume();
      const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
      return headers[':status'];
    };
    expect(await statusOf({})).toBe(200);
    expect(await statusOf({ ':authority': 'evil.com' })).toBe(403);
    expect(await statusOf({ ':authority': 'evil.com', host: 'localhost' })).toBe(403);
    expect(await statusOf({ ':authority': 'localhost', host: 'evil.com' })).toBe(403);
    session.close();
    await listener.close(50);
  });

  it('refuses the handshake of a WebSocket', async () => {
    await using emulator = await createTestEmulator({ plugins: [notesPlugin] });
    const listener = await emulator.gateway.listen();
    const handshake = async (target: string, ...hosts: string[]): Promise<string> => {
      const socket = connect(listener.port, '127.0.0.1');
      const names = hosts.map((host) => `host: ${host}\r\n`).join('');
      socket.write(
        `GET ${target} HTTP/1.1\r\n${names}connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
      );
      const [first] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      return first.toString().split(' ')[1]!;
    };
    const path = '/_emulator/health';
    expect(await handshake(path, 'localhost')).toBe('200');
    expect(await handshake(`http://localhost${path}`, 'localhost')).toBe('200');
    expect(await handshake(path, 'evil.com')).toBe('403');
    expect(await handshake(`http://evil.com${path}`, 'localhost')).toBe('403');
    // These name several servers, or none that emu could check.
    expect(await handshake(path, 'localhost', 'evil.com')).toBe('400');
    expect(await handshake(`ws://evil.com${path}`, 'localhost')).toBe('400');
    await listener.close(50);
  });

  it('on a link-local address refuses a foreign name', async () => {
    await using emulator = await createTestEmulator({ plugins: [notesPlugin] });
    const free = { host: '127.0.0.1', port: 0 };
    const listeners = await listenLinkLocal(emulator.gateway, { metadata: free, credentials: free });
    const statusOf = async (port: number, path: string, host: string): Promise<string> => {
      const socket = connect(port, '127.0.0.1');
      socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
      const [first] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      return first.toString().split(' ')[1]!;
    };
    for (const [index, path] of ['/latest/meta-data/', '/creds'].entries()) {
      expect(await statusOf(listeners[index]!.port, path, 'evil.com')).toBe('403');
      expect(await statusOf(listeners[index]!.port, path, '169.254.169.254')).toBe('200');
    }
    for (const listener of listeners) await listener.close(50);
  });

  it('trusts its own name', async () => {
    await using emulator = await createTestEmulator({ plugins: [notesPlugin] });
    const ask = () =>
      emulator.gateway.handle(request({ method: 'GET', target: '/_emulator/health', headers: { host: 'emu.lan:80' } }));
    expect((await ask()).status).toBe(403);
    emulator.gateway.access.trust('emu.lan');
    expect((await ask()).status).toBe(200);
  });
});
