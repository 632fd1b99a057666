import { availableParallelism } from 'node:os';
import { FairQueue } from './fair-queue.ts';
import type { ProgramProcess } from './process.ts';

/** Maximum number of program processes: at least two, so that one endless program leaves another. */
const MAX_PROCESSES = Math.min(4, Math.max(2, availableParallelism()));
/** Milliseconds after which an unused process ends and returns its memory. */
const IDLE_TIME = 30_000;

interface Task {
  readonly module: string;
  readonly input: unknown;
  /** Maximum milliseconds. */
  readonly limit: number;
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

const closed = (): Error => new Error('the emulator has been closed');

/** Program processes, started on demand, which run one program each at a time. */
export class ProgramPool {
  private readonly queue = new FairQueue<Task>(Math.floor(MAX_PROCESSES / 2));
  private readonly busy = new Set<ProgramProcess>();
  /** Least recently used first. */
  private idle: ProgramProcess[] = [];
  private idleTimer: NodeJS.Timeout | undefined;
  private readonly users = new Set<object>();
  /** Starts a process; undefined before the first program. */
  private start: (() => ProgramProcess) | undefined;

  /**
   * Registers a user of the pool.
   * @returns a function that unregisters it; all processes end with the last user
   */
  open(): () => void {
    const user = {};
    this.users.add(user);
    return () => {
      if (this.users.delete(user) && this.users.size === 0) this.close();
    };
  }

  /**
   * Runs a program.
   * @param key the programs of a key have at most half of the processes, and take turns with those of other keys
   * @param limit maximum milliseconds
   * @throws ProgramLimitError above a limit
   * @throws Error if the program throws, or the last user closes the pool
   */
  async run(module: string, input: unknown, key: string, limit: number): Promise<unknown> {
    this.start ??= await loadProcesses();
    return new Promise((resolve, reject) => {
      this.queue.add(key, { module, input, limit, resolve, reject });
      this.startNext();
    });
  }

  private close(): void {
    for (const { reject } of this.queue.clear()) reject(closed());
    for (const process of [...this.busy, ...this.idle]) process.end(closed());
    this.idle = [];
    clearTimeout(this.idleTimer);
  }

  private startNext(): void {
    while (this.busy.size < MAX_PROCESSES) {
      const next = this.queue.take();
      if (!next) return;
      const process = this.takeIdle() ?? this.start!();
      this.busy.add(process);
      void this.perform(next.item, process).finally(() => {
        this.queue.release(next.key);
        this.startNext();
      });
    }
  }

  private async perform({ module, input, limit, resolve, reject }: Task, process: ProgramProcess): Promise<void> {
    try {
      const output = await process.run(module, input, limit);
      this.release(process);
      resolve(output);
    } catch (error) {
      this.release(process);
      reject(error);
    }
  }

  private takeIdle(): ProgramProcess | undefined {
    for (let process = this.idle.pop(); process; process = this.idle.pop()) if (process.alive) return process;
    return undefined;
  }

  private release(process: ProgramProcess): void {
    this.busy.delete(process);
    if (!process.alive) return;
    this.idle.push(process);
    clearTimeout(this.idleTimer);
    this.idleTimer = setTimeout(() => {
      for (const unused of this.idle.splice(0)) unused.end(closed());
    }, IDLE_TIME).unref();
  }
}

/** Loads node's child processes with the first program, because they would delay each start of the emulator. */
async function loadProcesses(): Promise<() => ProgramProcess> {
  const [{ ProgramProcess }, { url }] = await Promise.all([import('./process.ts'), import('./host.ts')]);
  return () => new ProgramProcess(url);
}

/** The pool that all emulators of this process share. */
export const programPool = new ProgramPool();
