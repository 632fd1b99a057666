import { connect } from 'node:net';
import { LocalPeers } from '@emu/core';
import { expect, it } from 'vitest';
import { RuntimeApi } from '../src/runtime/runtime-api.ts';

/** What a runtime that asks for its next invocation is told, once the API has one for it. */
async function askFor(peers: LocalPeers | undefined): Promise<string> {
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
