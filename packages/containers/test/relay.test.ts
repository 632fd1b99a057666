import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { createLogger, defaultSettings } from '@emu/core';
import type { ContainerRuntime } from '@emu/core/service';
import { LocalPeers } from '@emu/core/service';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DriverContainers } from '../src/backends.ts';
import { Relay } from '../src/relay.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Starts a listener that echoes the client's data after the client has ended its side. Returns its port. */
async function echo(): Promise<number> {
  const server: Server = createServer({ allowHalfOpen: true }, (socket: Socket) => {
    socket.on('error', () => undefined);
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk;
    });
    socket.on('end', () => socket.end(`got ${text}`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return (server.address() as { port: number }).port;
}

async function ask(port: number, text: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  socket.end(text);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  return answer;
}

describe('a relay', () => {
  it('forwards connections in both directions, each side ending independently', async () => {
    const relay = await Relay.open('127.0.0.1', { host: '127.0.0.1', port: await echo() });
    closing.push(() => relay.close());
    expect(await Promise.all(['one', 'two'].map((text) => ask(relay.port, text)))).toEqual(['got one', 'got two']);
  });

  it('forwards only connections of its peers', async () => {
    const target = { host: '127.0.0.1', port: await echo() };
    const peers = new LocalPeers({ interfaces: () => ({}), hasCard: () => false });
    const refused = vi.fn();
    const relay = await Relay.open('127.0.0.1', target, peers, refused);
    closing.push(() => relay.close());
    expect(await ask(relay.port, 'one')).toBe('got one');
    vi.spyOn(peers, 'has').mockReturnValue(false);
    for (let time = 0; time < 2; time++) expect(await ask(relay.port, 'two').catch(() => '')).toBe('');
    expect(refused.mock.calls).toEqual([['127.0.0.1']]);
  });

  it('closes connections that it cannot forward, and all at its end', async () => {
    const nowhere = await Relay.open('127.0.0.1', { host: '127.0.0.1', port: 9 });
    closing.push(() => nowhere.close());
    expect(await ask(nowhere.port, 'x').catch(() => '')).toBe('');
    const relay = await Relay.open('127.0.0.1', { host: '127.0.0.1', port: await echo() });
    const open = connect({ host: '127.0.0.1', port: relay.port });
    open.on('error', () => undefined);
    await once(open, 'connect');
    open.write('unfinished');
    await new Promise((resolve) => setTimeout(resolve, 50));
    relay.close();
    await once(open, 'close');
  });
});

describe("the emulator's URL inside of instances", () => {
  const containersOf = (runtime: Partial<ContainerRuntime>, values = {}) => {
    const settings = defaultSettings();
    const full = { callback: async () => ({ bind: '127.0.0.1', host: 'the.host' }), ...runtime };
    const open = async () => ({ ...full, removeLeftovers: async () => 0, close: async () => undefined }) as never;
    const driver = async () => open;
    const backend = { EMULATOR_LAMBDA_BACKEND: runtime.backend, ...values } as object;
    const containers = new DriverContainers(
      {
        settings: { ...settings, values: { ...settings.values, ...backend } },
        log: createLogger({ level: 'error', format: 'text' }),
      },
      { docker: driver, process: driver, k8s: driver },
    );
    closing.push(() => void containers.close());
    return containers;
  };

  it('is the URL of a relay for containers', async () => {
    const url = `http://127.0.0.1:${await echo()}`;
    const containers = containersOf({ backend: 'docker', isolated: true });
    const inside = await containers.urlInside(await containers.of('lambda'), url);
    const port = Number(/^http:\/\/the\.host:(\d+)$/.exec(inside)?.[1]);
    expect(await ask(port, 'hello')).toBe('got hello');
    expect(await containers.urlInside(await containers.of('lambda'), url)).toBe(inside);
    await containers.close();
    await expect(ask(port, 'x')).rejects.toThrow('ECONNREFUSED');
  });

  it('is the same for processes, and the configured one for Pods', async () => {
    const url = 'http://127.0.0.1:4566';
    const processes = containersOf({ backend: 'process', isolated: false });
    expect(await processes.urlInside(await processes.of('lambda'), url)).toBe(url);
    const k8s = containersOf({ backend: 'k8s', isolated: true }, { EMULATOR_K8S_SELF_URL: 'http://emu.ns:4566' });
    expect(await k8s.urlInside(await k8s.of('lambda'), url)).toBe('http://emu.ns:4566');
  });
});
