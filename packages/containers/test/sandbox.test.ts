import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { release, tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ContainerInstance,
  type ContainerRuntime,
  type ContainerSandbox,
  type ContainerSpec,
  TailBuffer,
} from '@emu/core/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProcessRuntime } from '../src/process/runtime.ts';
import { isInside, MachineMounts } from '../src/process/sandbox/machine-mounts.ts';
import { processLimit } from '../src/process/sandbox/process-limit.ts';
import { MachineSupport, SandboxPool } from '../src/process/sandbox/sandbox-pool.ts';

const PATH = '/usr/bin:/bin';
/** Seconds that only the processes of this run sleep. */
const NAP = `9${process.pid}`;

const probe = await openProcessRuntime();
const refusal = await probe.sandboxes!.refusal();
await probe.close();
if (refusal) console.log(`sandboxes are not tested: ${refusal}`);

/** Commands of processes that sleep for `NAP` seconds, on the whole machine. */
function sleepers(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    })
    .filter((line) => line === `sleep\0${NAP}\0`);
}

async function until(condition: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 500 && !condition(); attempt++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(condition()).toBe(true);
}

describe.skipIf(refusal !== undefined)('a sandbox', () => {
  const work = mkdtempSync(join(tmpdir(), 'emu-test-'));
  let runtime: ContainerRuntime;
  let sandbox: ContainerSandbox;
  beforeAll(async () => {
    runtime = await openProcessRuntime();
    writeFileSync(join(work, 'code.txt'), 'code');
    writeFileSync(join(work, 'secret.txt'), 'secret');
    sandbox = await open();
  });
  afterAll(async () => {
    await runtime.close();
    rmSync(work, { recursive: true, force: true });
  });

  const open = (visible: string[] = []): Promise<ContainerSandbox> =>
    runtime.sandboxes!.open({
      mounts: [
        { type: 'directory', source: work, target: '/var/task', readOnly: true },
        { type: 'tmpfs', target: '/tmp', size: 256e6 },
      ],
      visible,
    });
  const start = (script: string, more: Partial<ContainerSpec> = {}): Promise<ContainerInstance> =>
    runtime.start({
      service: 'lambda',
      name: 'test',
      sandbox,
      workingDirectory: '/var/task',
      entrypoint: ['/bin/sh', '-c', script],
      environment: { PATH },
      ...more,
    });
  /** Runs a script. @returns exit code, signal and output */
  async function run(script: string, more: Partial<ContainerSpec> = {}) {
    const output = new TailBuffer(100_000);
    const instance = await start(script, { ...more, onOutput: (chunk) => output.add(chunk) });
    const { code, signal } = await instance.exited;
    return { code, signal, output: output.bytes().toString() };
  }

  it('contains its mounts, the programs of the machine, and nothing else', async () => {
    const { output } = await run('ls /; pwd; cat code.txt; id -u; id -un; cat /etc/hosts');
    const [directories] = output.split('/var/task\n');
    expect(directories!.split('\n').filter(Boolean)).toEqual(
      expect.arrayContaining(['bin', 'dev', 'etc', 'opt', 'proc', 'tmp', 'usr', 'var']),
    );
    expect(directories).not.toMatch(/^(home|work|root|run|srv|sys|boot)$/m);
    expect(output).toContain('/var/task\ncode993\nsbx_user1051\n');
    expect(output).toContain('127.0.0.1 sandbox.localdomain sandbox\n');
    // Mount points of paths of the machine would be visible otherwise.
    for (const path of [work, import.meta.filename, '/home', '/etc/shadow', '/var/log'])
      expect(await run(`test -e ${path}`), path).toMatchObject({ code: 1 });
  });

  it('has no process of the machine', async () => {
    const { output } = await run(`echo /proc/[0-9]*; kill -0 ${process.pid} 2>&1 || echo unknown`);
    expect(output).toContain('unknown');
    expect(output.split('\n')[0]!.split(' ').length).toBeLessThan(10);
    expect(output).not.toContain(`/proc/${process.pid} `);
  });

  it.each([
    'echo x >/usr/x',
    'echo x >/etc/x',
    'echo x >/var/task/x',
    'echo x >/x',
    'echo x >/proc/sys/kernel/core_pattern',
    'echo b >/proc/sysrq-trigger',
    'mount -t tmpfs none /tmp',
    'mount -o remount,bind,rw /usr',
    'mount -o remount,bind,rw /var/task',
    'umount /tmp',
    'umount -l /var/task',
    'unshare --user true',
    'unshare --map-root-user --mount true',
    'unshare --mount true',
    'chroot / true',
    'chroot /tmp true',
    'pivot_root . tmp',
    'mknod /tmp/disk b 8 0',
    'chown 0:0 /tmp',
    'nsenter --target 1 --mount true',
    'ls /proc/1/root/',
    'cat /proc/1/environ',
    'cat /proc/1/maps',
    'ls /proc/1/cwd/ /proc/2/root/',
    'setpriv --reuid 0 true',
    'ls /old/',
  ])('does not allow: %s', async (command) => {
    expect((await run(`${command} 2>/dev/null`)).code).not.toBe(0);
  });

  it('has no capabilities, and its first process ignores signals from inside', async () => {
    const { output } = await run('grep -E "^Cap(Inh|Prm|Eff|Amb)" /proc/self/status; kill -KILL 1; echo here');
    expect(output).toMatch(/^(Cap\w+:\t0{16}\n){4}here\n$/);
  });

  it('reports exit codes and signals of commands', async () => {
    expect(await run('exit 200')).toMatchObject({ code: 200, signal: undefined });
    expect(await run('kill -TERM $$')).toMatchObject({ code: undefined, signal: 'SIGTERM' });
    expect(await run('kill -ABRT $$')).toMatchObject({ code: undefined, signal: 'SIGABRT' });
    expect(await run('kill -KILL $$')).toMatchObject({ code: undefined, signal: 'SIGKILL' });
  });

  it('lets commands handle SIGTERM, and run others', async () => {
    const instance = await start('trap "echo bye; exit 5" TERM; echo ready; while :; do sleep 0.01; done');
    await until(() => instance.peakMemory() !== undefined);
    while (!(await instance.logs()).includes('ready')) await new Promise((resolve) => setTimeout(resolve, 5));
    const { stdout } = await instance.exec(['/bin/cat', '/var/task/code.txt']);
    expect(stdout.toString()).toBe('code');
    expect(await instance.stop({ grace: 10_000 })).toMatchObject({ code: 5 });
    expect((await instance.logs()).toString()).toMatch(/^ready\n(Terminated\n)?bye\n$/);
  });

  it('passes variables unchanged, which do not affect the programs that enter it', async () => {
    const odd = `a'b"c $HOME\n`;
    const environment = { PATH, ODD: odd, LD_PRELOAD: '/var/task/none.so', UID: '7', IFS: 'x' };
    const { output } = await run('printf %s "$ODD|"; unset LD_PRELOAD; env', { environment });
    expect(output).toContain(`${odd}|`);
    // The last one is the shell of the test.
    expect(output.match(/none\.so/g)!.length).toBeLessThanOrEqual(2);
    expect(output).not.toContain('EMU_VARIABLE');
  });

  it('passes variables with the names of those of shells', async () => {
    const environment = { PATH, OPTIND: 'a b', PPID: '4"', UID: '$(id)', SHELLOPTS: 'xtrace', PS4: '$(exit 3)' };
    const output = new TailBuffer(10_000);
    const { exited } = await start('', {
      entrypoint: ['/usr/bin/env'],
      environment,
      onOutput: (chunk) => output.add(chunk),
    });
    expect((await exited).code).toBe(0);
    const lines = output.bytes().toString().split('\n');
    expect(lines).toEqual(
      expect.arrayContaining(Object.entries(environment).map(([name, value]) => `${name}=${value}`)),
    );
    expect(lines.filter((line) => line.includes('EMU_VARIABLE'))).toEqual([]);
  });

  it('has a limit of processes, if the kernel counts those of a sandbox', async () => {
    const limited = await runtime.sandboxes!.open({
      mounts: [{ type: 'tmpfs', target: '/tmp' }],
      visible: [],
      processes: 8,
    });
    const script = 'i=0; while [ $i -lt 320 ]; do sleep 100 & i=$((i + 1)); done; echo all';
    const { output } = await run(script, { sandbox: limited, workingDirectory: '/' });
    const [major, minor] = release().split('.').map(Number) as [number, number];
    const since = process.getuid!() === 0 ? 614 : 514;
    expect(output.includes('all')).toBe(major * 100 + minor < since);
    await limited.close();
    for (const kernel of ['4.4.0', '5.13.19', 'unknown'])
      expect(processLimit(9, kernel)).toMatchObject({ instanceCommand: ':' });
    expect(processLimit(9, '6.13.1').namespaceCommand('/old')).toBe(':');
    expect(processLimit(undefined, '7.0').namespaceCommand('/old')).toBe(':');
  });

  it('has a /tmp of its size, which does not count as memory of a command', async () => {
    const script = `const { writeFileSync, readdirSync } = require('node:fs');
      let error = '';
      try { for (let i = 0; i < 300; i++) writeFileSync('/tmp/' + i, Buffer.alloc(1e6)); } catch (e) { error = e.code; }
      console.log(error, readdirSync('/tmp').length > 200);
      setTimeout(() => {}, 300);`;
    const own = await runtime.sandboxes!.open({
      mounts: [{ type: 'tmpfs', target: '/tmp', size: 256e6 }],
      visible: [process.execPath],
    });
    const more = { entrypoint: [process.execPath, '-e', script], sandbox: own, workingDirectory: '/tmp' };
    expect(await run('', { ...more, limits: { memory: 200e6 } })).toEqual({
      code: 0,
      signal: undefined,
      output: 'ENOSPC true\n',
    });
    const greedy = 'const kept = []; setInterval(() => kept.push(Buffer.alloc(20e6, 1)), 5)';
    const instance = await start('', {
      ...more,
      entrypoint: [process.execPath, '-e', greedy],
      limits: { memory: 150e6 },
    });
    expect(await instance.exited).toEqual({ code: undefined, signal: 'SIGKILL', outOfMemory: true });
    await own.close();
  });

  it('is shared by its instances, with /tmp and process ids', async () => {
    const first = await start('echo shared >/tmp/file; sleep 100');
    let seen = '';
    for (let attempt = 0; attempt < 100 && !seen.includes('shared\n'); attempt++)
      seen = (await run('cat /tmp/file; cat /proc/[0-9]*/cmdline | tr "\\0" " "')).output;
    expect(seen).toContain('shared\n');
    expect(seen).toContain('sleep 100');
    await first.stop({ grace: 0 });
    // Another one has its own.
    const other = await open();
    expect(await run('ls /tmp', { sandbox: other })).toMatchObject({ code: 0, output: '' });
    await other.close();
  });

  it('contains paths of the machine at their own place, also below its mounts', async () => {
    const outer = join(work, 'outer');
    mkdirSync(outer);
    const other = await runtime.sandboxes!.open({
      mounts: [
        { type: 'directory', source: outer, target: `/${import.meta.dirname.split('/')[1]}`, readOnly: true },
        { type: 'directory', source: work, target: '/opt/a space', readOnly: true },
        { type: 'tmpfs', target: '/tmp' },
      ],
      visible: [join(work, 'code.txt'), import.meta.dirname, '/no/such/path', '/usr/bin', '/etc', '/var', '/'],
    });
    const script = `cat ${join(work, 'code.txt')} '/opt/a space/code.txt'; ls ${work} ${import.meta.dirname}`;
    const { output } = await run(script, { sandbox: other, workingDirectory: '/' });
    expect(output).toContain('codecode');
    expect(output).toContain('sandbox.test.ts');
    expect(output).not.toContain('secret');
    // Directories above those of the sandbox stay its own.
    expect((await run('id -un', { sandbox: other, workingDirectory: '/' })).output).toMatch(/^sbx_user1051\n/);
    expect(await run('test -e /var/log', { sandbox: other, workingDirectory: '/' })).toMatchObject({ code: 1 });
    await other.close();
  });

  it('creates no mount points through links', async () => {
    const layer = join(work, 'layer');
    mkdirSync(layer);
    const [, first, ...rest] = import.meta.dirname.split('/');
    symlinkSync('/tmp/emu-test-none', join(layer, rest[0]!));
    const opened = runtime.sandboxes!.open({
      mounts: [{ type: 'directory', source: layer, target: `/${first}`, readOnly: true }],
      visible: [import.meta.dirname],
    });
    await expect(opened).rejects.toMatchObject({ reason: 'engine', message: expect.stringContaining('is a link') });
    expect(existsSync('/tmp/emu-test-none')).toBe(false);
  });

  it('reports missing commands as the machine does', async () => {
    await expect(start('', { entrypoint: ['/var/task/none'] })).rejects.toMatchObject({
      reason: 'command',
      message: '/var/task/none cannot be started: spawn /var/task/none ENOENT',
    });
    await expect(start('', { entrypoint: ['/var/task/code.txt'] })).rejects.toMatchObject({
      message: '/var/task/code.txt cannot be started: spawn /var/task/code.txt EACCES',
    });
    // Whether the machine has a file is not visible.
    for (const path of [import.meta.filename, '/var/task/../../etc/shadow', '/usr/../root/none'])
      await expect(start('', { entrypoint: [path] })).rejects.toMatchObject({
        message: `${path} cannot be started: spawn ${path} ENOENT`,
      });
    await expect(
      runtime.sandboxes!.open({
        mounts: [{ type: 'directory', source: join(work, 'none'), target: '/var/task' }],
        visible: [],
      }),
    ).rejects.toMatchObject({ reason: 'engine', message: expect.stringContaining('/var/task') });
  });

  it('ends with all processes and mounts, including those that left their group and session', async () => {
    const other = await open();
    const before = readFileSync('/proc/self/mountinfo', 'utf8');
    const script = `setsid sh -c 'setsid sleep ${NAP} & setsid env -i sleep ${NAP} &' & sleep ${NAP}`;
    const instance = await start(script, { sandbox: other });
    await until(() => sleepers().length === 3);
    await other.close();
    expect(sleepers()).toEqual([]);
    expect((await instance.exited).signal).toBe('SIGKILL');
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).toBe(before);
    await expect(start('true', { sandbox: other })).rejects.toThrow('the sandbox has ended');
  });
});

/** A program that starts processes in a sandbox and waits. */
const PROGRAM = `
  import { openProcessRuntime } from ${JSON.stringify(join(import.meta.dirname, '../src/process/runtime.ts'))};
  const runtime = await openProcessRuntime();
  const sandbox = await runtime.sandboxes.open({ mounts: [{ type: 'tmpfs', target: '/tmp' }], visible: [] });
  await runtime.start({
    service: 'lambda', name: 'test', sandbox, environment: { PATH: '/usr/bin:/bin' },
    entrypoint: ['/bin/sh', '-c', \`id -u; setsid sh -c 'setsid env -i sleep ${NAP} &' & sleep ${NAP}\`],
    onOutput: (chunk) => console.log(process.getuid() + ' ' + chunk),
  });
`;

describe.skipIf(refusal !== undefined)('a killed emulator', () => {
  it.each([
    ['the own user', undefined],
    ['an unprivileged user', 65534],
  ])('of %s leaves no process of a sandbox', async (_, uid) => {
    if (uid !== undefined && process.getuid!() !== 0) return;
    const work = mkdtempSync(join(tmpdir(), 'emu-test-'));
    chmodSync(work, 0o755);
    writeFileSync(join(work, 'program.mts'), PROGRAM);
    const child = spawn(
      process.execPath,
      ['--conditions=emu-source', '--import', import.meta.resolve('tsx'), join(work, 'program.mts')],
      { stdio: ['ignore', 'pipe', 'inherit'], ...(uid !== undefined && { uid, gid: uid }) },
    );
    try {
      const [line] = await new Promise<Buffer[]>((resolve) =>
        child.stdout.once('data', (...args) => resolve(args as Buffer[])),
      );
      expect(line!.toString()).toBe(`${uid ?? process.getuid!()} 993\n\n`);
      await until(() => sleepers().length === 2);
      child.kill('SIGKILL');
      await until(() => sleepers().length === 0);
    } finally {
      child.kill('SIGKILL');
      rmSync(work, { recursive: true, force: true });
    }
  });
});

describe('a machine without sandboxes', () => {
  it('says why, and is asked once', async () => {
    const support = new MachineSupport();
    let asked = 0;
    const options = async (): Promise<string> => {
      asked++;
      return 'only Linux has namespaces';
    };
    const pool = new SandboxPool(options, support);
    expect(await pool.refusal()).toMatch(/^only Linux has namespaces/);
    expect(await new SandboxPool(options, support).refusal()).toMatch(/^only Linux has namespaces/);
    expect(asked).toBe(1);
    await pool.close();
  });
});

describe('mount points of the machine', () => {
  const mounts = new MachineMounts(
    [
      '1 0 8:1 / / rw,relatime - ext4 /dev/sda1 rw',
      '2 1 0:5 / /tmp rw,nosuid,noexec - tmpfs tmpfs rw',
      '3 1 0:6 / /work\\040space/a rw - tmpfs tmpfs rw',
      '',
    ].join('\n'),
  );

  it('tell where programs cannot be executed, and which ones are below a path', () => {
    expect(['/tmp', '/tmp/x', '/tmpx', '/'].map((path) => mounts.isNoexec(path))).toEqual([true, true, false, false]);
    expect(mounts.below('/work space')).toEqual(['/work space/a']);
    expect(mounts.below('/tmp')).toEqual([]);
    expect([isInside('/a/b', '/a'), isInside('/ab', '/a'), isInside('/a', '/')]).toEqual([true, false, true]);
  });
});
