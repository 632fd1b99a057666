import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CreateQueueCommand, ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { SERVICE_NAMES } from '@emu/emulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { cleanEnv, emu, freePort, run, type Started, started } from './cli.ts';

let server: Started;
beforeAll(async () => {
  server = await started();
});
afterAll(() => server[Symbol.asyncDispose]());

const clientOf = (accessKeyId: string): SQSClient =>
  new SQSClient({ endpoint: server.url, region: 'us-east-1', credentials: { accessKeyId, secretAccessKey: 'test' } });

describe('emu env', () => {
  test('prints commands for a shell', async () => {
    const { stdout } = await run(['env', '--addr', '0.0.0.0:5000'], { EMULATOR_REGION: 'eu-west-1' });
    const shown = execFileSync('sh', ['-c', `${stdout}\nenv | grep ^AWS_ | sort`], {
      env: cleanEnv(),
      encoding: 'utf8',
    });
    expect(shown.trim().split('\n')).toEqual([
      'AWS_ACCESS_KEY_ID=test',
      'AWS_DEFAULT_REGION=eu-west-1',
      'AWS_ENDPOINT_URL=http://127.0.0.1:5000',
      'AWS_ENDPOINT_URL_S3_CONTROL=http://localhost:5000',
      'AWS_REGION=eu-west-1',
      'AWS_SECRET_ACCESS_KEY=test',
    ]);
  });

  test('unsets variables that would direct clients elsewhere', async () => {
    const { stdout } = await run(['env'], { AWS_PROFILE: 'work', AWS_ENDPOINT_URL_SQS: 'http://elsewhere' });
    expect(stdout).toContain('unset AWS_PROFILE\n');
    expect(stdout).toContain('unset AWS_ENDPOINT_URL_SQS\n');
  });

  test('supports other shells and accounts', async () => {
    expect((await run(['env', '--shell', 'fish'])).stdout).toContain(
      "set -gx AWS_ENDPOINT_URL 'http://127.0.0.1:4566'",
    );
    expect((await run(['env'], { SHELL: '/usr/bin/fish' })).stdout).toContain("set -gx AWS_REGION 'us-east-1'");
    const { stdout } = await run(['env', '--shell=powershell', '--account=000000000001']);
    expect(stdout).toContain("$Env:AWS_ACCESS_KEY_ID = '000000000001'");
    expect(await run(['env', '--account', '12'])).toMatchObject({
      code: 1,
      stderr: 'emu: --account must be 12 digits, not "12".\n',
    });
    expect(await run(['env', '--shell', 'csh'])).toMatchObject({
      code: 1,
      stderr: 'emu: --shell must be sh, fish, powershell, not "csh".\n',
    });
  });
});

describe('emu status', () => {
  test('prints the running services', async () => {
    expect(await run(['status', '--addr', server.addr])).toEqual({
      code: 0,
      stdout: `emu ${packageJson.version} runs on ${server.url}\nservices: ${SERVICE_NAMES.join(', ')}\n`,
      stderr: '',
    });
    expect((await run(['status'], { EMULATOR_ADDR: server.addr })).code).toBe(0);
  });

  test('finds emu at the URL of AWS clients, and prints JSON for machines', async () => {
    const { code, stdout } = await run(['status', '--json'], { AWS_ENDPOINT_URL: `${server.url}/` });
    expect({ code, json: JSON.parse(stdout) }).toEqual({
      code: 0,
      json: { status: 'ok', url: server.url, version: packageJson.version, services: SERVICE_NAMES },
    });
    // emu's own flags and variables take precedence.
    expect((await run(['status', '--addr', server.addr], { AWS_ENDPOINT_URL: 'http://127.0.0.1:9' })).code).toBe(0);
    expect(await run(['status'], { AWS_ENDPOINT_URL: 'elsewhere' })).toMatchObject({
      code: 1,
      stderr: 'emu: AWS_ENDPOINT_URL must be a URL, not "elsewhere".\n',
    });
  });

  test('fails with a message if nothing runs', async () => {
    expect(await run(['status', '--addr', '127.0.0.1:9'])).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'emu: No emulator responds at http://127.0.0.1:9. Start one with `emu`, or name its address with --addr (EMULATOR_ADDR).\n',
    });
  });

  test('rejects unknown flags', async () => {
    expect(await run(['status', '--region', 'eu-west-1'])).toMatchObject({
      code: 1,
      stderr: 'emu: --region is not a flag of this command.\n',
    });
  });
});

describe('emu wait', () => {
  test('ends when emu responds', async () => {
    const port = await freePort();
    const waiting = emu(['wait', '--addr', `127.0.0.1:${port}`]);
    const starting = emu(['--addr', `127.0.0.1:${port}`]);
    expect(await waiting.finished).toEqual({
      code: 0,
      stdout: `emu ${packageJson.version} runs on http://127.0.0.1:${port}\n`,
      stderr: '',
    });
    starting.child.kill('SIGTERM');
    expect((await starting.finished).code).toBe(0);
  });

  test('fails after the timeout', async () => {
    expect(await run(['wait', '--addr', '127.0.0.1:9', '--timeout', '0.1'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No emulator responds at http://127.0.0.1:9.'),
    });
    expect(await run(['wait', '--timeout', 'soon'])).toMatchObject({
      code: 1,
      stderr: 'emu: --timeout must be a number of seconds, not "soon".\n',
    });
  });
});

describe('emu urls', () => {
  const create = async (path: string, input: object): Promise<Record<string, string>> => {
    const authorization = `AWS4-HMAC-SHA256 Credential=test/20250101/us-east-1/apigateway/aws4_request, SignedHeaders=host, Signature=${'0'.repeat(64)}`;
    const headers = { 'content-type': 'application/json', authorization };
    const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(input) });
    return (await response.json()) as Record<string, string>;
  };

  test('prints the URLs of all resources that have one', async () => {
    expect((await run(['urls', '--addr', server.addr])).stdout).toBe('No resource has a URL.\n');
    await create('/v2/apis', {
      name: 'shop',
      protocolType: 'HTTP',
      target: 'https://shop.example.com',
      tags: { _custom_id_: 'shop' },
    });
    const chat = { name: 'chat', protocolType: 'WEBSOCKET', routeSelectionExpression: '$request.body.action' };
    await create('/v2/apis', { ...chat, tags: { _custom_id_: 'chat' } });
    await create('/v2/apis/chat/stages', { stageName: 'dev' });
    await clientOf('test').send(new CreateQueueCommand({ QueueName: 'work' }));
    const { port } = new URL(server.url);
    expect((await run(['urls', '--addr', server.addr])).stdout).toBe(
      [
        `HTTP       shop  $default  http://shop.execute-api.us-east-1.emulator.localhost:${port}    ${server.url}/_aws/execute-api/shop`,
        `WEBSOCKET  chat  dev       ws://chat.execute-api.us-east-1.emulator.localhost:${port}/dev  ${server.url.replace('http', 'ws')}/_aws/execute-api/chat/dev`,
        `QUEUE      work            ${server.url}/123456789012/work`,
        '',
      ].join('\n'),
    );
    const { apis, ...others } = JSON.parse((await run(['urls', '--json', '--addr', server.addr])).stdout);
    expect(apis).toMatchObject([
      { protocolType: 'HTTP', pathUrl: `${server.url}/_aws/execute-api/shop` },
      { protocolType: 'WEBSOCKET', pathUrl: `${server.url.replace('http', 'ws')}/_aws/execute-api/chat/dev` },
    ]);
    expect(others).toMatchObject({ functions: [], websites: [], queues: [{ name: 'work' }], userPoolDomains: [] });
    // Other tests share the emulator.
    await run(['reset', '--addr', server.addr]);
  });
});

describe('emu reset', () => {
  const urls = async (accessKeyId = 'test') =>
    (await clientOf(accessKeyId).send(new ListQueuesCommand({}))).QueueUrls ?? [];
  const create = (accessKeyId = 'test') => clientOf(accessKeyId).send(new CreateQueueCommand({ QueueName: 'jobs' }));
  const reset = (...args: string[]) => run(['reset', '--addr', server.addr, ...args]);

  test('removes the state of an account in a service, of a service, of everything', async () => {
    await create();
    await create('000000000001');
    expect(await reset('sqs', '000000000001')).toMatchObject({
      code: 0,
      stdout: 'sqs of account 000000000001 is empty now\n',
    });
    expect([await urls(), await urls('000000000001')]).toEqual([[expect.any(String)], []]);
    expect(await reset('sqs')).toMatchObject({ code: 0, stdout: 'sqs is empty now\n' });
    expect(await urls()).toEqual([]);
    await create();
    expect(await reset()).toMatchObject({ code: 0, stdout: 'every service is empty now\n' });
    expect(await urls()).toEqual([]);
  });

  test('waits without a timeout, except for a missing health response', async () => {
    const slow = createServer((request, response) => {
      if (request.url === '/_emulator/health') response.end('{"version":"1","services":[]}');
      else setTimeout(() => response.end('{}'), 2500);
    }).listen(0, '127.0.0.1');
    const silent = createServer().listen(0, '127.0.0.1');
    const at = (server: Server): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;
    await Promise.all([slow, silent].map((server) => server.listening || once(server, 'listening')));
    try {
      expect(await run(['reset', '--addr', at(slow)])).toMatchObject({
        code: 0,
        stdout: 'every service is empty now\n',
      });
      expect(await run(['reset', '--addr', at(silent)])).toMatchObject({
        code: 1,
        stderr: `emu: http://${at(silent)} accepted the connection and did not respond within 2 seconds.\n`,
      });
    } finally {
      for (const server of [slow, silent]) server.close().closeAllConnections();
    }
  });

  test('fails with the reason', async () => {
    const { code, stderr } = await reset('teapot');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^emu: .*teapot.*\n$/);
  });
});

describe('emu exec', () => {
  const node = (code: string): string[] => ['--', process.execPath, '-e', code];

  test('runs a command with its own emulator', async () => {
    const { code, stdout, stderr } = await run(
      [
        'exec',
        '--region',
        'eu-west-1',
        ...node(`
          const health = await (await fetch(process.env.AWS_ENDPOINT_URL + '/_emulator/health')).json();
          const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_DEFAULT_REGION, AWS_PROFILE } = process.env;
          console.log(JSON.stringify([health.status, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_DEFAULT_REGION, AWS_PROFILE ?? null]));
        `).toSpliced(2, 0, '--input-type=module'),
      ],
      { AWS_PROFILE: 'work', EMULATOR_ADDR: server.addr },
    );
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '["ok","test","test","eu-west-1","eu-west-1",null]\n',
      stderr: '',
    });
  });

  test('provides credentials that pass verification', async () => {
    const { stdout } = await run(['exec', '--verify-sigv4', ...node('console.log(!!process.env.AWS_SESSION_TOKEN)')]);
    expect(stdout).toBe('true\n');
  });

  test('runs the init hooks first', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'emu-exec-'));
    try {
      writeFileSync(join(folder, '1.sh'), 'echo "$AWS_ENDPOINT_URL" > url\n');
      const shown = ['--', 'sh', '-c', 'echo "$AWS_ENDPOINT_URL"; cat url'];
      const { code, stdout } = await emu(['exec', '--init', '.', ...shown], {}, { cwd: folder }).finished;
      const [own, hooks] = stdout.split('\n');
      expect({ code, hooks }).toEqual({ code: 0, hooks: own });
      writeFileSync(join(folder, '2.sh'), 'exit 3\n');
      const strict = await run(['exec', '--init', folder, '--init-strict', '--', 'echo', 'ran']);
      expect(strict).toMatchObject({ code: 1, stdout: '' });
      expect(strict.stderr).toContain('The init hook 2.sh failed with exit code 3 (--init-strict).');
      expect(await run(['exec', '--init', folder, '--', 'echo', 'ran'])).toMatchObject({ code: 0, stdout: 'ran\n' });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("returns the command's exit code", async () => {
    expect((await run(['exec', ...node('process.exit(7)')])).code).toBe(7);
    expect((await run(['exec', ...node("process.kill(process.pid, 'SIGKILL')")])).code).toBe(137);
    expect(await run(['exec', '--', 'no-such-command'])).toMatchObject({
      code: 127,
      stderr: 'emu: no-such-command could not be run: the command does not exist\n',
    });
    expect(await run(['exec', '--', tmpdir()])).toMatchObject({
      code: 126,
      stderr: `emu: ${tmpdir()} could not be run: this user may not run it\n`,
    });
    expect(await run(['exec'])).toMatchObject({ code: 1, stderr: expect.stringContaining('emu exec needs a command') });
  });

  test('forwards signals', async () => {
    const running = emu([
      'exec',
      ...node("process.on('SIGTERM', () => process.exit(3)); console.log('up'); setInterval(() => {}, 1000)"),
    ]);
    await running.waitFor(/up/);
    running.child.kill('SIGTERM');
    await once(running.child, 'exit');
    expect((await running.finished).code).toBe(3);
  });
});

describe('emu requests', () => {
  test('records from its first call on, and shows requests and failures', async () => {
    await using other = await started();
    const sqs = new SQSClient({
      endpoint: other.url,
      region: 'us-east-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    });
    const env = { AWS_ENDPOINT_URL: other.url };
    expect(await run(['requests'], env)).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^emu did not record requests until now/),
    });
    expect((await run(['requests'], env)).stderr).toBe('no recorded request matches\n');
    await sqs.send(new CreateQueueCommand({ QueueName: 'orders' }));
    await sqs.send(new CreateQueueCommand({ QueueName: 'not a name' })).catch(() => {});
    const { stdout } = await run(['requests'], env);
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^[\d:.]{12} sqs\.CreateQueue 200 \d+\.\d ms 123456789012 us-east-1$/),
      expect.stringMatching(/^[\d:.]{12} sqs\.CreateQueue 400 .* InvalidParameterValue: Can only include alphanumeric/),
      '',
    ]);
    const errors = await run(['requests', '--errors', '--json', '--service', 'sqs', '--operation=CreateQueue'], env);
    expect(JSON.parse(errors.stdout)).toMatchObject({ status: 400, input: { QueueName: 'not a name' }, caused: [] });
    expect(await run(['requests', '--limit', 'all'], env)).toMatchObject({
      code: 1,
      stderr: 'emu: limit is a whole number up to 10000, not all.\n',
    });
  });

  test('follows requests until the emulator ends', async () => {
    await using other = await started();
    const follower = emu(['requests', '-f', '--json'], { AWS_ENDPOINT_URL: other.url });
    await follower.waitFor(/following/, 'stderr');
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    const sqs = new SQSClient({ endpoint: other.url, region: 'us-east-1', credentials });
    await sqs.send(new ListQueuesCommand({}));
    const [line] = await follower.waitFor(/.+(?=\n)/);
    expect(JSON.parse(line)).toMatchObject({ service: 'sqs', operation: 'ListQueues' });
    other.running.child.kill('SIGTERM');
    expect((await follower.finished).code).toBe(0);
  });
});

describe('emu lambda watch', () => {
  test('makes a function run the code of a directory', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'emu-watch-'));
    const code = (text: string): void =>
      writeFileSync(join(folder, 'index.js'), `exports.handler = async () => '${text}';`);
    try {
      await using server = await started(['--hot-reload-root', folder], { EMULATOR_LAMBDA_BACKEND: 'process' });
      const authorization =
        'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/lambda/aws4_request, SignedHeaders=host, Signature=0';
      const lambda = async (path: string, body: unknown): Promise<unknown> => {
        const options = { method: 'POST', headers: { authorization }, body: JSON.stringify(body) };
        return (await fetch(`${server.url}/2015-03-31/functions${path}`, options)).json();
      };
      code('first');
      await lambda('', {
        FunctionName: 'hello',
        Runtime: 'nodejs22.x',
        Handler: 'index.handler',
        Role: 'arn:aws:iam::123456789012:role/hello',
        Code: { S3Bucket: 'hot-reload', S3Key: folder },
      });
      const env = { AWS_ENDPOINT_URL: server.url };
      const watched = await run(['lambda', 'watch', 'hello', folder], env);
      expect(watched).toMatchObject({
        code: 0,
        stdout: `hello runs the current code in ${folder} at each invocation\n`,
      });
      expect(await lambda('/hello/invocations', {})).toBe('first');
      code('second');
      expect(await lambda('/hello/invocations', {})).toBe('second');
      expect(await run(['lambda', 'watch', 'hello', tmpdir()], env)).toMatchObject({
        code: 1,
        stderr: `emu: ${tmpdir()} is not below ${folder}, where emu may run code from (--hot-reload-root).\n`,
      });
      expect((await run(['lambda', 'watch', 'missing', folder], env)).stderr).toMatch(/^emu: Function not found: /);
      expect((await run(['lambda', 'stop', 'hello', folder], env)).code).toBe(1);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('emu state', () => {
  const folder = mkdtempSync(join(tmpdir(), 'emu-state-command-'));
  const file = join(folder, 'orders.emu');
  const at = (...args: string[]) => run(['state', ...args, '--addr', new URL(server.url).host]);
  const names = async (): Promise<(string | undefined)[]> => {
    const { QueueUrls = [] } = await clientOf('000000000007').send(new ListQueuesCommand({}));
    return QueueUrls.map((url) => url.split('/').at(-1));
  };
  afterAll(() => rmSync(folder, { recursive: true }));

  test('saves to a private file, shows later changes, and loads the file', async () => {
    const client = clientOf('000000000007');
    await client.send(new CreateQueueCommand({ QueueName: 'saved' }));
    const saved = await at('save', file, '--services', 'sqs', '--accounts', '000000000007');
    expect(saved).toMatchObject({ code: 0, stderr: '' });
    expect(saved.stdout).toContain('It contains secrets, keys and tokens in plain text; only you can read it.');
    expect(statSync(file).mode & 0o777).toBe(0o600);

    await client.send(new CreateQueueCommand({ QueueName: 'later' }));
    const other = join(folder, 'later.emu');
    await at('save', other, '--services', 'sqs', '--accounts', '000000000007');
    const differences = await at('diff', file, other);
    expect(differences).toMatchObject({ code: 1, stdout: '+ sqs queues 000000000007 us-east-1 later\n' });
    expect((await at('diff', file)).stdout).toContain('+ sqs queues 000000000007 us-east-1 later\n');
    expect(await at('diff', file, file)).toEqual({ code: 0, stdout: '', stderr: '' });

    const loaded = await at('load', file);
    expect(loaded).toMatchObject({ code: 0, stderr: '' });
    expect(loaded.stdout).toMatch(/^loaded the state of \S+: sqs \(\d+\)\n$/);
    expect(await names()).toEqual(['saved']);
    expect(await at('load', other, '--merge')).toMatchObject({ code: 0 });
    expect(await names()).toEqual(['later', 'saved']);
  });

  test.each([
    ['a file that is missing', ['load', join(folder, 'missing')], /missing cannot be used: ENOENT/],
    [
      'something else',
      ['load', fileURLToPath(import.meta.url)],
      /^emu: The state cannot be loaded: it is no gzip file/,
    ],
    ['a service that emu does not have', ['save', file, '--services', 'mainframe'], /is not a service of emu/],
    ['two files', ['save', file, file], /emu state save takes one file/],
    ['an unknown action', ['keep', file], /^emu: emu state has no action keep: save, load, diff\.\n$/],
    ['no action', [], /^emu: emu state needs an action: save, load, diff\.\n$/],
    ['no file', ['save'], /^emu: emu state save needs a file: emu state save <file>\.\n$/],
  ])('rejects %s', async (_what, args, reason) => {
    expect(await at(...args)).toMatchObject({ code: 1, stderr: expect.stringMatching(reason) });
  });
});
