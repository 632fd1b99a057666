import { spawn } from 'node:child_process';
import { open, readdir } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import type { Logger } from '@emu/core/service';
import { INIT_STAGES, type InitReport, type InitStage } from '@emu/gateway';
import { Failure } from './failure.ts';

/** How a hook without a `#!` line is run, by the ending of its name. Shell scripts call the AWS CLI, which finds emu by its variables. */
const RUNNERS: Readonly<Record<string, readonly string[]>> = {
  '.sh': ['sh'],
  '.py': ['python3'],
  '.js': [process.execPath],
  '.mjs': [process.execPath],
  '.cjs': [process.execPath],
  '.ts': [process.execPath, '--experimental-strip-types', '--no-warnings'],
};
const ENDINGS = Object.keys(RUNNERS).join(', ');
/** The first version of node that runs TypeScript. */
const RUNS_TYPESCRIPT = [22, 6] as const;
/** Bytes of a script within which its first line ends. */
const FIRST_LINE = 256;

/** A script and when it runs. */
interface Hook {
  readonly stage: InitStage;
  readonly folder: string;
  readonly name: string;
  state: InitReport['scripts'][number]['state'];
}

/**
 * The scripts that prepare an emulator: those of `boot.d`, `start.d`, `ready.d` and `shutdown.d` in each directory, and those
 * in the directory itself, which run when it is ready.
 */
export class InitHooks {
  private readonly completed = new Set<InitStage>();
  private running = false;

  private constructor(
    private readonly hooks: readonly Hook[],
    private readonly strict: boolean,
    private readonly log: Logger,
  ) {}

  /**
   * Finds the scripts of directories, in the order of their names.
   * @param strict whether a failing script is a failure of emu
   * @throws Failure where a directory cannot be read
   */
  static async of(directories: readonly string[], strict: boolean, log: Logger): Promise<InitHooks> {
    const hooks: Hook[] = [];
    for (const directory of directories) {
      const folder = resolve(directory);
      hooks.push(...hooksIn(folder, 'ready', await filesOf(folder)));
      for (const stage of INIT_STAGES) {
        const below = join(folder, `${stage}.d`);
        hooks.push(...hooksIn(below, stage, await filesOf(below, true)));
      }
    }
    return new InitHooks(hooks, strict, log);
  }

  /** What became of them. */
  report(): InitReport {
    return {
      completed: [...this.completed],
      scripts: this.hooks.map(({ stage, name, state }) => ({ stage, name, state })),
    };
  }

  /**
   * Runs the scripts of a stage one after the other; while scripts run it does nothing: what one of them does, such as a reset,
   * does not run them again.
   * @param env environment of the scripts
   * @throws Failure where a script fails and that matters
   */
  async run(stage: InitStage, env: NodeJS.ProcessEnv): Promise<void> {
    if (this.running) return;
    this.running = true;
    try {
      await this.runAll(stage, env);
    } finally {
      this.running = false;
    }
  }

  private async runAll(stage: InitStage, env: NodeJS.ProcessEnv): Promise<void> {
    for (const hook of this.hooks.filter((each) => each.stage === stage)) {
      const { folder, name } = hook;
      const command = await commandOf(join(folder, name));
      if (command === undefined) {
        this.log.warn(`init: ${name} is not run; hooks are ${ENDINGS}, or begin with #!`);
        continue;
      }
      hook.state = 'running';
      const problem = typeof command === 'string' ? command : await run(command, join(folder, name), folder, env);
      hook.state = problem === undefined ? 'successful' : 'error';
      if (problem === undefined) this.log.info(`init: ${name} ran`);
      else if (this.strict) throw new Failure(`The init hook ${name} ${problem} (--init-strict).`);
      else this.log.error(`init: ${name} ${problem}`);
    }
    this.completed.add(stage);
  }
}

const hooksIn = (folder: string, stage: InitStage, names: readonly string[]): Hook[] =>
  names.map((name) => ({ stage, folder, name, state: 'unknown' }));

/**
 * Names of a folder's files, but for hidden ones, in order.
 * @param optional whether it may be absent
 * @throws Failure where it cannot be read
 */
async function filesOf(folder: string, optional = false): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (optional && code === 'ENOENT') return [];
    throw new Failure(`The init directory cannot be read: ${message} (--init, EMULATOR_INIT_DIR).`);
  }
}

/** The program that runs a script, with its arguments; a text that says why none does; undefined for what is no script. */
async function commandOf(script: string): Promise<readonly string[] | string | undefined> {
  const line = await firstLine(script);
  if (line.startsWith('#!')) {
    const [, program, rest] = /^#!\s*(\S+)\s*(.*)$/.exec(line) ?? [];
    // As the kernel does it: everything after the program is one argument.
    if (program !== undefined) return rest ? [program, rest] : [program];
  }
  const ending = extname(script);
  const runner = RUNNERS[ending];
  if (ending === '.ts' && !runsTypeScript(process.versions.node))
    return `needs node ${RUNS_TYPESCRIPT.join('.')} or newer, and this is ${process.versions.node}`;
  return runner;
}

function runsTypeScript(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > RUNS_TYPESCRIPT[0] || (major === RUNS_TYPESCRIPT[0] && minor >= RUNS_TYPESCRIPT[1]);
}

async function firstLine(script: string): Promise<string> {
  const file = await open(script);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(FIRST_LINE), 0, FIRST_LINE, 0);
    return buffer.toString('utf8', 0, bytesRead).split(/\r?\n/, 1)[0]!;
  } finally {
    await file.close();
  }
}

/** Runs a script with its output shown; resolves with what went wrong, if anything. */
function run(
  [program, ...args]: readonly string[],
  script: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  return new Promise((done) => {
    // Standard output is emu's own: what scripts print goes where its log goes.
    const child = spawn(program!, [...args, script], { cwd, env, stdio: ['ignore', 2, 2] });
    const end = (): void => {
      child.kill();
    };
    process.once('exit', end);
    child.on('error', (error) => {
      process.off('exit', end);
      done(`could not be run: ${error.message}`);
    });
    child.on('exit', (code, signal) => {
      process.off('exit', end);
      if (code === 0) done(undefined);
      else done(signal === null ? `failed with exit code ${code}` : `was ended by ${signal}`);
    });
  });
}
