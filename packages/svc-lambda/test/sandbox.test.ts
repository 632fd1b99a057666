import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Lambda } from '@aws-sdk/client-lambda';
import { openContainers } from '@emu/containers';
import { createLogger, defaultSettings } from '@emu/core';
import { startServerProcess, zipOf } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningTest, startRunning } from './running.ts';
import { BASE } from './support.ts';

/** Number that only the processes of this run have as an argument. */
const NAP = `8${process.pid}`;
const python = spawnSync('python3', ['--version']).status === 0;
const executable = (content: string) => ({ content, mode: 0o100755 });

const probe = await openContainers({
  settings: defaultSettings({ values: { EMULATOR_LAMBDA_BACKEND: 'process' } }),
  log: createLogger({ level: 'error', format: 'text', write: () => undefined }),
});
const refusal = await (await probe.of('lambda')).sandboxes!.refusal();
await probe.close();
if (refusal) console.log(`sandboxes of functions are not tested: ${refusal}`);

/** Number of processes of the machine that sleep for `NAP` seconds. */
const sleepers = (): number =>
  readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').endsWith(`sleep\0${NAP}\0`);
    } catch {
      return false;
    }
  }).length;

async function until(condition: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 500 && !condition(); attempt++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(condition()).toBe(true);
}

const work = realpathSync(mkdtempSync(join(tmpdir(), 'emu-test-')));
const started = new Map<string, RunningTest>();
beforeAll(async () => {
  if (refusal) return;
  for (const mode of ['required', 'off'] as const) {
    const values = {
      EMULATOR_LAMBDA_BACKEND: 'process',
      EMULATOR_LAMBDA_SANDBOX: mode,
      EMULATOR_HOT_RELOAD_ROOT: work,
    } as const;
    started.set(mode, await startRunning({ settings: { values } }));
  }
});
afterAll(async () => {
  for (const test of started.values()) await test[Symbol.asyncDispose]();
  rmSync(work, { recursive: true, force: true });
});

/** Runs a handler in both modes. @returns its responses, in a sandbox and without one */
async function both(code: string, payload?: unknown, input = {}): Promise<[unknown, unknown]> {
  const results: unknown[] = [];
  for (const mode of ['required', 'off']) {
    const test = started.get(mode)!;
    const name = await test.define({ 'index.js': `exports.handler = async (event) => { ${code} };` }, input);
    results.push((await test.invoke(name, payload)).payload);
  }
  return results as [unknown, unknown];
}

describe.skipIf(refusal !== undefined)('functions in sandboxes', () => {
  let test: RunningTest;
  beforeAll(() => {
    test = started.get('required')!;
  });
  const layer = async (files: Parameters<typeof zipOf>[0]): Promise<string> => {
    const Content = { ZipFile: zipOf(files) };
    return (await test.lambda.publishLayerVersion({ LayerName: 'layer', Content })).LayerVersionArn!;
  };

  // https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
  it("have AWS's paths", async () => {
    const code = `const { env } = process;
      return [__filename, process.cwd(), env.LAMBDA_TASK_ROOT, env.LAMBDA_RUNTIME_DIR, env.LD_LIBRARY_PATH, env.NODE_PATH, env.PATH,
        new Error('x').stack.split('\\n')[1].trim(), require('node:os').userInfo().username];`;
    const [paths] = await both(code, undefined, { Runtime: 'nodejs20.x' });
    expect(paths).toEqual([
      '/var/task/index.js',
      '/var/task',
      '/var/task',
      '/var/runtime',
      '/lib64:/usr/lib64:/var/runtime:/var/runtime/lib:/var/task:/var/task/lib:/opt/lib',
      expect.stringMatching(
        /^\/opt\/nodejs\/node20\/node_modules:\/opt\/nodejs\/node_modules:\/var\/runtime\/node_modules:/,
      ),
      '/var/lang/bin:/usr/local/bin:/usr/bin:/bin:/opt/bin',
      expect.stringContaining('/var/task/index.js:'),
      'sbx_user1051',
    ]);
  });

  it('run programs of layers that name /opt, and the interpreter by its name', async () => {
    const Layers = [
      await layer({
        'awscli/aws': executable('#!/usr/bin/env node\nconsole.log(__filename, process.argv.slice(2).join());\n'),
        'tool/run': executable('#!/bin/sh\ncat /opt/tool/data\n'),
        'tool/data': 'data',
      }),
    ];
    const code = `const { execFileSync } = require('node:child_process');
      exports.handler = async () => [execFileSync('/opt/awscli/aws', ['s3', 'ls']), execFileSync('/opt/tool/run')].map(String);`;
    const name = await test.define({ 'index.js': code }, { Layers });
    expect((await test.invoke(name)).payload).toEqual(['/opt/awscli/aws s3,ls\n', 'data']);
  });

  it('have a /tmp of their own that warm invocations share, of the configured size', async () => {
    const code = `const fs = require('node:fs');
      exports.handler = async () => {
        const before = fs.readdirSync('/tmp');
        fs.writeFileSync('/tmp/mine', 'x');
        const { blocks, bsize } = fs.statfsSync('/tmp');
        return [before, blocks * bsize / 2 ** 20, process.env.TMPDIR ?? null];
      };`;
    const name = await test.define({ 'index.js': code }, { EphemeralStorage: { Size: 600 } });
    expect((await test.invoke(name)).payload).toEqual([[], 600, null]);
    expect((await test.invoke(name)).payload).toEqual([['mine'], 600, null]);
    await test.emulator.control('POST', `/_emulator/lambda/${name}/evict-container`);
    expect((await test.invoke(name)).payload).toEqual([[], 600, null]);
    expect(existsSync('/tmp/mine')).toBe(false);
  });

  it('share /tmp with their extensions', async () => {
    const script = `#!/bin/sh
exec node -e '
const http = require("node:http");
const [host, port] = process.env.AWS_LAMBDA_RUNTIME_API.split(":");
const call = (method, path, headers, body) => new Promise((resolve) => http.request({ host, port, method, path, headers }, (r) => { r.resume(); r.on("end", () => resolve(r.headers)); }).end(body));
(async () => {
  require("node:fs").writeFileSync("/tmp/from-extension", process.cwd());
  const headers = await call("POST", "/2020-01-01/extension/register", { "Lambda-Extension-Name": "one" }, JSON.stringify({ events: ["INVOKE", "SHUTDOWN"] }));
  for (;;) await call("GET", "/2020-01-01/extension/event/next", { "Lambda-Extension-Identifier": headers["lambda-extension-identifier"] });
})();'
`;
    const Layers = [await layer({ 'extensions/one': executable(script) })];
    const code = `exports.handler = async () => require('node:fs').readFileSync('/tmp/from-extension', 'utf8');`;
    expect((await test.invoke(await test.define({ 'index.js': code }, { Layers }))).payload).toBe('/var/task');
  });

  it('run wrappers and custom runtimes by their paths', async () => {
    const Layers = [await layer({ wrapper: executable('#!/bin/sh\nexport WRAPPED="$0"\nexec "$@"\n') })];
    const wrapped = await test.define(
      { 'index.js': 'exports.handler = async () => process.env.WRAPPED;' },
      { Layers, Environment: { Variables: { AWS_LAMBDA_EXEC_WRAPPER: '/opt/wrapper' } } },
    );
    expect((await test.invoke(wrapped)).payload).toBe('/opt/wrapper');
    const custom = await test.define(
      { bootstrap: executable('#!/bin/sh\necho "$0 $PWD $LAMBDA_RUNTIME_DIR"; ls -d /root /home /work; exit 3\n') },
      { Runtime: 'provided.al2023', Handler: 'x' },
    );
    const { log, payload } = await test.invoke(custom);
    expect(log).toContain('/var/task/bootstrap /var/task /var/runtime\n');
    expect(payload).toMatchObject({ errorMessage: expect.stringContaining('exit status 3') });
    const missing = await test.define(
      { 'index.js': '' },
      { Environment: { Variables: { AWS_LAMBDA_EXEC_WRAPPER: '/opt/none' } } },
    );
    expect((await test.invoke(missing)).payload).toMatchObject({ errorType: 'Runtime.InvalidEntrypoint' });
  });

  it('find packages of layers and of the runtime in the order of NODE_PATH, as ES modules and CommonJS', async () => {
    const Layers = [
      await layer({
        'nodejs/node_modules/plain/index.js': 'module.exports = __filename;',
        'nodejs/node_modules/both/index.js': 'module.exports = "any version";',
        'nodejs/node20/node_modules/both/index.js': 'module.exports = "version 20";',
        'nodejs/node_modules/@aws-sdk/of-layer/index.js': 'module.exports = "scope";',
      }),
    ];
    const code = `import plain from 'plain'; import both from 'both'; import scoped from '@aws-sdk/of-layer';
      import { createRequire } from 'node:module'; import { SQSClient } from '@aws-sdk/client-sqs';
      const require = createRequire(import.meta.url);
      export const handler = async () => [plain, both, scoped, require('plain'), require('both'), typeof SQSClient, require('@aws-sdk/client-sqs').SQSClient === SQSClient || 'two formats'];`;
    const name = await test.define({ 'index.mjs': code }, { Layers, Runtime: 'nodejs20.x' });
    const file = '/opt/nodejs/node_modules/plain/index.js';
    expect((await test.invoke(name)).payload).toEqual([
      file,
      'version 20',
      'scope',
      file,
      'version 20',
      'function',
      expect.anything(),
    ]);
  });

  it.skipIf(!python)('run Python with its packages', async () => {
    const code = `import os, sys, subprocess
def handler(event, context):
    if event: raise ValueError('x')
    return [__file__, sys.path[0], subprocess.check_output(['python', '-c', 'print(1)']).decode(), os.environ['PYTHONPATH']]
`;
    const name = await test.define({ 'app.py': code }, { Runtime: 'python3.12', Handler: 'app.handler' });
    expect((await test.invoke(name)).payload).toEqual([
      '/var/task/app.py',
      '/var/task',
      '1\n',
      '/var/runtime:/opt/python:/opt/python/lib/python3.12/site-packages',
    ]);
    const { stackTrace } = (await test.invoke(name, 1)).payload as { stackTrace: string[] };
    expect(stackTrace[0]).toContain('File "/var/task/app.py", line 3');
  });

  it('run code of a directory at its own path, with the packages above it and behind its links', async () => {
    const project = join(work, 'project');
    const directory = join(project, 'packages', 'fn');
    mkdirSync(join(project, 'node_modules', 'above'), { recursive: true });
    mkdirSync(join(work, 'elsewhere', 'node_modules', 'linked'), { recursive: true });
    mkdirSync(join(directory, 'node_modules'), { recursive: true });
    writeFileSync(join(project, 'package.json'), '{"type":"module"}');
    writeFileSync(join(project, 'secret.txt'), 'secret');
    writeFileSync(join(project, 'node_modules/above/package.json'), '{"main":"index.js","type":"commonjs"}');
    writeFileSync(join(project, 'node_modules/above/index.js'), 'module.exports = "above";');
    writeFileSync(join(work, 'elsewhere/node_modules/linked/index.js'), 'module.exports = "linked";');
    symlinkSync('../../../../elsewhere/node_modules/linked', join(directory, 'node_modules/linked'));
    const code = `import above from 'above'; import linked from 'linked'; import { existsSync } from 'node:fs';
      export const handler = async () => [above, linked, import.meta.url, existsSync('/var/task/index.js'), existsSync(${JSON.stringify(join(project, 'secret.txt'))})];`;
    writeFileSync(join(directory, 'index.js'), code);
    const name = await test.create('directory', { Code: { S3Bucket: 'hot-reload', S3Key: directory } });
    const url = `file://${join(directory, 'index.js')}`;
    expect((await test.invoke(name)).payload).toEqual(['above', 'linked', url, true, false]);
  });

  it('end with their processes at a timeout, even after a double fork', async () => {
    const code = `const { spawn } = require('node:child_process');
      exports.handler = async () => {
        spawn('setsid', ['sh', '-c', 'setsid env -i sleep ${NAP} &'], { stdio: 'ignore', detached: true, env: { PATH: '/usr/bin:/bin' } }).unref();
        await new Promise(() => setInterval(() => {}, 1000));
      };`;
    const name = await test.define({ 'index.js': code }, { Timeout: 1 });
    const invoked = test.invoke(name);
    await until(() => sleepers() > 0);
    expect((await invoked).payload).toMatchObject({ errorType: 'Sandbox.Timedout' });
    await until(() => sleepers() === 0);
  });

  it('end with a killed emulator', async () => {
    const dataPath = mkdtempSync(join(tmpdir(), 'emu-test-'));
    const program = join(import.meta.dirname, 'programs', 'server.ts');
    const values = { EMULATOR_LAMBDA_BACKEND: 'process', EMULATOR_LAMBDA_SANDBOX: 'required' };
    const server = await startServerProcess(program, dataPath, values);
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    const lambda = new Lambda({ endpoint: server.url, region: 'us-east-1', credentials, maxAttempts: 1 });
    try {
      const code = `exports.handler = async () => { require('node:child_process').spawn('sleep', ['${NAP}'], { detached: true, stdio: 'ignore', env: {} }).unref(); };`;
      await lambda.createFunction({ ...BASE, FunctionName: 'fn', Code: { ZipFile: zipOf({ 'index.js': code }) } });
      await lambda.invoke({ FunctionName: 'fn' });
      expect(sleepers()).toBe(1);
      await server.kill();
      await until(() => sleepers() === 0);
    } finally {
      lambda.destroy();
      await server.kill();
      rmSync(dataPath, { recursive: true, force: true });
    }
  });
});

describe.skipIf(refusal !== undefined)('stack traces of functions', () => {
  it('have the paths of AWS with and without a sandbox', async () => {
    const code = `const error = new Error('thrown'); console.error(error); throw error;`;
    for (const test of started.values()) {
      const name = await test.define({ 'index.js': `exports.handler = async () => { ${code} };` });
      const { payload, log } = await test.invoke(name);
      expect((payload as { trace: string[] }).trace[1]).toMatch(/at .*handler \(\/var\/task\/index\.js:1:\d+\)/);
      expect(log.match(/\/var\/task\/index\.js:1/g)).toHaveLength(2);
      const module = await test.define({ 'index.mjs': `import 'none'; export const handler = () => 1;` });
      const { errorMessage } = (await test.invoke(module)).payload as { errorMessage: string };
      expect(errorMessage).toContain("Cannot find package 'none' imported from /var/task/index.mjs");
    }
  });
});

describe.skipIf(refusal !== undefined)('attacks that succeed only without a sandbox', () => {
  const TRY = `const fs = require('node:fs');
    const attempt = (run) => { try { run(); return 'done'; } catch (error) { return error.code ?? error.message; } };`;

  it('reading files: home directories, code of others, data of emu, environments of processes', async () => {
    const data = join(work, 'data.json');
    writeFileSync(data, '{}');
    const secrets = mkdtempSync(join(homedir(), '.emu-test-'));
    const paths = [secrets, data, import.meta.filename, `/proc/${process.pid}/environ`, '/etc/passwd-', '/var/log'];
    // The directory with the code of all functions of an emulator.
    const [, packages] = await both('return require("node:path").dirname(__dirname);');
    const readable = [...paths, packages as string].filter((path) => existsSync(path));
    const code = `${TRY} return event.map((path) => attempt(() => fs.statSync(path).isDirectory() ? fs.readdirSync(path) : fs.readFileSync(path)));`;
    const [inside, outside] = await both(code, readable).finally(() => rmSync(secrets, { recursive: true }));
    expect(inside).toEqual(readable.map(() => 'ENOENT'));
    expect(outside).toEqual(readable.map(() => 'done'));
    expect(readable).toContain(packages);
  });

  it('naming a program of the machine as the wrapper, whose directory is not visible', async () => {
    const directory = mkdtempSync(join(homedir(), '.emu-test-'));
    const wrapper = join(directory, 'run');
    writeFileSync(wrapper, '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
    const Environment = { Variables: { AWS_LAMBDA_EXEC_WRAPPER: wrapper } };
    const code = `return require('node:fs').readdirSync('${directory}');`;
    const [inside, outside] = await both(code, 1, { Environment }).finally(() =>
      rmSync(directory, { recursive: true }),
    );
    expect(inside).toMatchObject({ errorType: 'Runtime.InvalidEntrypoint' });
    expect(outside).toEqual(['run']);
  });

  it('making the sandbox fail, after which a function does not run', async () => {
    const directory = join(work, 'two\nlines');
    mkdirSync(directory);
    writeFileSync(join(directory, 'index.js'), 'exports.handler = async () => 1;');
    await using auto = await startRunning({
      settings: { values: { EMULATOR_LAMBDA_BACKEND: 'process', EMULATOR_HOT_RELOAD_ROOT: work } },
    });
    const name = await auto.create('failing', { Code: { S3Bucket: 'hot-reload', S3Key: directory } });
    await expect(auto.invoke(name)).rejects.toMatchObject({
      name: 'InvalidRuntimeException',
      message: expect.stringContaining('EMULATOR_LAMBDA_SANDBOX=off'),
    });
  });

  it('writing files outside of /tmp', async () => {
    const paths = [join(work, 'written'), join(homedir(), `.emu-test-${process.pid}`)];
    const code = `${TRY} return event.map((path) => attempt(() => { fs.writeFileSync(path, 'x'); fs.unlinkSync(path); }));`;
    const [inside, outside] = await both(code, paths);
    // Directories above visible files exist, read-only.
    expect(inside).toEqual(['ENOENT', expect.stringMatching(/^(ENOENT|EROFS)$/)]);
    expect(outside).toEqual(['done', 'done']);
    const own = `${TRY} return [__filename, process.env.LAMBDA_RUNTIME_DIR + '/x'].map((path) => attempt(() => fs.appendFileSync(path, '//')));`;
    expect(await both(own)).toEqual([
      ['EROFS', 'EROFS'],
      ['done', 'done'],
    ]);
  });

  it('do not include the ports of emu, which it has in both modes', async () => {
    const code = `const { port } = new URL(process.env.AWS_ENDPOINT_URL);
      const server = require('node:net').createServer();
      return new Promise((resolve) => server.once('error', (error) => resolve(error.code)).listen(port, '127.0.0.1', () => server.close(() => resolve('done'))));`;
    expect(await both(code)).toEqual(['EADDRINUSE', 'EADDRINUSE']);
  });

  it('signals to processes of the machine, and more space in /tmp', async () => {
    const code = `${TRY} return [attempt(() => process.kill(event, 0)), require('node:child_process').spawnSync('fallocate', ['-l', '600M', '/tmp/emu-test-${process.pid}']).status, attempt(() => fs.rmSync('/tmp/emu-test-${process.pid}'))];`;
    const [inside, outside] = await both(code, process.pid);
    expect(inside).toEqual(['ESRCH', 1, 'done']);
    expect(outside).toEqual(['done', 0, 'done']);
  });
});
