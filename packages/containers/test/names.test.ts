import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AwsNames } from '@emu/core/service';
import { afterEach, describe, expect, it } from 'vitest';
import { embed } from '../programs/embed.mjs';
import { installNames, NamesPort, type NamesPortOptions, nameVariables } from '../src/names/index.ts';

/** Whether a program runs here. */
function has(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Opens a port whose accepted connections are answered with their first bytes. */
async function open(
  peers?: NamesPortOptions['peers'],
  isolated = false,
): Promise<{ port: number; authorization: string; closed(): boolean }> {
  let closed = false;
  const accept = (socket: Socket): void => {
    socket.once('data', (chunk) => socket.end(`emu: ${chunk}`));
    socket.resume();
  };
  const names: AwsNames = {
    enabled: true,
    suffixes: ['.amazonaws.com'],
    exceptions: [],
    leads: (name) => name.endsWith('.amazonaws.com'),
    authority: async () => '',
    redirect: () => ({
      accept,
      close: () => {
        closed = true;
      },
    }),
    connectionTo: async () => undefined,
  };
  const program = { arn: 'arn', cause: () => undefined };
  const port = await NamesPort.open({ names, program, bind: '127.0.0.1', host: '127.0.0.1', isolated, peers });
  closing.push(() => port.close());
  const { username, password } = new URL(port.address.proxyUrl);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  return { port: port.address.port, authorization, closed: () => closed };
}

/** Sends text after each answer, and returns everything that was received. */
async function talk(port: number, ...texts: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('error', () => undefined);
  for (const text of texts) {
    socket.write(text);
    const [chunk] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])]);
    received += chunk;
  }
  socket.destroy();
  return received;
}

const tunnel = (target: string, authorization: string): string =>
  `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\nProxy-Authorization: ${authorization}\r\n\r\n`;

describe("a port for AWS's host names", () => {
  it('passes connections on to emu', async () => {
    const { port } = await open();
    expect(await talk(port, 'GET / HTTP/1.1\r\n\r\n')).toBe('emu: GET / HTTP/1.1\r\n\r\n');
  });

  it("is a proxy whose tunnels to AWS's names lead to emu, and others to their hosts", async () => {
    const server = createServer((socket) => socket.once('data', (chunk) => socket.end(`other: ${chunk}`)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    closing.push(() => server.close());
    const { port, authorization } = await open();
    const other = (server.address() as AddressInfo).port;
    const established = 'HTTP/1.1 200 Connection established\r\n\r\n';
    expect(await talk(port, tunnel('sqs.us-east-1.amazonaws.com:443', authorization), 'hello')).toBe(
      `${established}emu: hello`,
    );
    expect(await talk(port, tunnel(`localhost:${other}`, authorization), 'hello')).toBe(`${established}other: hello`);
    expect(await talk(port, tunnel('db.rds.amazonaws.com:5432', authorization))).toMatch(/^HTTP\/1\.1 502 /);
    expect(await talk(port, tunnel('127.0.0.1:1', authorization))).toMatch(/^HTTP\/1\.1 502 .*ECONNREFUSED/s);
  });

  it('opens no tunnels for others than its program', async () => {
    const { port, authorization } = await open();
    for (const wrong of [
      '',
      'Basic ZW11Og==',
      `Basic ${Buffer.from('emu:wrong').toString('base64')}`,
      authorization.replace('Basic', 'Bearer'),
    ])
      expect(await talk(port, tunnel('localhost:1', wrong))).toMatch(/^HTTP\/1\.1 407 /);
    expect(await talk(port, `CONNECT /x HTTP/1.1\r\nProxy-Authorization: ${authorization}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 400 /,
    );
    expect(await talk(port, `CONNECT ${'x'.repeat(9000)}`)).toMatch(/^HTTP\/1\.1 431 /);
  });

  it("does not lead a program with a network of its own to the machine's addresses, in any spelling", async () => {
    const { port, authorization } = await open(undefined, true);
    const own = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
    for (const host of [
      ...own.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address)),
      ...['127.0.0.1', '127.1.2.3', '0.0.0.0', '169.254.169.254', '[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
      ...['[::]', '[fe80::1]', '[fd00:ec2::254]'],
    ])
      expect(await talk(port, tunnel(`${host}:1`, authorization)), host).toMatch(/^HTTP\/1\.1 403 /);
    for (const name of ['localhost', '127.1', '2130706433', '0x7f.1', '0'])
      expect(await talk(port, tunnel(`${name}:1`, authorization)), name).toMatch(/^HTTP\/1\.1 502 .*emu's machine/s);
  });

  it('closes connections of other peers', async () => {
    for (const has of [() => false, async () => false])
      expect(await talk((await open({ has })).port, 'GET / HTTP/1.1\r\n\r\n')).toBe('');
    expect(await talk((await open({ has: async () => true })).port, 'hello')).toBe('emu: hello');
  });
});

describe('the variables of a program', () => {
  const sources = {
    names: { suffixes: ['.amazonaws.com'], exceptions: ['sts.amazonaws.com'] },
    address: { host: '127.0.0.1', port: 1, proxyUrl: 'http://emu:secret@127.0.0.1:1' },
    directory: '/var/emu files',
    ownInterpreter: false,
    given: undefined,
  };

  it('lead Node.js and Python to modules, and others to the proxy', () => {
    expect(nameVariables({ ...sources, following: 'node' })).toEqual({
      _EMULATOR_AWS_NAMES:
        '{"relay":{"host":"127.0.0.1","port":1},"authority":"/var/emu files/emu-authority.pem","suffixes":[".amazonaws.com"],"exceptions":["sts.amazonaws.com"]}',
      NODE_OPTIONS: '--require "/var/emu files/emu-names.cjs"',
    });
    expect(nameVariables({ ...sources, following: 'python' })).toMatchObject({ PYTHONPATH: '/var/emu files/emu-site' });
    const proxied = nameVariables({ ...sources, following: 'proxy' });
    expect(proxied).toMatchObject({
      HTTPS_PROXY: sources.address.proxyUrl,
      https_proxy: sources.address.proxyUrl,
      NO_PROXY: expect.stringContaining('localhost,'),
      SSL_CERT_FILE: '/var/emu files/emu-ca-bundle.pem',
      REQUESTS_CA_BUNDLE: '/var/emu files/emu-ca-bundle.pem',
      AWS_CA_BUNDLE: '/var/emu files/emu-ca-bundle.pem',
      NODE_EXTRA_CA_CERTS: '/var/emu files/emu-authority.pem',
    });
    expect(proxied).not.toHaveProperty('PYTHONPATH');
  });

  it('keep what the user has set', () => {
    const given = { HTTPS_PROXY: 'http://proxy', AWS_CA_BUNDLE: '/var/task/ca.pem', NODE_OPTIONS: '--title=x' };
    const variables = nameVariables({ ...sources, following: 'proxy', given });
    expect(variables).not.toHaveProperty('HTTPS_PROXY');
    expect(variables).not.toHaveProperty('AWS_CA_BUNDLE');
    expect(variables.NODE_OPTIONS).toBe('--require "/var/emu files/emu-names.cjs" --title=x');
  });
});

const python = has('python3', '-c', '');
if (!python) console.log("skipped: AWS's host names in other interpreters of Python, for there is no python3 on PATH");

it.skipIf(!python)('an interpreter that emu does not start loads the module, and the next sitecustomize', async () => {
  const home = mkdtempSync(join(tmpdir(), 'emu-test-'));
  try {
    await installNames(home, { authority: async () => 'the authority' });
    const own = join(home, 'own');
    mkdirSync(own);
    writeFileSync(join(own, 'sitecustomize.py'), 'import builtins\nbuiltins.OWN = __file__\n');
    const variables = nameVariables({
      names: { suffixes: ['.amazonaws.com'], exceptions: [] },
      address: { host: '127.0.0.1', port: 4567, proxyUrl: '' },
      directory: home,
      ownInterpreter: false,
      following: 'python',
      given: { PYTHONPATH: own },
    });
    const code = `
import socket
print(OWN.endswith("own/sitecustomize.py"), socket.getaddrinfo("sqs.us-east-1.amazonaws.com", 443, type=socket.SOCK_STREAM)[0][4])
try:
    socket.create_connection(("db.rds.amazonaws.com", 5432))
except socket.gaierror as error:
    print(error.args[1])
try:
    socket.socket().connect(("db.rds.amazonaws.com", 5432))
except ConnectionRefusedError as error:
    print(type(error).__name__)
`;
    const output = execFileSync('python3', ['-c', code], { env: { ...process.env, ...variables }, encoding: 'utf8' });
    expect(output).toBe(
      "True ('127.0.0.1', 4567)\ndb.rds.amazonaws.com:5432: emu leads AWS's host names to itself on ports 443 and 80 only. EMULATOR_AWS_NAMES_EXCEPT lists names that lead to AWS.\nConnectionRefusedError\n",
    );
  } finally {
    rmSync(home, { recursive: true });
  }
});

it('the embedded programs are those of the files', () => {
  expect(readFileSync(new URL('../src/generated/programs.ts', import.meta.url), 'utf8')).toBe(embed());
});
