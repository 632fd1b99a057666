import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ownContent } from '../src/persistence/lock-entry.ts';
import { temporaryDirectory } from './support/directory.ts';
import { openDiskStore } from './support/disk-store.ts';

const isLock = (name: string): boolean => /\.(lock|sock)$/.test(name);

/** Whether the test can create containers' namespaces on this machine. */
const canUnshare = ((): boolean => {
  try {
    execFileSync('unshare', ['--mount', '--pid', '--uts', '--fork', 'sh', '-c', 'hostname x && mount --bind / /mnt'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
})();

let program: string;
let programs: string;

beforeAll(async () => {
  programs = await mkdtemp(join(tmpdir(), 'emu-test-'));
  program = join(programs, 'holder.cjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'programs/holder.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    conditions: ['emu-source'],
    logLevel: 'error',
  });
});

afterAll(() => rm(programs, { recursive: true }));

/** A process that opens data directories. */
class Holder {
  private readonly lines: AsyncIterableIterator<string>;
  private readonly ended: Promise<unknown>;

  private constructor(readonly child: ChildProcessWithoutNullStreams) {
    this.lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    this.ended = once(child, 'close');
    child.stdin.on('error', () => undefined);
  }

  /** @param command command before node, e.g. to run it in a container */
  static async start(command: readonly string[], path: string, means: 'sockets' | 'files'): Promise<Holder> {
    const [file, ...args] = [...command, process.execPath, program, path, means];
    const holder = new Holder(spawn(file!, args));
    onTestFinished(() => holder.kill());
    expect(await holder.line()).toBe('ready');
    return holder;
  }

  ask(line: 'open' | 'close'): Promise<string> {
    this.child.stdin.write(`${line}\n`);
    return this.line();
  }

  /** Kills the process that holds the directory, which may be an indirect child. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  private async line(): Promise<string> {
    return String((await this.lines.next()).value);
  }
}

describe.each(['sockets', 'files'] as const)('a directory locked by %s', (means) => {
  const options = { sockets: means === 'sockets', heartbeat: 100 };

  test('belongs to one of several processes that start at once, and to the next after a kill', async () => {
    const path = await temporaryDirectory();
    let holders = await Promise.all(Array.from({ length: 4 }, () => Holder.start([], path, means)));
    while (holders.length > 1) {
      const answers = await Promise.all(holders.map((holder) => holder.ask('open')));
      const owner = holders[answers.indexOf('held')]!;
      const refused = answers.filter((answer) => answer !== 'held');
      expect(refused).toHaveLength(holders.length - 1);
      for (const answer of refused) expect(answer).toContain(`in use by process ${owner.child.pid} on `);
      await owner.kill();
      holders = holders.filter((holder) => holder !== owner);
    }
    expect(await holders[0]!.ask('open')).toBe('held');
    expect((await readdir(path)).filter(isLock)).toHaveLength(means === 'sockets' ? 2 : 1);
    expect(await holders[0]!.ask('close')).toBe('closed');
    expect((await readdir(path)).filter(isLock)).toEqual([]);
  });

  test.runIf(canUnshare)('is locked for another container with its own host name', async () => {
    const path = await temporaryDirectory();
    const mounted = await temporaryDirectory();
    const script = 'hostname elsewhere && mount --bind "$1" "$2" && shift 2 && exec "$@"';
    const container = ['unshare', '--mount', '--pid', '--uts', '--fork', '--kill-child', '--mount-proc', 'sh', '-c'];
    const inside = await Holder.start([...container, script, 'sh', path, mounted], mounted, means);
    expect(await inside.ask('open')).toBe('held');
    await expect(openDiskStore(path, options)).rejects.toThrow(/in use by process \d+ on elsewhere, since /);
    await inside.kill();
    const own = await openDiskStore(path, options);
    own.items.put('a', { value: 1 });
    await own.persistence.committed();
    const second = await Holder.start([...container, script, 'sh', path, mounted], mounted, means);
    expect(await second.ask('open')).toContain(`in use by process ${process.pid} on `);
    await own.close();
    expect(await second.ask('open')).toBe('held');
  });

  test.each([
    ['removed', (path: string) => rm(path, { recursive: true, maxRetries: 5 })],
    ['moved', (path: string) => rename(path, `${path}-moved`)],
    [
      'put in the place of',
      async (path: string) => {
        await rm(path, { recursive: true, maxRetries: 5 });
        await mkdir(path);
      },
    ],
  ])('is not written after it is %s', async (_, remove) => {
    const path = join(await temporaryDirectory(), 'data');
    const disk = await openDiskStore(path, options);
    disk.items.put('a', { value: 1 });
    await disk.persistence.committed();
    await remove(path);
    disk.items.put('b', { value: 2 });
    await expect(disk.persistence.committed()).rejects.toThrow(`${path} was removed, or another process has taken it`);
    expect(disk.store.congested).toBe(true);
    expect(disk.log.filter((line) => line.includes('was removed'))).toHaveLength(2);
    await expect(disk.close()).rejects.toThrow('was removed');
  });
});

test("locks a directory by a socket even if its path is too long for a socket's address", async () => {
  const path = join(await temporaryDirectory(), 'd'.repeat(100), 'e'.repeat(100));
  await using _disk = await openDiskStore(path);
  expect((await readdir(path)).filter((name) => name.endsWith('.sock'))).toHaveLength(1);
  await expect(openDiskStore(path)).rejects.toThrow(`in use by process ${process.pid}`);
});

describe('the lock of a process of another machine', () => {
  const heartbeat = 50;
  const entry = async (path: string): Promise<string> => {
    const content = { ...(await ownContent(path)), kernel: 'another', realm: 'another', host: 'far', holds: true };
    const file = join(path, 'emulator.0123456789abcdef.lock');
    await writeFile(file, JSON.stringify(content));
    return file;
  };

  test('is valid while it is touched', async () => {
    const path = await temporaryDirectory();
    const file = await entry(path);
    const touching = setInterval(() => void utimes(file, new Date(), new Date()), heartbeat / 2);
    try {
      await expect(openDiskStore(path, { heartbeat })).rejects.toThrow('on far, since');
    } finally {
      clearInterval(touching);
    }
  });

  test('is invalid after the touches stop', async () => {
    const path = await temporaryDirectory();
    await utimes(await entry(path), new Date(0), new Date(0));
    const first = await openDiskStore(path);
    expect(first.log.join()).toContain('of another machine or container, which has ended');
    await first.close();
    await entry(path);
    await (await openDiskStore(path, { heartbeat })).close();
    expect((await readdir(path)).filter(isLock)).toEqual([]);
  });
});
