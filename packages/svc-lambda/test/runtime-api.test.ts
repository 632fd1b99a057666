import { connect } from 'node:net';
import { LocalPeers } from '@emu/core';
import { expect, it } from 'vitest';
import { RuntimeApi } from '../src/runtime/runtime-api.ts';
import { InstancePeers, type RuntimePeers } from '../src/runtime/runtime-peers.ts';

/** What a runtime that asks for its next invocation is told, once the API has one for it. */
async function askFor(peers: RuntimePeers | undefined): Promise<string> {
  const api = new RuntimeApi(
    () => false,
    () => undefined,
  );
  const port = await api.listen('127.0.0.1', peers);
  const told = new Promise<string>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('GET /nothing HTTP/1.1\r\nHost: runtime\r\n\r\n'));
    // A connection that is cut while the request is on its way.
    socket.on('error', () => undefined);
    socket.once('data', (chunk) => {
      socket.destroy();
      resolve(chunk.toString().split('\r\n')[0]!);
    });
    socket.once('close', () => resolve('closed'));
  });
  try {
    return await told;
  } finally {
    api.close();
  }
}

it('answers peers of this machine only, where all runtimes are on it', async () => {
  expect(await askFor(undefined)).toMatch(/^HTTP\/1\.1 404 /);
  expect(await askFor(new LocalPeers())).toMatch(/^HTTP\/1\.1 404 /);
  const nobody = new LocalPeers();
  nobody.has = () => false;
  expect(await askFor(nobody)).toBe('closed');
});

it('answers its own instances only, where these have addresses of their own, as soon as they are known', async () => {
  const peers = new InstancePeers();
  const from = (address: string | undefined): RuntimePeers => ({ has: () => peers.has(address) });
  peers.add(['10.1.2.3']);
  expect(await askFor(from('::ffff:10.1.2.3'))).toMatch(/^HTTP\/1\.1 404 /);
  expect(await askFor(from('127.0.0.1'))).toMatch(/^HTTP\/1\.1 404 /);
  // One that calls before its start is over waits, and so does one that is nobody's.
  const [early, stranger] = [askFor(from('10.1.2.4')), askFor(from('10.9.9.9'))];
  expect(peers.has('10.1.2.4')).toBeInstanceOf(Promise);
  peers.add(['10.1.2.4', 'FD00::4']);
  peers.end();
  expect(await early).toMatch(/^HTTP\/1\.1 404 /);
  expect(await askFor(from('fd00::4'))).toMatch(/^HTTP\/1\.1 404 /);
  expect(await stranger).toBe('closed');
  expect(await askFor(from(undefined))).toBe('closed');
});
