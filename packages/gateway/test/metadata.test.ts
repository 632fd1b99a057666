import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@emu/core';
import { describe, expect, it } from 'vitest';
import { listenLinkLocal } from '../src/metadata/link-local.ts';
import { createTestEmulator, type TestEmulator } from '../src/testing/index.ts';
import { notesPlugin } from './notes.ts';
import { call, request, textOf } from './requests.ts';

const TOKEN = 'x-aws-ec2-metadata-token';
const TTL = 'x-aws-ec2-metadata-token-ttl-seconds';

const fetchFrom = async (
  emulator: TestEmulator,
  target: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<{ status: number; text: string }> => {
  const response = await emulator.gateway.handle(request({ method, target, headers }));
  return { status: response.status, text: await textOf(response) };
};

describe('metadata service', () => {
  it('lists its tree and returns leaves without a token', async () => {
    await using emulator = await createTestEmulator({ imdsInstanceId: 'i-0123456789abcdef0' });
    const read = async (path: string) => (await fetchFrom(emulator, `/latest${path}`)).text;
    expect(await read('/')).toBe('dynamic/\nmeta-data/');
    expect((await read('/meta-data/')).split('\n')).toEqual(
      expect.arrayContaining(['ami-id', 'hostname', 'iam/', 'instance-id', 'instance-type', 'network/', 'placement/']),
    );
    expect(await read('/meta-data/instance-id')).toBe('i-0123456789abcdef0');
    expect(await read('/meta-data/placement/region')).toBe('us-east-1');
    expect(await read('/meta-data/placement/availability-zone')).toBe('us-east-1a');
    expect(await read('/meta-data/placement/availability-zone-id')).toBe('use1-az1');
    const mac = await read('/meta-data/mac');
    expect(mac).toMatch(/^06(:[0-9a-f]{2}){5}$/);
    expect(await read('/meta-data/network/interfaces/macs/')).toBe(`${mac}/`);
    expect(await read(`/meta-data/network/interfaces/macs/${mac}/owner-id`)).toBe('123456789012');
    expect(await read('/meta-data/local-ipv4')).toMatch(/^172\.31\.\d+\.\d+$/);
    for (const path of ['/meta-data/none', '/meta-data/instance-id/', '/meta-data/__proto__', '/user-data', 'x'])
      expect((await fetchFrom(emulator, `/latest${path}`)).status, path).not.toBe(200);
  });

  it('generates an instance id by default', async () => {
    await using emulator = await createTestEmulator();
    const id = (await fetchFrom(emulator, '/latest/meta-data/instance-id')).text;
    expect(id).toMatch(/^i-[0-9a-f]{17}$/);
    expect((await fetchFrom(emulator, '/latest/meta-data/instance-id')).text).toBe(id);
  });

  it('issues tokens and rejects unknown and expired ones', async () => {
    await using emulator = await createTestEmulator();
    const token = (headers: Record<string, string>) => fetchFrom(emulator, '/latest/api/token', headers, 'PUT');
    for (const ttl of ['0', '21601', '-1', '1.5', 'x', '']) expect((await token({ [TTL]: ttl })).status).toBe(400);
    expect((await token({})).status).toBe(400);
    expect((await token({ [TTL]: '60', 'x-forwarded-for': '10.0.0.1' })).status).toBe(403);
    expect((await fetchFrom(emulator, '/latest/api/token')).status).toBe(405);

    const { status, text } = await token({ [TTL]: '60' });
    expect(status).toBe(200);
    const read = (value: string) => fetchFrom(emulator, '/latest/meta-data/instance-type', { [TOKEN]: value });
    expect(await read(text)).toEqual({ status: 200, text: 'm5.large' });
    expect((await read('invalid')).status).toBe(401);
    await emulator.kernel.clock.advance(61_000);
    expect((await read(text)).status).toBe(401);
    expect((await fetchFrom(emulator, '/latest/meta-data/', {}, 'POST')).status).toBe(405);
  });

  it('returns the instance identity document', async () => {
    await using emulator = await createTestEmulator({ imdsInstanceId: 'i-0123456789abcdef0' });
    const { text } = await fetchFrom(emulator, '/latest/dynamic/instance-identity/document');
    expect(JSON.parse(text)).toMatchObject({
      accountId: '123456789012',
      architecture: 'x86_64',
      availabilityZone: 'us-east-1a',
      instanceId: 'i-0123456789abcdef0',
      region: 'us-east-1',
      version: '2017-09-30',
      billingProducts: null,
    });
  });

  it('returns credentials of the role, the same until shortly before their end', async () => {
    const imdsInstanceId = 'i-0123456789abcdef0';
    await using emulator = await createTestEmulator({
      plugins: [notesPlugin],
      imdsInstanceId,
      credentialsRoleArn: 'arn:aws:iam::000000000009:role/team/web',
    });
    const base = '/latest/meta-data/iam';
    expect((await fetchFrom(emulator, `${base}/security-credentials/`)).text).toBe('web');
    const read = async () => JSON.parse((await fetchFrom(emulator, `${base}/security-credentials/web`)).text);
    const first = await read();
    expect(first).toMatchObject({ Code: 'Success', Type: 'AWS-HMAC', AccessKeyId: expect.stringMatching(/^ASIA/) });
    expect(await read()).toEqual(first);
    const info = JSON.parse((await fetchFrom(emulator, `${base}/info`)).text);
    expect(info).toMatchObject({ InstanceProfileArn: 'arn:aws:iam::000000000009:instance-profile/web' });
    const who = await emulator.gateway.handle(request({ headers: call('WhoAmI', first.AccessKeyId), body: '{}' }));
    expect(JSON.parse(await textOf(who))).toMatchObject({
      Arn: `arn:aws:sts::000000000009:assumed-role/web/${imdsInstanceId}`,
    });
    await emulator.kernel.clock.advance(46 * 60_000);
    expect((await read()).AccessKeyId).not.toBe(first.AccessKeyId);
    await emulator.kernel.reset();
    expect(emulator.kernel.credentials.get((await read()).AccessKeyId)).toBeDefined();
  });

  it('leaves signed requests of a bucket named latest to the services', async () => {
    await using emulator = await createTestEmulator({ plugins: [notesPlugin] });
    const response = await emulator.gateway.handle(
      request({ target: '/latest/meta-data', headers: call('WhoAmI'), body: '{}' }),
    );
    expect(JSON.parse(await textOf(response))).toHaveProperty('Account');
  });
});

describe('link-local addresses', () => {
  it('serve metadata and container credentials only', async () => {
    await using emulator = await createTestEmulator();
    const free = { host: '127.0.0.1', port: 0 };
    const listeners = await listenLinkLocal(emulator.gateway, { metadata: free, credentials: free });
    const [metadata, credentials] = listeners as [(typeof listeners)[0], (typeof listeners)[0]];
    expect(await (await fetch(`${metadata.url}/latest/meta-data/placement/region`)).text()).toBe('us-east-1');
    expect((await fetch(`${metadata.url}/_emulator/health`)).status).toBe(404);
    const vended = await (await fetch(`${credentials.url}/creds`)).json();
    expect(vended).toMatchObject({ RoleArn: 'arn:aws:iam::123456789012:role/emulator' });
    expect((await fetch(`${credentials.url}/v2/credentials/abc`)).status).toBe(501);
    expect((await fetch(`${credentials.url}/latest/meta-data/`)).status).toBe(404);
    for (const listener of listeners) await listener.close(50);
  });

  it('log a warning with the command to run if they cannot be bound, without other effects', async () => {
    const lines: string[] = [];
    const log = createLogger({ level: 'info', format: 'json', write: (line) => lines.push(line) });
    await using emulator = await createTestEmulator({ log });
    const main = await emulator.gateway.listen();
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    const listeners = await listenLinkLocal(emulator.gateway, {
      // An address of the range for documentation, which no machine has.
      metadata: { host: '192.0.2.1', port: 1 },
      credentials: { host: '127.0.0.1', port },
    });
    expect(listeners).toEqual([]);
    const warnings = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn');
    expect(warnings.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^instance metadata cannot be served at 192\.0\.2\.1:1: .*sudo (ip addr add|ifconfig lo0 alias) 192\.0\.2\.1/,
        ),
        expect.stringMatching(/^container credentials cannot be served at 127\.0\.0\.1:\d+: .*EADDRINUSE/),
      ]),
    );
    expect((await fetch(`${main.url}/_emulator/health`)).status).toBe(200);
    await main.close(50);
    taken.close();
  });
});
