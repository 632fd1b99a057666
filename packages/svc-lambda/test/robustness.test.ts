import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Lambda } from '@aws-sdk/client-lambda';
import { residentBytes, type ServerProcess, startServerProcess, zipOf } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningTest, startRunning } from './running.ts';
import { BASE, failureOf } from './support.ts';

/** Functions report the process ids of the machine. Those in sandboxes have ids of their own: see sandbox.test.ts. */
const SETTINGS = { EMULATOR_LAMBDA_SANDBOX: 'off' } as const;

let test: RunningTest;
beforeAll(async () => {
  test = await startRunning({ settings: { values: SETTINGS } });
});
afterAll(() => test[Symbol.asyncDispose]());

/** Whether a process runs; zombies do not count. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 300 && !condition(); attempt++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(condition()).toBe(true);
}

/** Runs a case against an emulator in a separate process. */
async function withServer(run: (lambda: Lambda, server: ServerProcess) => Promise<void>): Promise<void> {
  const dataPath = mkdtempSync(join(tmpdir(), 'emu-test-'));
  const server = await startServerProcess(join(import.meta.dirname, 'programs', 'server.ts'), dataPath, SETTINGS);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const lambda = new Lambda({ endpoint: server.url, region: 'us-east-1', credentials, maxAttempts: 1 });
  try {
    await run(lambda, server);
  } finally {
    lambda.destroy();
    await server.kill();
    rmSync(dataPath, { recursive: true, force: true });
  }
}

describe('misbehaving code', () => {
  it('may flood its output: the log keeps its tail, memory stays bounded', async () => {
    // Memory is measured in a separate process, without garbage of other tests.
    await withServer(async (lambda, { pid }) => {
      const code = `exports.handler = async () => { const line = 'x'.repeat(1000); for (let i = 0; i < 100_000; i++) console.log(i, line); return 'done'; };`;
      const ZipFile = zipOf({ 'index.js': code });
      await lambda.createFunction({ ...BASE, FunctionName: 'flood', Timeout: 60, Code: { ZipFile } });
      const before = residentBytes(pid);
      const { Payload, LogResult } = await lambda.invoke({ FunctionName: 'flood', LogType: 'Tail' });
      expect(Payload!.transformToString()).toBe('"done"');
      const log = Buffer.from(LogResult!, 'base64').toString();
      expect(log).toHaveLength(4096);
      expect(log).toMatch(/INFO\t99999 x+\nEND RequestId: .*\nREPORT /s);
      expect(residentBytes(pid) - before).toBeLessThan(150e6);
    });
  });

  it('may write an endless line', async () => {
    const name = await test.define(
      {
        'index.js': `exports.handler = async () => { for (let i = 0; i < 50; i++) require('fs').writeSync(1, Buffer.alloc(1_000_000, 'y')); return 1; };`,
      },
      { Timeout: 60 },
    );
    const { payload, log } = await test.invoke(name);
    expect(payload).toBe(1);
    expect(log).toMatch(/y\nEND RequestId/);
  });

  it('may ignore SIGTERM and start processes: all end with the environment', async () => {
    const name = await test.define({
      'index.js': `const { spawn } = require('node:child_process');
        process.on('SIGTERM', () => {});
        exports.handler = async () => {
          const child = spawn('sleep', ['1003'], { stdio: 'ignore' });
          const escaped = spawn('sleep', ['1004'], { stdio: 'ignore', detached: true });
          escaped.unref(); child.unref();
          return [process.pid, child.pid, escaped.pid, process.env.TMPDIR];
        };`,
    });
    const [temporary, ...pids] = ((await test.invoke(name)).payload as [...number[], string]).reverse() as [
      string,
      ...number[],
    ];
    expect(pids.every(isRunning)).toBe(true);
    expect(existsSync(temporary)).toBe(true);
    await test.emulator.control('POST', `/_emulator/lambda/${name}/evict-container`);
    expect(pids.filter(isRunning)).toEqual([]);
    expect(existsSync(temporary)).toBe(false);
  });

  it('may exceed its memory', async () => {
    const name = await test.define(
      {
        'index.js':
          'exports.handler = async () => { const all = []; for (;;) { all.push(Buffer.alloc(10e6, 1)); await new Promise((r) => setTimeout(r, 5)); } };',
      },
      { Timeout: 60, MemorySize: 128 },
    );
    const { payload, log } = await test.invoke(name);
    expect(payload).toEqual({
      errorType: 'Runtime.OutOfMemory',
      errorMessage: expect.stringMatching(/^RequestId: \S+ Error: Runtime exited with error: signal: killed$/),
    });
    expect(log).toContain('Max Memory Used: 128 MB');
  });

  it('may exit between invocations', async () => {
    const name = await test.define({
      'index.js':
        'exports.handler = async (ms) => { if (ms) setTimeout(() => process.exit(3), ms); return process.pid; };',
    });
    const first = (await test.invoke(name, 20)).payload as number;
    await until(() => !isRunning(first));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const second = await test.invoke(name, 0);
    expect(second.FunctionError).toBeUndefined();
    expect(second.payload).not.toBe(first);
  });

  it('may respond twice, or without an invocation', async () => {
    const name = await test.define({
      'index.js': `const http = require('node:http');
        const post = (path) => new Promise((resolve) => {
          const [hostname, port] = process.env.AWS_LAMBDA_RUNTIME_API.split(':');
          http.request({ hostname, port, path, method: 'POST', agent: false }, (r) => { r.resume(); r.on('end', () => resolve(r.statusCode)); }).end('"early"');
        });
        exports.handler = async (event, context) => {
          const statuses = [await post('/elsewhere'), await post('/2018-06-01/runtime/invocation/none/response')];
          await post('/2018-06-01/runtime/invocation/' + context.awsRequestId + '/response');
          console.log(statuses.join());
          return 'late';
        };`,
    });
    for (let turn = 0; turn < 2; turn++) {
      const { payload, log } = await test.invoke(name);
      expect(payload).toBe('early');
      expect(log).toContain('404,400');
    }
  });
});

describe('packages', () => {
  it('cannot write outside of their directory, even through links', async () => {
    const link = (content: string) => ({ content, mode: 0o120777 });
    const handler = 'exports.handler = async () => require("node:fs").readFileSync("inner/file", "utf8");';
    const layerOf = async (files: Parameters<typeof zipOf>[0], LayerName = 'layer') => {
      const Content = { ZipFile: zipOf(files) };
      return (await test.lambda.publishLayerVersion({ LayerName, Content })).LayerVersionArn!;
    };
    const outside = { '../escape.txt': 'x', 'index.js': handler };
    const unreadable = /^InvalidParameterValueException: Could not unzip uploaded file/;
    expect(await failureOf(test.define(outside))).toMatch(unreadable);
    expect(await failureOf(layerOf(outside))).toMatch(unreadable);
    const inside = await test.define({ 'index.js': handler, 'real/file': 'linked', inner: link('real') });
    expect((await test.invoke(inside)).payload).toBe('linked');
    for (const [path, target] of [
      ['out', '/tmp'],
      ['out', '../..'],
      ['a/b/up/l', '../../../../../tmp'],
      // Its text stays inside, but its target does not.
      ['out', 'a/b/up/../../../escaped/file'],
    ] as const) {
      const entries = { 'a/b/up': link('../../a'), [path]: link(target) };
      const refused = /^InvalidZipFileException: .* leads out of the package\.$/;
      const name = await test.define({ ...entries, 'index.js': handler, 'out/below': 'x' });
      expect(await failureOf(test.invoke(name))).toMatch(refused);
      // The links of one layer, and writes of the next through them.
      const Layers = [await layerOf(entries), await layerOf({ 'out/below': 'x' }, 'next')];
      const layered = await test.define({ 'index.js': handler }, { Layers });
      expect(await failureOf(test.invoke(layered))).toMatch(refused);
    }
  });

  it('are unpacked again after a change, while old ones still run', async () => {
    const name = await test.define({
      'index.js': 'exports.handler = async (ms) => { await new Promise((r) => setTimeout(r, ms)); return 1; };',
    });
    const running = test.invoke(name, 300);
    await new Promise((resolve) => setTimeout(resolve, 150));
    await test.lambda.updateFunctionCode({
      FunctionName: name,
      ZipFile: zipOf({ 'index.js': 'exports.handler = async () => 2;' }),
    });
    expect((await test.invoke(name, 0)).payload).toBe(2);
    expect((await running).payload).toBe(1);
  });
});

describe('processes that a function started in new sessions', () => {
  /**
   * Starts processes that only their ancestry identifies as emu's.
   * @returns ids of all, the function's own first
   */
  const ESCAPES = `const { spawn } = require('node:child_process');
    const { once } = require('node:events');
    exports.handler = async () => {
      const detached = spawn('/bin/sleep', ['1005'], { stdio: 'ignore', detached: true, env: {} });
      const shell = spawn('/bin/sh', ['-c', 'sleep 1006 & echo $!; wait'], { stdio: ['ignore', 'pipe', 'ignore'], detached: true, env: {} });
      const [line] = await once(shell.stdout, 'data');
      return [process.pid, detached.pid, shell.pid, Number(line)];
    };`;

  it('end with the environment', async () => {
    const name = await test.define({ 'index.js': ESCAPES });
    const pids = (await test.invoke(name)).payload as number[];
    expect(pids.filter(isRunning)).toHaveLength(4);
    await test.emulator.control('POST', `/_emulator/lambda/${name}/evict-container`);
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it('do not survive a killed emu', async () => {
    await withServer(async (lambda, server) => {
      await lambda.createFunction({ ...BASE, FunctionName: 'fn', Code: { ZipFile: zipOf({ 'index.js': ESCAPES }) } });
      const { Payload } = await lambda.invoke({ FunctionName: 'fn' });
      const pids = JSON.parse(Payload!.transformToString()) as number[];
      expect(pids.filter(isRunning)).toHaveLength(4);
      await server.kill();
      await until(() => !pids.some(isRunning));
    });
  });
});

describe('closing the emulator', () => {
  const PIDS = {
    'index.js': 'exports.handler = async (ms) => { await new Promise((r) => setTimeout(r, ms)); return process.pid; };',
  };

  it('ends busy and idle functions; a reset ends those of its account', async () => {
    const other = await startRunning({ settings: { values: SETTINGS } });
    const name = await other.define(PIDS);
    const idle = (await other.invoke(name, 0)).payload as number;
    const { status } = await other.emulator.control('POST', '/_emulator/reset/lambda/000000000000');
    expect(status).toBe(200);
    expect(isRunning(idle)).toBe(false);
    const again = await other.define(PIDS);
    const warm = (await other.invoke(again, 0)).payload as number;
    const busy = other.invoke(again, 60_000).catch((error) => error);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await other.emulator.close();
    expect(isRunning(warm)).toBe(false);
    expect(await busy).toBeDefined();
  });

  it('deleting a function ends its environments', async () => {
    const name = await test.define(PIDS);
    const pid = (await test.invoke(name, 0)).payload as number;
    await test.lambda.deleteFunction({ FunctionName: name });
    await until(() => !isRunning(pid));
  });
});
