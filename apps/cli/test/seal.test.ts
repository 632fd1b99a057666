import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealProcess } from '../src/seal.ts';

describe('a sealed process', () => {
  const server = createServer((_, response) => response.end('reached'));
  let url: string;
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => server.close());

  it('connects to no server and starts no program, until the seal is removed', async () => {
    const unseal = sealProcess();
    const socket = createSocket('udp4');
    try {
      await expect(fetch(url)).rejects.toMatchObject({ cause: { message: expect.stringContaining('no server') } });
      expect(() => spawn(process.execPath, ['-v'])).toThrow('emu replay starts no programs');
      expect(() => socket.send('x', 9, '127.0.0.1')).toThrow('emu replay connects to no server');
    } finally {
      unseal();
      socket.close();
    }
    const response = await fetch(url, { headers: { connection: 'close' } });
    expect(await response.text()).toBe('reached');
  });
});
