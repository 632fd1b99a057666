import { type ChildProcess, spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ProgramLimitError } from './limit-error.ts';
import type { FromHost, ToHost } from './messages.ts';

/** Maximum JavaScript heap of a program process, in MiB. */
const MAX_HEAP = 192;
/** Maximum resident memory of a program process in bytes, which includes the memory of WebAssembly. */
const MAX_RESIDENT = 640 * 1024 * 1024;
/** Milliseconds in which a process must have started and loaded a module, on a busy machine. */
const MAX_LOAD_TIME = 60_000;

/** Sources need the loader and the condition that this process runs with; a bundle needs neither. */
const flagsFor = (host: string): string[] =>
  host.endsWith('.ts') ? ['--conditions=emu-source', '--import', 'tsx'] : [];

/**
 * A process that runs programs, one at a time. It is a process instead of a thread because V8 aborts the whole process
 * when a single allocation does not fit into the heap limit of a thread.
 */
export class ProgramProcess {
  /** Whether the process can run more programs. */
  alive = true;
  private readonly child: ChildProcess;
  private readonly loaded = new Set<string>();
  private waiting: { resolve(answer: FromHost): void; reject(error: Error): void } | undefined;

  /** @param host address of the module `host` */
  constructor(host: string) {
    const { NODE_OPTIONS: _, NODE_V8_COVERAGE: __, ...env } = process.env;
    this.child = spawn(
      process.execPath,
      [
        `--max-old-space-size=${MAX_HEAP}`,
        ...flagsFor(host),
        '-e',
        `import(${JSON.stringify(host)}).then(({ serve }) => serve(${MAX_RESIDENT}))`,
      ],
      {
        cwd: dirname(fileURLToPath(host)),
        env,
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        serialization: 'advanced',
      },
    );
    this.child.on('message', (answer: FromHost) => {
      const { waiting } = this;
      this.waiting = undefined;
      waiting?.resolve(answer);
    });
    this.child.once('exit', (code, signal) =>
      this.end(
        this.loaded.size > 0
          ? new ProgramLimitError('memory')
          : new Error(`a program process ended while it started: ${signal ?? code}`),
      ),
    );
    this.child.once('error', (error) => this.end(error));
    this.setReferenced(false);
  }

  /**
   * Runs a program.
   * @param module address of its module
   * @param limit maximum milliseconds
   * @throws ProgramLimitError above a limit
   * @throws Error if the module or the program throws
   */
  async run(module: string, input: unknown, limit: number): Promise<unknown> {
    this.setReferenced(true);
    try {
      if (!this.loaded.has(module)) {
        await this.ask({ load: module }, MAX_LOAD_TIME);
        this.loaded.add(module);
      }
      const answer = await this.ask({ run: module, input }, limit);
      return 'output' in answer ? answer.output : undefined;
    } finally {
      this.setReferenced(false);
    }
  }

  /** Ends the process. @param reason error of the running program */
  end(reason: Error): void {
    const { waiting } = this;
    this.alive = false;
    this.waiting = undefined;
    this.child.kill('SIGKILL');
    waiting?.reject(reason);
  }

  private async ask(message: ToHost, limit: number): Promise<FromHost> {
    if (!this.alive) throw new Error('the program process has ended');
    const timeout = setTimeout(() => this.end(new ProgramLimitError('time')), limit);
    try {
      const answer = await new Promise<FromHost>((resolve, reject) => {
        this.waiting = { resolve, reject };
        this.child.send(message, (error) => error && this.end(error));
      });
      if ('error' in answer) throw new Error(answer.error);
      return answer;
    } finally {
      clearTimeout(timeout);
    }
  }

  /** Sets whether the process keeps the emulator's process running. */
  private setReferenced(referenced: boolean): void {
    const change = referenced ? 'ref' : 'unref';
    this.child[change]();
    this.child.channel?.[change]();
  }
}
