import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, defaultSettings } from '@emu/core';
import type { ContainerRuntime, ContainerSpec } from '@emu/core/service';
import { ContainerError, type ContainerInstance } from '@emu/core/service';
import { afterEach, describe, expect, it } from 'vitest';
import { DriverContainers } from '../src/backends.ts';
import { openProcessRuntime } from '../src/process/runtime.ts';

const opened: ContainerRuntime[] = [];
afterEach(async () => {
  for (const runtime of opened.splice(0)) await runtime.close();
});

async function runtimeOf(): Promise<ContainerRuntime> {
  const runtime = await openProcessRuntime();
  opened.push(runtime);
  return runtime;
}

const PATH = process.env.PATH ?? '/usr/bin:/bin';
const spec = (script: string, more: Partial<ContainerSpec> = {}): ContainerSpec => ({
  service: 'lambda',
  name: 'test',
  entrypoint: ['/bin/sh', '-c', script],
  environment: { PATH },
  ...more,
});

/** Whether a process runs. Zombies do not count. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 500 && !condition(); attempt++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(condition()).toBe(true);
}

/** Lines of a process that prints ids. */
async function idsOf(instance: ContainerInstance, count: number): Promise<number[]> {
  let ids: number[] = [];
  await (async () => {
    for (let attempt = 0; attempt < 500; attempt++) {
      ids = (await instance.logs()).toString().trim().split('\n').filter(Boolean).map(Number);
      if (ids.length >= count) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  expect(ids).toHaveLength(count);
  return ids;
}

describe('processes as instances', () => {
  it('run in their own directory with exactly the given environment, and report their exit', async () => {
    const runtime = await runtimeOf();
    const chunks: string[] = [];
    const instance = await runtime.start(
      spec('pwd; env | cut -d= -f1 | sort | tr "\\n" " "; echo oops >&2; exit 3', {
        environment: { PATH, GREETING: 'hello' },
        onOutput: (chunk, stream) => chunks.push(`${stream}:${Buffer.from(chunk)}`),
      }),
    );
    expect(instance.id).toMatch(/^process-\d+$/);
    const { directory } = instance;
    expect(await instance.exited).toEqual({ code: 3, signal: undefined, outOfMemory: false });
    const output = (await instance.logs()).toString();
    expect(output).toContain(`${directory}\n`);
    expect(output).toContain('EMU_PROCESSES GREETING PATH PWD TMPDIR');
    expect(output).not.toContain('HOME');
    expect(chunks).toContain('stderr:oops\n');
    expect(existsSync(directory!)).toBe(false);
  });

  it('fail with a clear error if the command does not exist', async () => {
    const runtime = await runtimeOf();
    await expect(
      runtime.start({ service: 'lambda', name: 'test', command: ['/no/such/program'], environment: {} }),
    ).rejects.toThrow(
      new ContainerError('command', '/no/such/program cannot be started: spawn /no/such/program ENOENT'),
    );
    await expect(runtime.start({ service: 'lambda', name: 'test', environment: {} })).rejects.toThrow(ContainerError);
  });

  it('that ignore SIGTERM are killed with their descendants, including those that left their group', async () => {
    const runtime = await runtimeOf();
    const instance = await runtime.start(
      spec(
        'trap "" TERM; echo $$; sleep 1000 & echo $!; setsid sleep 1001 & sleep 0.2; pgrep -n -f "^sleep 1001$"; wait',
      ),
    );
    const ids = await idsOf(instance, 3);
    expect(ids.every(isRunning)).toBe(true);
    const exit = await instance.stop({ grace: 100 });
    expect(exit.signal).toBe('SIGKILL');
    expect(ids.filter(isRunning)).toEqual([]);
  });

  it('are killed with descendants that left their group and cleared their environment', async () => {
    const runtime = await runtimeOf();
    const instance = await runtime.start(
      spec('cd /; env -i setsid sh -c "echo \\$\\$; sleep 1003 & echo \\$!; wait" & wait'),
    );
    const ids = await idsOf(instance, 2);
    expect(ids.every(isRunning)).toBe(true);
    await instance.stop({ grace: 0 });
    expect(ids.filter(isRunning)).toEqual([]);
  });

  it('are killed with descendants that left immediately and removed all their marks', async () => {
    const runtime = await runtimeOf();
    const instance = await runtime.start(spec(`${escaping(`1005.${RUN}`)}; sleep 1000 & echo $!; wait`));
    const ids = await idsOf(instance, 2);
    expect(ids.every(isRunning)).toBe(true);
    await instance.stop({ grace: 0 });
    expect(ids.filter(isRunning)).toEqual([]);
  });

  it('keep a bounded part of a flood of output', async () => {
    const runtime = await runtimeOf();
    const instance = await runtime.start(spec('yes x | head -c 20000000; echo end', { limits: { output: 10_000 } }));
    await instance.exited;
    const kept = await instance.logs();
    expect(kept).toHaveLength(10_000);
    expect(kept.toString().endsWith('x\nend\n')).toBe(true);
  });

  it('above their memory limit are killed', async () => {
    const runtime = await runtimeOf();
    const instance = await runtime.start({
      service: 'lambda',
      name: 'test',
      command: [process.execPath, '-e', 'const kept = []; setInterval(() => kept.push(Buffer.alloc(20e6, 1)), 5)'],
      environment: {},
      limits: { memory: 150e6 },
    });
    expect(await instance.exited).toEqual({ code: undefined, signal: 'SIGKILL', outOfMemory: true });
    expect(instance.peakMemory()).toBeGreaterThan(150e6);
  });

  it('run additional commands and accept input', async () => {
    const runtime = await runtimeOf();
    const instance = await runtime.start(spec('read line; echo "got $line"; sleep 1000', { input: true }));
    await instance.write('this\n');
    const result = await instance.exec(['/bin/sh', '-c', 'cat; echo err >&2; exit 4'], { input: 'in' });
    expect(result).toEqual({ code: 4, stdout: Buffer.from('in'), stderr: Buffer.from('err\n') });
    await expect(instance.exec(['/no/such'])).rejects.toThrow('ENOENT');
    await until(() => existsSync(instance.directory!));
    await expect.poll(async () => (await instance.logs()).toString(), { timeout: 10_000 }).toBe('got this\n');
    expect((await runtime.list()).map(({ id }) => id)).toEqual([instance.id]);
    expect(await runtime.list({ a: 'b' })).toEqual([]);
    await runtime.close();
    expect(await runtime.list()).toEqual([]);
    await expect(runtime.start(spec('true'))).rejects.toThrow('closing');
  });
});

/** Decimals that distinguish this run's `sleep` commands from those of others. */
const RUN = process.pid;

/** Shell commands that print the id of a `sleep` once it runs. */
const found = (seconds: string): string => `until pgrep -n -f "^sleep ${seconds}$"; do sleep 0.05; done`;

/**
 * Shell commands that start a program whose parent has ended and that has its own session, an empty environment, its
 * own files and another working directory; prints its id.
 */
const escaping = (seconds: string): string =>
  `(cd /; env -i setsid sleep ${seconds} </dev/null >/dev/null 2>&1 &); ${found(seconds)}`;

const PROGRAM = `
  import { openProcessRuntime } from ${JSON.stringify(join(import.meta.dirname, '../src/process/runtime.ts'))};
  const runtime = await openProcessRuntime();
  const instance = await runtime.start({
    service: 'lambda', name: 'test', environment: { PATH: process.env.PATH },
    entrypoint: ['/bin/sh', '-c', 'trap "" TERM HUP; echo $$; sleep 1000 & echo $!; setsid sleep 1002.${RUN} & (env -i setsid sleep 1004.${RUN} &); ${found(`1002.${RUN}`)}; ${found(`1004.${RUN}`)}; ${escaping(`1006.${RUN}`)}; wait'],
  });
  const lines = async () => (await instance.logs()).toString().trim().split('\\n');
  while ((await lines()).length < 5) await new Promise((resolve) => setTimeout(resolve, 20));
  console.log(JSON.stringify({ ids: (await lines()).map(Number), directory: instance.directory }));
  setInterval(() => {}, 1000);
`;

/** Awaits the end of a runtime at its top level, where node ends with status 13 if nothing else is left to wait for. */
const CLOSING = `
  import { openProcessRuntime } from ${JSON.stringify(import.meta.resolve('../src/process/runtime.ts'))};
  const runtime = await openProcessRuntime();
  const instance = await runtime.start({
    service: 'lambda',
    name: 'test',
    entrypoint: ['/bin/sh', '-c', 'exit 0'],
    environment: { PATH: process.env.PATH },
  });
  await instance.exited;
  await runtime.close();
  console.log('closed');
`;

describe('a program that closes its emulator', () => {
  it('does not end before the processes have been cleaned up', async () => {
    const work = mkdtempSync(join(tmpdir(), 'emu-test-'));
    try {
      const file = join(work, 'program.mts');
      writeFileSync(file, CLOSING);
      const child = spawn(process.execPath, ['--conditions=emu-source', '--import', import.meta.resolve('tsx'), file], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      child.stdout.on('data', (chunk) => {
        output += chunk;
      });
      const code = await new Promise((resolve) => child.once('close', resolve));
      expect({ code, output }).toEqual({ code: 0, output: 'closed\n' });
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  });
});

describe('a killed emulator', () => {
  it('leaves no process and no directory', async () => {
    const work = mkdtempSync(join(tmpdir(), 'emu-test-'));
    const file = join(work, 'program.mts');
    writeFileSync(file, PROGRAM);
    const child = spawn(process.execPath, ['--conditions=emu-source', '--import', import.meta.resolve('tsx'), file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = await new Promise<Buffer[]>((resolve) =>
        child.stdout.once('data', (...args) => resolve(args as Buffer[])),
      );
      const { ids, directory } = JSON.parse(line!.toString()) as { ids: number[]; directory: string };
      expect(ids).toHaveLength(5);
      expect(ids.every(isRunning)).toBe(true);
      child.kill('SIGKILL');
      await until(() => !ids.some(isRunning));
      await until(() => !existsSync(join(directory, '..')));
    } finally {
      child.kill('SIGKILL');
      rmSync(work, { recursive: true, force: true });
    }
  });

  it('with a killed watchdog leaves processes that the next emulator removes', async () => {
    const home = mkdtempSync(join(tmpdir(), 'emu-processes-'));
    const gone = spawn('/bin/true');
    await new Promise((resolve) => gone.once('close', resolve));
    const { ownIdentity } = await import('@emu/core');
    writeFileSync(
      join(home, 'owner.json'),
      JSON.stringify({ identity: { ...ownIdentity(), pid: gone.pid }, run: 'r-test' }),
    );
    const left = spawn('sleep', ['1000'], { env: { PATH, EMU_PROCESSES: 'r-test/1' }, detached: true });
    const runtime = await runtimeOf();
    expect(await runtime.removeLeftovers()).toBe(1);
    expect(existsSync(home)).toBe(false);
    await until(() => left.signalCode === 'SIGKILL');
  });
});

describe('the backend', () => {
  const choose = (values: Record<string, string>, lines: string[], docker?: () => Promise<never>) =>
    new DriverContainers(
      {
        settings: { ...defaultSettings(), values: { ...defaultSettings().values, ...values } },
        log: createLogger({ level: 'info', format: 'text', write: (line) => lines.push(line) }),
      },
      { process: async () => openProcessRuntime, ...(docker && { docker: async () => docker }) },
    );

  it('is process for functions if no engine responds, which is logged once', async () => {
    const lines: string[] = [];
    const containers = choose({}, lines, () => Promise.reject(new ContainerError('unavailable', 'no engine')));
    expect((await containers.of('lambda', { processes: true })).backend).toBe('process');
    expect(await containers.of('lambda', { processes: true })).toBe(await containers.of('lambda', { processes: true }));
    expect(lines.map((line) => line.slice(13))).toEqual([
      'INFO  no engine; lambda runs code as processes of this machine\n',
    ]);
    await expect(containers.of('rds')).rejects.toThrow('no engine');
    await containers.close();
    await expect(containers.of('rds')).rejects.toThrow('closing');
  });

  it('is set by the settings, with those of the service first', async () => {
    const containers = choose({ EMULATOR_LAMBDA_BACKEND: 'process', EMULATOR_CONTAINER_BACKEND: 'docker' }, [], () =>
      Promise.reject(new ContainerError('unavailable', 'no engine')),
    );
    expect((await containers.of('lambda', { processes: true })).backend).toBe('process');
    await expect(containers.of('ecs')).rejects.toThrow('no engine');
    await containers.close();
  });
});
