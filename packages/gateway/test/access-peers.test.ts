import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { promisify } from 'node:util';
import { createLogger } from '@emu/core';
import { LocalPeers } from '@emu/core/service';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Listener, PortServer } from '../src/http/listener.ts';
import { createTestEmulator, type TestEmulator } from '../src/testing/index.ts';
import { notesPlugin } from './notes.ts';
import { call } from './requests.ts';

const lines: string[] = [];
let emulator: TestEmulator;
let listener: Listener;
afterEach(async () => {
  await listener.close(50);
  await emulator.close();
  lines.length = 0;
});

async function start(): Promise<void> {
  const log = createLogger({ level: 'warn', format: 'json', write: (line) => lines.push(line) });
  emulator = await createTestEmulator({ plugins: [notesPlugin], log });
}

describe('a peer on another machine', () => {
  /** Opens a port on which every peer counts as another machine. */
  const closed = async (): Promise<void> => {
    await start();
    const peers = new LocalPeers();
    vi.spyOn(peers, 'has').mockReturnValue(false);
    listener = await new PortServer(emulator.gateway, peers).listen({});
  };

  it('gets 403 for everything, with the option that would admit it', async () => {
    await closed();
    for (const [path, init] of [
      ['/_emulator/health', {}],
      ['/_reset', { method: 'POST' }],
      ['/latest/meta-data/', {}],
      ['/', { method: 'POST', headers: call('WhoAmI'), body: '{}' }],
      ['/bucket/key', { method: 'PUT', body: 'x' }],
      ['/', { method: 'OPTIONS', headers: { origin: 'http://localhost', 'access-control-request-method': 'GET' } }],
    ] as const) {
      const answer = await fetch(listener.url + path, init);
      expect(answer.status, path).toBe(403);
      expect(await answer.text(), path).toContain('--allow-remote (EMULATOR_ALLOW_REMOTE)');
    }
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('a request from 127.0.0.1 was refused');
  });

  it('gets it for the handshake of a WebSocket', async () => {
    await closed();
    for (const path of ['/_emulator/health', '/_aws/execute-api/id/stage']) {
      const socket = connect(listener.port, '127.0.0.1');
      socket.write(
        `GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
      );
      const [answer] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      expect(answer.toString(), path).toMatch(/^HTTP\/1\.1 403 /);
      expect(answer.toString(), path).toContain('--allow-remote (EMULATOR_ALLOW_REMOTE)');
    }
  });

  it('gets it over HTTP/2 and TLS, too', async () => {
    await closed();
    for (const scheme of ['http', 'https']) {
      const session = connectHttp2(`${scheme}://127.0.0.1:${listener.port}`, { rejectUnauthorized: false });
      const stream = session.request({ ':path': '/_emulator/health' });
      stream.resume();
      const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
      expect(headers[':status'], scheme).toBe(403);
      session.close();
    }
  });
});

describe('a port that is closed to other machines', () => {
  it('responds to this machine by each of its addresses', async () => {
    await start();
    listener = await emulator.gateway.listen({ host: '0.0.0.0', remote: false });
    const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
    const hosts = ['127.0.0.1', ...own.filter(({ family }) => family === 'IPv4').map(({ address }) => address)];
    for (const host of hosts)
      expect((await fetch(`http://${host}:${listener.port}/_emulator/health`)).status, host).toBe(200);
    expect(lines).toEqual([]);
  });

  const network = otherMachine();
  it.skipIf(!network)('refuses another machine, and an open port does not (with network namespaces)', async () => {
    await start();
    try {
      network!.make('probe');
      for (const [remote, status] of [
        [false, 403],
        [undefined, 200],
      ] as const) {
        listener = await emulator.gateway.listen({ host: '0.0.0.0', ...(remote !== undefined && { remote }) });
        expect(await network!.ask(listener.port)).toBe(`${status}`);
        if (remote === false) await listener.close(50);
      }
    } finally {
      network!.remove();
    }
  });

  it.skipIf(!network)('responds to containers behind a bridge', async () => {
    await start();
    try {
      network!.make('br-');
      listener = await emulator.gateway.listen({ host: '0.0.0.0', remote: false });
      expect(await network!.ask(listener.port)).toBe('200');
    } finally {
      network!.remove();
    }
  });
});

/** Creates a network namespace, which acts as another machine; undefined where that is not allowed. */
function otherMachine():
  | { make(prefix: string): void; ask(port: number): Promise<string>; remove(): void }
  | undefined {
  const name = `emu-${process.pid}`;
  const ip = (line: string): void => {
    execFileSync('ip', line.split(' '), { stdio: 'ignore' });
  };
  try {
    ip(`netns add ${name}`);
    ip(`netns del ${name}`);
  } catch {
    return undefined;
  }
  const third = process.pid % 250;
  let link: string | undefined;
  return {
    make(prefix) {
      link = `${prefix}${process.pid}`;
      ip(`netns add ${name}`);
      ip(`link add ${link} type veth peer name eth0 netns ${name}`);
      ip(`addr add 10.213.${third}.1/24 dev ${link}`);
      ip(`link set ${link} up`);
      ip(`-n ${name} addr add 10.213.${third}.2/24 dev eth0`);
      ip(`-n ${name} link set eth0 up`);
    },
    async ask(port) {
      const url = `http://10.213.${third}.1:${port}/_emulator/health`;
      const program = `fetch('${url}').then(({ status }) => process.stdout.write(String(status)))`;
      const args = ['netns', 'exec', name, process.execPath, '-e', program];
      return (await promisify(execFile)('ip', args)).stdout;
    },
    remove() {
      for (const line of [`link del ${link}`, `netns del ${name}`])
        try {
          ip(line);
        } catch {
          // It was not created.
        }
    },
  };
}
