import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContainerInstance, ContainerRuntime, ContainerSpec, ContainerSummary } from '@emu/core/service';
import { ContainerError } from '@emu/core/service';
import { makeRunDirectory, removeAbandonedRuns } from '../run-directory.ts';
import { killMarked } from './groups.ts';
import { ProcessInstance } from './instance.ts';
import { launcherOf } from './launcher.ts';
import { InstanceMark, runMark } from './mark.ts';
import { readProcessesSoon } from './process-table.ts';
import type { HolderOptions } from './sandbox/holder.ts';
import { SandboxPool } from './sandbox/sandbox-pool.ts';
import { Skeleton } from './sandbox/skeleton.ts';
import { findTools } from './sandbox/tools.ts';
import { Watchdog } from './watchdog.ts';

/** Prefix of the directories for running processes. */
const PREFIX = 'emu-processes-';
/** Milliseconds between scans of the instances' descendants. */
const LOOK_INTERVAL = 2000;

/**
 * Runs instances as child processes of the emulator, each with its own process group and directory, and killed as a
 * group. They share the machine's network, and its file system unless they run in a sandbox.
 */
class ProcessRuntime implements ContainerRuntime {
  readonly backend = 'process';
  readonly isolated = false;
  readonly volumes = undefined;
  readonly networks = undefined;
  readonly images = undefined;
  readonly sandboxes = new SandboxPool(() => this.holderOptions());
  private readonly run = randomUUID();
  private readonly running = new Set<ProcessInstance>();
  private skeleton: Promise<Skeleton> | undefined;
  private home: Promise<{ directory: string; watchdog: Watchdog }> | undefined;
  private looking: NodeJS.Timeout | undefined;
  private count = 0;
  private closed = false;

  async callback(): Promise<{ bind: string; host: string }> {
    return { bind: '127.0.0.1', host: '127.0.0.1' };
  }

  async scratch(): Promise<string> {
    if (this.closed) throw new ContainerError('unavailable', 'the emulator is closing');
    this.home ??= this.makeHome();
    const directory = join((await this.home).directory, 'scratch');
    await mkdir(directory, { recursive: true });
    return directory;
  }

  async start(spec: ContainerSpec): Promise<ContainerInstance> {
    const command = [...(spec.entrypoint ?? []), ...(spec.command ?? [])];
    if (command.length === 0) throw new ContainerError('command', `no command to run for ${spec.name}`);
    if (this.closed) throw new ContainerError('unavailable', 'the emulator is closing');
    this.home ??= this.makeHome();
    const { directory: home, watchdog } = await this.home;
    const number = ++this.count;
    const directory = join(home, `${spec.name}-${number}`);
    await mkdir(directory, { recursive: true });
    const mark = new InstanceMark(this.run, number);
    const launcher = launcherOf(spec, mark, directory);
    const launch = await launcher(command, spec.environment, spec.workingDirectory);
    if (this.closed) throw new ContainerError('unavailable', 'the emulator is closing');
    const instance = new ProcessInstance(spec, launcher, launch, directory, mark, {
      found: (pid) => watchdog.add(pid),
      gone: (pid) => watchdog.delete(pid),
    });
    await instance.started.catch(async (error) => {
      await rm(directory, { recursive: true, force: true });
      throw new ContainerError('command', `${command[0]} cannot be started: ${(error as Error).message}`, {
        cause: error,
      });
    });
    this.running.add(instance);
    watchdog.add(instance.pid);
    this.look();
    void instance.exited.then(() => {
      this.running.delete(instance);
      watchdog.delete(instance.pid);
    });
    return instance;
  }

  async list(labels: Readonly<Record<string, string>> = {}): Promise<ContainerSummary[]> {
    const wanted = Object.entries(labels);
    return [...this.running]
      .filter(({ spec }) => wanted.every(([name, value]) => spec.labels?.[name] === value))
      .map(({ id, spec }) => ({ id, name: spec.name, labels: spec.labels ?? {}, running: true }));
  }

  async removeLeftovers(): Promise<number> {
    let removed = 0;
    await removeAbandonedRuns(PREFIX, ({ run }) => {
      removed += killMarked(runMark(run));
    });
    return removed;
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.looking);
    await Promise.all([...this.running].map((instance) => instance.stop({ grace: 0 })));
    await this.sandboxes.close();
    const home = await this.home?.catch(() => undefined);
    if (!home) return;
    await home.watchdog.close();
    // The directory may not be empty, if files are added concurrently.
    await rm(home.directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  }

  /** Returns the options of the next holder of a sandbox, or the reason why there can be none. */
  private async holderOptions(): Promise<HolderOptions | string> {
    if (process.platform !== 'linux') return 'only Linux has namespaces';
    const tools = findTools();
    if (typeof tools === 'string') return `the program ${tools} of util-linux is missing`;
    if (this.closed) throw new ContainerError('unavailable', 'the emulator is closing');
    this.home ??= this.makeHome();
    const { directory, watchdog } = await this.home;
    const home = join(directory, 'sandboxes');
    this.skeleton ??= Skeleton.make(home);
    const skeleton = await this.skeleton;
    const number = ++this.count;
    const mark = new InstanceMark(this.run, number);
    return {
      tools,
      skeleton,
      home,
      number,
      mark,
      started: (pid) => watchdog.add(pid),
      ended: (pid) => watchdog.delete(pid),
    };
  }

  /** Scans the descendants of instances regularly while instances exist. */
  private look(): void {
    if (process.platform !== 'linux' || this.looking) return;
    this.looking = setTimeout(async () => {
      const table = await readProcessesSoon();
      for (const instance of this.running) instance.look(table);
      this.looking = undefined;
      if (this.running.size > 0 && !this.closed) this.look();
    }, LOOK_INTERVAL);
    this.looking.unref();
  }

  private async makeHome(): Promise<{ directory: string; watchdog: Watchdog }> {
    const directory = await makeRunDirectory(PREFIX, this.run);
    return { directory, watchdog: new Watchdog(runMark(this.run), directory) };
  }
}

/** Opens the driver for local processes. */
export async function openProcessRuntime(): Promise<ContainerRuntime> {
  return new ProcessRuntime();
}
