import { connect } from 'node:net';
import { LocalPeers } from '@emu/core/service';
import { expect, it } from 'vitest';
import { RuntimeApi } from '../src/runtime/runtime-api.ts';
import { InstancePeers, type RuntimePeers } from '../src/runtime/runtime-peers.ts';

/**
 * First line of the API's response.
 * @param headers of the request
 */
async function askFor(peers: RuntimePeers | undefined, headers = 'Host: runtime'): Promise<string> {
  const api = new RuntimeApi(
    () => false,
    () => undefined,
  );
  const port = await api.listen('127.0.0.1', peers, 'host.of.machine');
  const told = new Promise<string>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`GET /nothing HTTP/1.1\r\n${headers}\r\n\r\n`));
    // A connection closed during the request.
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

it('accepts only local peers if all runtimes are local', async () => {
  expect(await askFor(undefined)).toMatch(/^HTTP\/1\.1 404 /);
  expect(await askFor(new LocalPeers())).toMatch(/^HTTP\/1\.1 404 /);
  const nobody = new LocalPeers();
  nobody.has = () => false;
  expect(await askFor(nobody)).toBe('closed');
});

it('accepts only its own instances once their addresses are known', async () => {
  const peers = new InstancePeers();
  const from = (address: string | undefined): RuntimePeers => ({ has: () => peers.has(address) });
  peers.add(['10.1.2.3']);
  expect(await askFor(from('::ffff:10.1.2.3'))).toMatch(/^HTTP\/1\.1 404 /);
  expect(await askFor(from('127.0.0.1'))).toMatch(/^HTTP\/1\.1 404 /);
  // A peer that connects before the start is complete waits, and so does an unknown one.
  const [early, stranger] = [askFor(from('10.1.2.4')), askFor(from('10.9.9.9'))];
  expect(peers.has('10.1.2.4')).toBeInstanceOf(Promise);
  peers.add(['10.1.2.4', 'FD00::4']);
  peers.end();
  expect(await early).toMatch(/^HTTP\/1\.1 404 /);
  expect(await askFor(from('fd00::4'))).toMatch(/^HTTP\/1\.1 404 /);
  expect(await stranger).toBe('closed');
  expect(await askFor(from(undefined))).toBe('closed');
});

it('rejects web pages, whatever host name they use for this machine', async () => {
  const own = ['127.0.0.1:9001', '[::1]:9001', 'localhost:9001', 'HOST.of.machine:9001', 'sandbox.localdomain:9001'];
  for (const name of own) expect(await askFor(undefined, `Host: ${name}`), name).toMatch(/^HTTP\/1\.1 404 /);
  for (const headers of [
    'Host: evil.com:9001',
    'Host: 127.0.0.1.evil.com:9001',
    'Host: x.localhost.evil.com',
    'Host: 127.0.0.1:9001\r\nOrigin: http://evil.com',
    'Host: 127.0.0.1:9001\r\nOrigin: null',
    'Host: 127.0.0.1:9001\r\nOrigin: http://localhost:3000',
    'Host: 127.0.0.1:9001\r\nReferer: http://evil.com/',
    'Host: 127.0.0.1:9001\r\nSec-Fetch-Site: cross-site',
  ])
    expect(await askFor(undefined, headers), headers).toMatch(/^HTTP\/1\.1 403 /);
});

// https://docs.aws.amazon.com/lambda/latest/dg/snapstart-runtime-hooks-custom.html
it('lets runtimes wait for their restore, only with SnapStart', async () => {
  const open = async (restores: boolean) => {
    const api = new RuntimeApi(
      () => false,
      () => undefined,
      restores,
    );
    const base = `http://127.0.0.1:${await api.listen('127.0.0.1')}/2018-06-01/runtime`;
    return { api, base };
  };
  const plain = await open(false);
  expect((await fetch(`${plain.base}/restore/next`)).status).toBe(404);
  plain.api.close();
  const { api, base } = await open(true);
  let restored = false;
  const waiting = fetch(`${base}/restore/next`).then(({ status }) => {
    restored = true;
    return status;
  });
  expect(await api.initialized).toEqual({ ready: true });
  expect(restored).toBe(false);
  const result = api.restore();
  expect(await waiting).toBe(200);
  const body = JSON.stringify({ errorType: 'HookError', errorMessage: 'no database' });
  const headers = { 'Lambda-Runtime-Function-Error-Type': 'HookError' };
  expect((await fetch(`${base}/restore/error`, { method: 'POST', headers, body })).status).toBe(202);
  expect(await result).toMatchObject({ ready: false, outcome: { errorType: 'HookError' } });
  api.close();
});
