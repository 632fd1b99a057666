import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CreateQueueCommand, ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { SERVICE_NAMES } from '@emu/emulator';
import { zipOf } from '@emu/gateway/testing';
import { describe, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { OPTION_ENTRIES } from '../src/options.ts';
import { cleanEnv, emu, freePort, Running, run, started } from './cli.ts';

const clientOf = (url: string): SQSClient =>
  new SQSClient({ endpoint: url, region: 'us-east-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' } });

describe('emu start', () => {
  test('prints its URL, its services and how to use it', async () => {
    await using server = await started();
    await server.running.waitFor(/Ready\.\n/);
    for (const variable of [
      'AWS_ENDPOINT_URL',
      'AWS_ACCESS_KEY_ID',
      'AWS_SECRET_ACCESS_KEY',
      'AWS_REGION',
      'AWS_DEFAULT_REGION',
    ])
      expect(server.running.stdout).toMatch(new RegExp(` ${variable}=\\S+`));
    expect(server.running.stdout).toContain(`emu ${packageJson.version} is ready on ${server.url}`);
    expect(server.running.stdout).toContain(`${SERVICE_NAMES.join(', ')}; state in memory only`);
    expect(server.running.stdout.split('\n').length).toBeLessThan(7);
    expect(server.running.stdout).toMatch(/\nReady\.\n$/);
    const health = await (await fetch(`${server.url}/_emulator/health`)).json();
    expect(health).toEqual({ status: 'ok', version: packageJson.version, services: SERVICE_NAMES });
  });

  test.each<[string, string[], NodeJS.ProcessEnv]>([
    ['this machine', ['--addr', '127.0.0.1:0'], {}],
    ['every machine that can connect to it', ['--addr', '0.0.0.0:0'], {}],
    [
      'this machine and its containers; --allow-remote opens it to other machines',
      ['--addr', '0.0.0.0:0'],
      { EMULATOR_ALLOW_REMOTE: 'false' },
    ],
  ])('prints that it is open to %s', async (audience, args, env) => {
    const running = emu(args, env);
    await running.waitFor(/to use it/);
    expect(running.stdout).toContain(`  open to   ${audience}\n`);
    running.child.kill('SIGTERM');
    expect((await running.finished).code).toBe(0);
  });

  test.each([[['start']], [['--']]])('behaves the same with %j', async (args) => {
    const running = emu([...args, '--addr', '127.0.0.1:0', '--region=eu-west-1']);
    await running.waitFor(/AWS_REGION=eu-west-1/);
    running.child.kill('SIGTERM');
    expect((await running.finished).code).toBe(0);
  });

  test('prefers flags to variables', async () => {
    await using server = await started(['--region', 'eu-west-1'], {
      EMULATOR_REGION: 'eu-west-2',
      EMULATOR_ACCOUNT_ID: '000000000007',
    });
    const { QueueUrl } = await clientOf(server.url).send(new CreateQueueCommand({ QueueName: 'jobs' }));
    expect(QueueUrl).toBe(`${server.url}/000000000007/jobs`);
    await server.running.waitFor(/AWS_REGION=eu-west-1/);
  });

  test('logs in JSON if configured', async () => {
    const running = emu(['--addr', '127.0.0.1:0', '--log-format', 'json']);
    await running.waitFor(/\n/, 'stderr');
    expect(JSON.parse(running.stderr.split('\n')[0]!)).toMatchObject({
      level: 'info',
      message: 'ready',
      version: packageJson.version,
    });
    running.child.kill('SIGTERM');
    expect((await running.finished).stdout).toBe('');
  });

  test('warns about settings without effect, once', async () => {
    await using server = await started(['--dns'], { EMULATOR_RDS_BACKEND: 'docker', EMULATOR_REGOIN: 'x' });
    expect(server.running.stderr.split('\n').filter((line) => line.includes('WARN'))).toEqual([
      expect.stringMatching(/EMULATOR_REGOIN is not a variable that emu knows; did you mean EMULATOR_REGION\?$/),
      expect.stringMatching(/emu does not have their service yet: --dns \(route53\); EMULATOR_RDS_BACKEND \(rds\)\.$/),
    ]);
  });
});

test("resolves relative paths from the caller's directory if a package manager runs the script in the package's directory", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'emu-cli-'));
  try {
    writeFileSync(join(folder, 'hook.sh'), 'pwd > ran\n');
    const script = fileURLToPath(new URL('../start.mjs', import.meta.url));
    const env = cleanEnv({ INIT_CWD: folder });
    const running = new Running(spawn(process.execPath, [script, '--addr', '127.0.0.1:0', '--init', '.'], { env }));
    await running.waitFor(/Ready\./);
    expect(readFileSync(join(folder, 'ran'), 'utf8').trim()).toBe(realpathSync(folder));
    running.child.kill('SIGTERM');
    expect((await running.finished).code).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('an invalid command line ends with one sentence', () => {
  test.each<[string[], NodeJS.ProcessEnv, string]>([
    [['--addr', 'x'], {}, 'emu: --addr must be host:port, such as 127.0.0.1:4566 or [::1]:4566, not "x".'],
    [[], { EMULATOR_LOG: 'loud' }, 'emu: EMULATOR_LOG must be trace, debug, info, warn or error, not "loud".'],
    [
      ['--storage-mode=persistent'],
      {},
      'emu: --storage-mode persistent requires --data-path (EMULATOR_DATA_PATH), the directory to keep state in.',
    ],
    [['--adr', '127.0.0.1:1'], {}, 'emu: --adr is not a flag of this command; did you mean --addr?'],
    [['--dns=maybe'], {}, 'emu: --dns must be true or false (or 1, 0, yes, no), not "maybe".'],
    [['--region'], {}, 'emu: Not enough arguments following: region; see emu --help.'],
    [['--region', 'eu-west-1', '--region', 'eu-west-2'], {}, 'emu: --region may be given only once.'],
    [['strat'], {}, 'emu: strat is not a command of emu; did you mean start?'],
    [['start', 'now'], {}, 'emu: emu start accepts no argument now; see emu --help.'],
    [['-x'], {}, 'emu: -x is not a flag of this command.'],
  ])('%j %j', async (args, env, sentence) => {
    expect(await run(args, env)).toEqual({ code: 1, stdout: '', stderr: `${sentence}\n` });
  });
});

describe('a data directory', () => {
  test.each(['', '/below'])('that is a file%s is rejected', async (below) => {
    const folder = mkdtempSync(join(tmpdir(), 'emu-cli-'));
    try {
      const file = join(folder, 'file');
      writeFileSync(file, '');
      const { code, stderr } = await run(['--storage-mode', 'persistent', '--data-path', file + below]);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: `emu: ${file}${below} cannot be used as the data directory: it is a file, or below one (--data-path, EMULATOR_DATA_PATH).\n`,
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('of another format stops the start-up and names the file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'emu-cli-'));
    try {
      const file = join(folder, 'emulator.version.toml');
      writeFileSync(file, 'format_version = 99\ncreated_by = "9.9.9"\narn_partitions_migrated = true\n');
      const { code, stderr } = await run(['--storage-mode', 'persistent', '--data-path', folder]);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^emu: .*emulator\.version\.toml says that the data directory has format 99.*\n$/);
      expect(stderr).toContain(file);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('the address', () => {
  test('used by another emu', async () => {
    await using server = await started();
    const { code, stderr } = await run(['--addr', server.addr]);
    expect(code).toBe(1);
    expect(stderr).toContain(`Another emu (${packageJson.version}) already runs on ${server.url}`);
    expect(stderr).toContain(`Choose another with --addr 127.0.0.1:${Number(server.port) + 1} (EMULATOR_ADDR)`);
    if (process.platform === 'linux') expect(stderr).toContain(`by process ${server.running.child.pid} (`);
  });

  test('used by another program', async () => {
    const other = createServer((socket) => socket.end('hello\n').resume()).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const { code, stderr } = await run(['--addr', `127.0.0.1:${port}`]);
    other.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^emu: Port ${port} is already in use.*Choose another with --addr`));
  });

  test('that cannot be used', async () => {
    expect(await run(['--addr', '[fe80::1]:0'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^emu: fe80::1:0 cannot be used \(E\w+\); choose another with --addr .*\n$/),
    });
  });

  test('of another machine', async () => {
    const { code, stderr } = await run(['--addr', '192.0.2.1:4566']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'emu: 192.0.2.1 is not an address of this machine; choose another with --addr (EMULATOR_ADDR).\n',
    });
  });
});

describe('the end', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s exits with 0 within two seconds', async (signal) => {
    await using server = await started();
    // A waiting request receives a response, as after its timeout; neither it nor an idle connection delays the exit.
    const { QueueUrl } = await clientOf(server.url).send(new CreateQueueCommand({ QueueName: 'jobs' }));
    const request = httpRequest(server.url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.ReceiveMessage' },
    });
    const waiting = once(request, 'response').then(async ([answer]) => ({
      status: answer.statusCode,
      json: await json(answer),
    }));
    request.end(JSON.stringify({ QueueUrl, WaitTimeSeconds: 20 }));
    await once(request, 'finish');
    // It arrives after the waiting request: once it has a response, the other one waits.
    for (let turn = 0; turn < 3; turn++) await (await fetch(`${server.url}/_emulator/health`)).arrayBuffer();
    const asked = performance.now();
    server.running.child.kill(signal);
    expect((await server.running.finished).code).toBe(0);
    expect(performance.now() - asked).toBeLessThan(2_000);
    expect(await waiting).toEqual({ status: 200, json: {} });
  });

  test('state exists after a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'emu-cli-'));
    try {
      const flags = ['--storage-mode', 'persistent', '--data-path', folder];
      {
        await using server = await started(flags);
        await clientOf(server.url).send(new CreateQueueCommand({ QueueName: 'kept' }));
        server.running.child.kill('SIGTERM');
        expect((await server.running.finished).code).toBe(0);
      }
      await using server = await started(flags);
      const { QueueUrls } = await clientOf(server.url).send(new ListQueuesCommand({}));
      expect(QueueUrls).toEqual([`${server.url}/123456789012/kept`]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('--no-resume leaves interrupted work alone and lists it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'emu-cli-'));
    try {
      const flags = ['--storage-mode', 'persistent', '--data-path', folder];
      const call = async (url: string, operation: string, input: object): Promise<Record<string, unknown>> => {
        const headers = {
          'content-type': 'application/x-amz-json-1.0',
          'x-amz-target': `AWSStepFunctions.${operation}`,
        };
        const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(input) });
        return (await response.json()) as Record<string, unknown>;
      };
      let executionArn: unknown;
      {
        await using server = await started(flags);
        const definition = '{"StartAt":"Wait","States":{"Wait":{"Type":"Wait","Seconds":3,"End":true}}}';
        const machine = { name: 'm', roleArn: 'arn:aws:iam::123456789012:role/r', definition };
        const { stateMachineArn } = await call(server.url, 'CreateStateMachine', machine);
        ({ executionArn } = await call(server.url, 'StartExecution', { stateMachineArn, name: 'e' }));
        server.running.child.kill('SIGKILL');
        await server.running.finished;
      }
      const statusAt = async (url: string) => (await call(url, 'DescribeExecution', { executionArn })).status;
      {
        await using server = await started([...flags, '--no-resume']);
        await server.running.waitFor(
          /interrupted work is not resumed \(--no-resume\): stepfunctions .* execution m:e/,
          'stderr',
        );
        expect(await statusAt(server.url)).toBe('RUNNING');
      }
      await using server = await started(flags);
      await expect.poll(() => statusAt(server.url), { timeout: 15_000 }).toBe('SUCCEEDED');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('is immediate with a second signal', async () => {
    await using server = await started();
    // An incomplete request is awaited for a short time.
    const socket = connect(Number(server.port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(
      'POST / HTTP/1.1\r\nhost: localhost\r\nx-amz-target: AmazonSQS.ListQueues\r\ncontent-length: 9\r\nexpect: 100-continue\r\n\r\n{',
    );
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 100 /);
    server.running.child.kill('SIGTERM');
    await server.running.waitFor(/shutting down/, 'stderr');
    // Simultaneous signals count as one.
    const again = setInterval(() => server.running.child.kill('SIGTERM'), 20);
    try {
      expect((await server.running.finished).code).toBe(128 + 15);
    } finally {
      clearInterval(again);
      socket.destroy();
    }
  });

  test.each([
    { signals: 1, within: 5000 },
    { signals: 2, within: 2000 },
  ])('ends a process with a busy main thread: $signals × SIGTERM', async ({ signals, within }) => {
    const busy = 'process.on(`SIGUSR2`,()=>setTimeout(()=>{console.error(`busy`);for(;;);},3e3))';
    await using server = await started([], { NODE_OPTIONS: `--import=data:text/javascript,${busy}` });
    const { child, finished } = server.running;
    // The thread that then handles signals starts with the first service.
    await fetch(server.url, {
      method: 'POST',
      body: new URLSearchParams({ Action: 'GetCallerIdentity', Version: '2011-06-15' }),
    });
    child.kill('SIGUSR2');
    await server.running.waitFor(/busy/, 'stderr');
    await sleep(500);
    const asked = performance.now();
    for (let sent = 0; sent < signals; sent++) {
      child.kill('SIGTERM');
      await sleep(300);
    }
    await finished;
    expect(child.signalCode).toBe('SIGKILL');
    expect(performance.now() - asked).toBeLessThan(within);
  });

  test('does not wait for functions, shutdown scripts and uploads', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'emu-cli-'));
    try {
      mkdirSync(join(folder, 'shutdown.d'));
      writeFileSync(join(folder, 'shutdown.d', 'endless.sh'), 'while :; do sleep 1; done\n');
      await using server = await started(['--init', folder], {
        EMULATOR_LAMBDA_BACKEND: 'process',
        // The function writes a file for this test.
        EMULATOR_LAMBDA_SANDBOX: 'off',
      });
      const began = join(folder, 'began');
      const code = `exports.handler = () => {
        process.on('SIGTERM', () => {});
        require('node:fs').writeFileSync(${JSON.stringify(began)}, '');
        for (;;);
      };`;
      const post = (path: string, body: object): Promise<Response> =>
        fetch(`${server.url}/2015-03-31/functions${path}`, { method: 'POST', body: JSON.stringify(body) });
      await post('', {
        FunctionName: 'busy',
        Runtime: 'nodejs20.x',
        Role: 'arn:aws:iam::123456789012:role/busy',
        Handler: 'index.handler',
        Timeout: 900,
        Code: { ZipFile: zipOf({ 'index.js': code }).toString('base64') },
      });
      const invoked = post('/busy/invocations', {}).then(
        ({ status }) => status,
        () => 'disconnected',
      );
      const upload = connect(Number(server.port), '127.0.0.1').on('error', () => undefined);
      upload.write('PUT /bucket/key HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\nx');
      await expect.poll(() => existsSync(began), { timeout: 20_000 }).toBe(true);
      const asked = performance.now();
      server.running.child.kill('SIGTERM');
      expect((await server.running.finished).code).toBe(0);
      expect(performance.now() - asked).toBeLessThan(5000);
      expect(await invoked).toBe('disconnected');
      upload.destroy();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('is not caused by an error outside of any request', async () => {
    await using server = await started([], {
      NODE_OPTIONS: '--import=data:text/javascript,process.on(`SIGUSR2`,()=>{throw(new(Error)(`oops`))})',
    });
    server.running.child.kill('SIGUSR2');
    await server.running.waitFor(/ {4}at /, 'stderr');
    expect(server.running.stderr).toMatch(/ERROR uncaughtException error=Error: oops\n {4}at /);
    const health = await fetch(`${server.url}/_emulator/health`);
    expect(health.status).toBe(200);
    await health.body?.cancel();
  });

  test('of the reader of its output does not end emu', async () => {
    const port = await freePort();
    const running = emu(['--addr', `127.0.0.1:${port}`]);
    running.child.stdout!.destroy();
    running.child.stderr!.destroy();
    const answers = (): Promise<boolean> =>
      fetch(`http://127.0.0.1:${port}/_emulator/health`).then(
        async ({ ok, body }) => {
          await body?.cancel();
          return ok;
        },
        () => false,
      );
    await expect.poll(answers, { timeout: 30_000, interval: 20 }).toBe(true);
    expect(running.child.exitCode).toBe(null);
    running.child.kill('SIGTERM');
    expect((await running.finished).code).toBe(0);
  });
});

describe('--help and --version', () => {
  test('--help contains every setting with its variable and its default', async () => {
    const { code, stdout } = await run(['--help']);
    expect(code).toBe(0);
    const flat = stdout.replace(/\s+/g, ' ');
    for (const [name, { flag, defaultText }] of OPTION_ENTRIES) {
      expect(flat).toContain(name);
      if (flag) expect(flat).toContain(`--${flag} `);
      expect(flat).toContain(`[default: ${defaultText || 'none'}]`);
    }
    expect(flat).toContain('from the emulated zones. Has no effect yet: needs route53. EMULATOR_DNS [default: false]');
    expect(flat).toContain('What ecs runs on. Has no effect yet: needs ecs. [default: EMULATOR_CONTAINER_BACKEND]');
    expect(flat).toContain('What lambda runs on. [default: EMULATOR_CONTAINER_BACKEND]');
    expect(flat).toContain('--addr HOST:PORT Address');
    expect(flat).toContain('EMULATOR_LAMBDA_MAX_CONCURRENCY=');
    for (const command of ['start', 'env', 'status', 'wait', 'reset', 'exec']) expect(flat).toContain(`emu ${command}`);
  });

  test('--version', async () => {
    expect(await run(['--version'])).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
  });
});
