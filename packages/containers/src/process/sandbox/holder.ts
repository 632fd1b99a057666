import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { awaitWithin } from '../../await-within.ts';
import type { InstanceMark } from '../mark.ts';
import { type MountPlan, refused } from './mount-plan.ts';
import type { ProcessLimit } from './process-limit.ts';
import { OLD_ROOT, type Skeleton } from './skeleton.ts';
import { SYSTEM_PATH, type Tools } from './tools.ts';

/** Milliseconds for each step of the setup, and for the end. */
const SETUP_LIMIT = 10_000;
const CLOSE_LIMIT = 2000;
/** Bytes of the error output that are kept. */
const MAX_ERROR = 1000;

/** Dependencies of a holder. */
export interface HolderOptions {
  readonly tools: Tools;
  readonly skeleton: Skeleton;
  /** Directory of files for the setup. */
  readonly home: string;
  /** Number of the holder, unique in `home`. */
  readonly number: number;
  readonly mark: InstanceMark;
  /** Called with the id of the holder's process, and when it has ended. */
  readonly started: (pid: number) => void;
  readonly ended: (pid: number) => void;
}

/**
 * A shell that holds user, mount, process id and IPC namespaces, and reads a pipe of the emulator: when either ends, the
 * kernel kills all processes of the process id namespace and removes its mounts. It reaps orphans.
 */
export class Holder {
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  /** Id of the first process of the process id namespace, on the machine. */
  first = 0;
  private output = '';
  private errors = '';
  private onOutput: (() => void) | undefined;

  private constructor(
    private readonly child: ChildProcess,
    private readonly options: HolderOptions,
  ) {
    this.ended = new Promise((resolve) => {
      child.once('close', () => resolve());
      child.once('error', () => resolve());
    });
    // Writing to an ended holder only affects the writer.
    child.stdin!.on('error', () => undefined);
    child.stdout!.on('data', (chunk: Buffer) => {
      this.output += chunk;
      this.onOutput?.();
    });
    child.stderr!.on('data', (chunk: Buffer) => {
      this.errors = (this.errors + chunk).slice(0, MAX_ERROR);
    });
  }

  /**
   * Creates the namespaces with the mounts that all sandboxes have, next to the machine's file system.
   * @throws ContainerError `engine` with the reason if the machine refuses
   */
  static async start(mounts: readonly string[], options: HolderOptions): Promise<Holder> {
    const { tools, skeleton, home, number, mark } = options;
    const file = join(home, `${number}.base`);
    await writeFile(file, fileOf(mounts));
    const script = [
      'read -r id rest </proc/self/stat',
      `mount -n -a -T ${quoted(file)} || exit`,
      `cd ${quoted(skeleton.mountPoint)} && pivot_root . ${OLD_ROOT} || exit`,
      'echo "$id"',
      'read -r setup && eval "$setup" || exit',
      'echo ready',
      'cat >/dev/null',
      ':',
    ];
    const flags = ['--map-root-user', '--mount', '--pid', '--ipc', '--fork', '--kill-child'];
    const child = spawn(tools.unshare, [...flags, '--', '/bin/sh', '-c', script.join('\n')], {
      cwd: '/',
      env: mark.environment({ PATH: SYSTEM_PATH }),
      detached: true,
      stdio: 'pipe',
    });
    const holder = new Holder(child, options);
    child.once('spawn', () => options.started(child.pid!));
    child.once('exit', () => options.ended(child.pid!));
    try {
      holder.first = Number(await holder.line());
    } catch (error) {
      await holder.close();
      throw error;
    } finally {
      await rm(file, { force: true });
    }
    return holder;
  }

  /**
   * Limits the processes of one sandbox, mounts what it has, and detaches the machine's file system. One time only.
   * @throws ContainerError `engine` with the reason if the machine refuses
   */
  async finish({ lines, nested }: MountPlan, limit: ProcessLimit): Promise<void> {
    const { home, number } = this.options;
    const [file, inner] = [join(home, `${number}.own`), join(home, `${number}.nested`)];
    await writeFile(file, fileOf(lines));
    const steps = [limit.namespaceCommand(`/${OLD_ROOT}`), mountAll(file)];
    if (nested.lines.length > 0) {
      await writeFile(inner, fileOf(nested.lines));
      steps.push(`mkdir -p ${nested.directories.map(quoted).join(' ')}`);
      steps.push(...nested.files.map((path) => `: >${quoted(path)}`), mountAll(inner));
    }
    this.child.stdin!.write(`${[...steps, `umount -n -l /${OLD_ROOT}`].join(' && ')}\n`);
    try {
      await this.line();
    } finally {
      for (const path of [file, inner]) await rm(path, { force: true });
    }
    this.child.stdout!.destroy();
    this.child.stderr!.destroy();
  }

  /** Whether it has not ended. */
  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Kills all processes of the namespaces. Resolves when neither processes nor mounts are left. */
  async close(): Promise<void> {
    const { child } = this;
    if (this.isRunning && child.pid !== undefined) {
      const exited = once(child, 'exit');
      try {
        if (this.first) process.kill(this.first, 'SIGKILL');
      } catch {
        // It has ended meanwhile.
      }
      child.stdin!.end();
      await awaitWithin(exited, CLOSE_LIMIT);
      child.kill('SIGKILL');
    }
    child.stdout!.destroy();
    child.stderr!.destroy();
    await this.ended;
  }

  /** Waits for the next line of output. @throws ContainerError with the error output if the setup fails */
  private async line(): Promise<string> {
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise((resolve, reject) => {
        this.onOutput = () => {
          const end = this.output.indexOf('\n');
          if (end < 0) return;
          resolve(this.output.slice(0, end));
          this.output = this.output.slice(end + 1);
        };
        void this.ended.then(() => reject(refused(firstLine(this.errors) || 'the setup of the sandbox ended')));
        timer = setTimeout(() => reject(refused('the setup of the sandbox took too long')), SETUP_LIMIT);
      });
    } finally {
      clearTimeout(timer);
      this.onOutput = undefined;
    }
  }
}

const mountAll = (file: string): string => `mount -n -a -T ${quoted(`/${OLD_ROOT}${file}`)}`;

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const fileOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** Returns the first line of the error output of a program. */
export const firstLine = (text: string): string => text.trim().split('\n')[0]!.trim();
