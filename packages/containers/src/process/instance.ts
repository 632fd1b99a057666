import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import {
  type ContainerExit,
  type ContainerInstance,
  type ContainerSpec,
  EXEC_LIMIT,
  EXEC_TIMEOUT,
  type ExecOptions,
  type ExecResult,
  OUTPUT_LIMIT,
  type StopOptions,
  TailBuffer,
} from '@emu/core/service';
import { awaitWithin } from '../await-within.ts';
import { type DescendantListener, Descendants } from './descendants.ts';
import { childOf, killMarked, memoryOf, signalGroup, signalMembers, signalProcess } from './groups.ts';
import type { Launch } from './launch.ts';
import type { Launcher } from './launcher.ts';
import type { InstanceMark } from './mark.ts';
import { type ProcessTable, readProcesses } from './process-table.ts';

/** Milliseconds between measurements of the memory usage. */
const MEMORY_INTERVAL = 200;
/** Milliseconds for which a peak value is cached. */
const PEAK_INTERVAL = 50;
/** Timeout in milliseconds for the end of a killed group, and interval of the checks. */
const REAP_LIMIT = 2000;
const REAP_INTERVAL = 10;

/** A child process with its descendants. */
export class ProcessInstance implements ContainerInstance {
  readonly backend = 'process';
  /** Resolves when the process runs. */
  readonly started: Promise<void>;
  readonly exited: Promise<ContainerExit>;
  private readonly child: ChildProcess;
  private readonly output: TailBuffer;
  private readonly descendants: Descendants;
  /** Id of the command's process in a sandbox; undefined if not known yet. */
  private inner: number | undefined;
  private outOfMemory = false;
  private peak = 0;
  /** Time of the last peak measurement, by `performance.now()`. */
  private looked = Number.NEGATIVE_INFINITY;
  private watch: NodeJS.Timeout | undefined;
  private ended = false;

  constructor(
    readonly spec: ContainerSpec,
    private readonly launcher: Launcher,
    { command: [file, ...args], environment, directory: cwd }: Launch,
    readonly directory: string,
    private readonly mark: InstanceMark,
    listener: DescendantListener,
  ) {
    this.output = new TailBuffer(spec.limits?.output ?? OUTPUT_LIMIT);
    this.child = spawn(file!, args, {
      cwd,
      env: environment,
      detached: true,
      stdio: [spec.input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    });
    this.descendants = new Descendants(this.pid, listener);
    this.started = new Promise((resolve, reject) => {
      this.child.once('spawn', resolve);
      this.child.once('error', reject);
    });
    this.exited = this.run();
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get id(): string {
    return `process-${this.pid}`;
  }

  /** Scans the descendants, so that they are known after their parents have ended. */
  look(table: ProcessTable): void {
    if (!this.ended) this.descendants.look(table);
  }

  peakMemory(): number | undefined {
    const now = performance.now();
    // The system records the peak itself. Reading it is expensive compared with a short run, especially on a busy
    // machine.
    if (!this.ended && now - this.looked >= PEAK_INTERVAL) {
      this.looked = now;
      this.peak = Math.max(this.peak, memoryOf(this.commandPid())?.peak ?? 0);
    }
    return this.peak || undefined;
  }

  async address(port: number): Promise<{ host: string; port: number }> {
    if (!this.spec.ports?.some((spec) => spec.port === port)) throw new Error(`${this.spec.name} has no port ${port}`);
    return { host: '127.0.0.1', port };
  }

  async logs(): Promise<Buffer> {
    return this.output.bytes();
  }

  async write(bytes: Uint8Array | string): Promise<void> {
    const { stdin } = this.child;
    if (!stdin || this.ended) throw new Error(`${this.spec.name} accepts no input`);
    await new Promise<void>((resolve, reject) => stdin.write(bytes, (error) => (error ? reject(error) : resolve())));
  }

  async exec(command: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
    const { environment = {}, workingDirectory = this.spec.workingDirectory, input = '', limit = EXEC_LIMIT } = options;
    const launch = await this.launcher(command, { ...this.spec.environment, ...environment }, workingDirectory);
    const [file, ...args] = launch.command;
    return new Promise((resolve, reject) => {
      const child = spawn(file!, args, {
        cwd: launch.directory,
        env: launch.environment,
        stdio: 'pipe',
        timeout: EXEC_TIMEOUT,
        killSignal: 'SIGKILL',
      });
      const [stdout, stderr] = [new TailBuffer(limit), new TailBuffer(limit)];
      child.stdout.on('data', (chunk: Buffer) => stdout.add(chunk));
      child.stderr.on('data', (chunk: Buffer) => stderr.add(chunk));
      // A command that reads no input closes it, which is not a failure.
      child.stdin.on('error', () => undefined);
      child.stdin.end(input);
      child.once('error', reject);
      child.once('close', (code) => resolve({ code: code ?? 137, stdout: stdout.bytes(), stderr: stderr.bytes() }));
    });
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    if (!this.ended) this.signal(signal);
  }

  async stop({ signal = 'SIGTERM', grace = 2000 }: StopOptions = {}): Promise<ContainerExit> {
    if (this.ended) return this.exited;
    // Processes outside the group can be found only while their parents exist.
    if (this.child.pid !== undefined) this.look(readProcesses());
    if (grace > 0) {
      this.signal(signal);
      const timer = setTimeout(() => {
        if (!this.ended) this.look(readProcesses());
        this.signal('SIGKILL');
      }, grace);
      try {
        return await this.exited;
      } finally {
        clearTimeout(timer);
      }
    }
    this.signal('SIGKILL');
    return this.exited;
  }

  /**
   * Sends a signal to the group, except to the program that entered a sandbox: it reaps the command and ends as it did.
   * SIGKILL needs no list of the group, because the rest is killed when the command has ended.
   */
  private signal(signal: NodeJS.Signals): void {
    if (!this.spec.sandbox) signalGroup(this.pid, signal);
    else if (signal !== 'SIGKILL') signalMembers(this.pid, signal, readProcesses());
    else if (!signalProcess(this.commandPid(), signal)) signalGroup(this.pid, signal);
  }

  /** Returns the id of the command's process: in a sandbox, the child of the program that entered it. */
  private commandPid(): number {
    if (!this.spec.sandbox) return this.pid;
    this.inner ??= childOf(this.pid);
    return this.inner ?? this.pid;
  }

  private async run(): Promise<ContainerExit> {
    const { child } = this;
    this.capture('stdout');
    this.capture('stderr');
    // Writing to an ended process only affects the writer.
    child.stdin?.on('error', () => undefined);
    const { memory } = this.spec.limits ?? {};
    if (memory !== undefined) {
      this.watch = setInterval(() => this.checkMemory(memory), MEMORY_INTERVAL);
      this.watch.unref();
    }
    const closed = new Promise<void>((resolve) => {
      child.once('close', () => resolve());
      child.once('error', () => resolve());
    });
    const exit = await new Promise<Omit<ContainerExit, 'outOfMemory'>>((resolve) => {
      child.once('exit', (code, signal) => resolve({ code: code ?? undefined, signal: signal ?? undefined }));
      child.once('error', () => resolve({ code: 127, signal: undefined }));
    });
    clearInterval(this.watch);
    this.ended = true;
    await this.reap();
    // The pipes end with their last holder. A process that escaped must not delay the exit.
    await awaitWithin(closed, REAP_LIMIT);
    child.stdout?.destroy();
    child.stderr?.destroy();
    // Files that cannot be removed now are removed with the directory of the runtime.
    await rm(this.directory, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
    return { ...exit, outOfMemory: this.outOfMemory };
  }

  /** Kills remaining processes inside and outside the group. */
  private async reap(): Promise<void> {
    if (this.child.pid === undefined) return;
    for (let waited = 0; waited < REAP_LIMIT; waited += REAP_INTERVAL) {
      const group = signalGroup(this.pid, 'SIGKILL');
      // A group may contain only zombies, which have no environment.
      const below = this.descendants.kill(readProcesses());
      if (process.platform === 'linux' ? killMarked(this.mark) === 0 && !below : !group) return;
      await sleep(REAP_INTERVAL);
    }
  }

  private capture(stream: 'stdout' | 'stderr'): void {
    const source = this.child[stream];
    source?.on('data', (chunk: Buffer) => {
      this.output.add(chunk);
      this.spec.onOutput?.(chunk, stream);
    });
    source?.on('error', () => undefined);
  }

  private checkMemory(limit: number): void {
    const memory = memoryOf(this.commandPid());
    if (!memory) return;
    this.peak = Math.max(this.peak, memory.peak);
    if (memory.now <= limit) return;
    this.outOfMemory = true;
    this.signal('SIGKILL');
  }
}

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
