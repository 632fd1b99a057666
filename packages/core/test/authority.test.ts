import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { Authority } from '../src/certificates/authority.ts';
import { defaultSettings } from '../src/index.ts';
import { EmulatorNames } from '../src/names/aws-names.ts';

const authority = new Authority('emu', ['.amazonaws.com', '.on.aws']);
const HOST = 'my-bucket.s3.eu-west-1.amazonaws.com';

/** Returns the error with which a client that trusts the authority refuses a certificate; undefined if none. */
async function refusal(issued: string, host: string): Promise<string | undefined> {
  const server = createServer(authority.certificateOf(issued)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect({ host: '127.0.0.1', port, servername: host, ca: authority.certificate });
  try {
    return await new Promise((resolve) => {
      socket.once('secureConnect', () => resolve(undefined));
      socket.once('error', (error) => resolve(error.message));
    });
  } finally {
    socket.destroy();
    server.close();
  }
}

describe('an authority', () => {
  it('issues certificates that clients accept for their host only', async () => {
    expect(await refusal(HOST, HOST)).toBeUndefined();
    expect(await refusal(HOST, 'other.amazonaws.com')).toContain("does not match certificate's altnames");
  });

  it('is valid for no names outside of its domains', async () => {
    expect(await refusal('example.com', 'example.com')).toBe('permitted subtree violation');
    expect(await refusal('notamazonaws.com', 'notamazonaws.com')).toBe('permitted subtree violation');
  });

  it('marks its own certificate as that of an authority, and those of hosts as others', () => {
    const own = new X509Certificate(authority.certificate);
    const host = new X509Certificate(authority.certificateOf(HOST).cert);
    expect([own.ca, host.ca]).toEqual([true, false]);
    expect(own.verify(own.publicKey)).toBe(true);
    expect(host.checkIssued(own)).toBe(true);
    expect(host.verify(own.publicKey)).toBe(true);
    expect(host.subjectAltName).toBe(`DNS:${HOST}`);
    expect(Date.parse(host.validTo) - Date.parse(host.validFrom)).toBe(397 * 24 * 60 * 60 * 1000);
  });
});

describe('host names of AWS', () => {
  const namesOf = (values = {}) =>
    new EmulatorNames({
      settings: defaultSettings({ values }),
      selfUrl: async () => 'http://127.0.0.1:4566',
      access: () => undefined,
    });

  it('lead to emu, except those in the settings', () => {
    const names = namesOf({ EMULATOR_AWS_NAMES_EXCEPT: ['*.rds.amazonaws.com', 'sts.amazonaws.com'] });
    const leading = [
      'sqs.us-east-1.amazonaws.com',
      'S3.AMAZONAWS.COM.',
      'x.lambda-url.us-east-1.on.aws',
      'd1.cloudfront.net',
    ];
    const others = [
      'amazonaws.com',
      'amazonaws.com.example.org',
      'evilamazonaws.com',
      'a.rds.amazonaws.com',
      'sts.amazonaws.com',
    ];
    expect(leading.filter((name) => names.leads(name))).toEqual(leading);
    expect(others.filter((name) => names.leads(name))).toEqual([]);
    expect(namesOf({ EMULATOR_AWS_NAMES: false }).leads('sqs.us-east-1.amazonaws.com')).toBe(false);
  });

  it('alone get certificates', async () => {
    const names = namesOf();
    expect((await names.certificateOf(HOST))?.cert).toContain('BEGIN CERTIFICATE');
    const invalid = [
      'localhost',
      'example.com',
      '.amazonaws.com',
      '\0.amazonaws.com',
      `${'a.'.repeat(130)}amazonaws.com`,
    ];
    for (const name of invalid) expect(await names.certificateOf(name)).toBeUndefined();
  });
});
