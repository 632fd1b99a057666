import { spawn } from 'node:child_process';
import { open, readdir } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import type { Logger } from '@emu/core/service';
import { INIT_STAGES, type InitReport, type InitStage } from '@emu/gateway';
import { Failure } from './failure.ts';

/**
 * Interpreters of hooks without a `#!` line, by file extension. Shell scripts call the AWS CLI, which is configured by
 * environment variables.
 */
const RUNNERS: Readonly<Record<string, readonly string[]>> = {
  '.sh': ['sh'],
  '.py': ['python3'],
  '.js': [process.execPath],
  '.mjs': [process.execPath],
  '.cjs': [process.execPath],
  '.ts': [process.execPath, '--experimental-strip-types', '--no-warnings'],
};
const ENDINGS = Object.keys(RUNNERS).join(', ');
/** First node version that runs TypeScript. */
const RUNS_TYPESCRIPT = [22, 6] as const;
/** Bytes of a script that must contain its first line. */
const FIRST_LINE = 256;

/** A script and its stage. */
interface Hook {
  readonly stage: InitStage;
  readonly folder: string;
  readonly name: string;
  state: InitReport['scripts'][number]['state'];
}

/**
 * Scripts that prepare an emulator: those in `boot.d`, `start.d`, `ready.d` and `shutdown.d` of each directory, and
 * those directly in it, which run in the ready stage.
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
   * Finds the scripts in directories, ordered by name.
   * @param strict whether a failing script ends emu
   * @throws Failure if a directory cannot be read
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

  /** Results of the scripts. */
  report(): InitReport {
    return {
      completed: [...this.completed],
      scripts: this.hooks.map(({ stage, name, state }) => ({ stage, name, state })),
    };
  }

  /**
   * Runs the scripts of a stage one after the other. Does nothing while scripts run, so that a reset by a script does
   * not start them again.
   * @param env environment of the scripts
   * @throws Failure for a failing script in strict mode
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
 * Returns the names of a directory's visible files, in order.
 * @param optional whether it may be absent
 * @throws Failure if it cannot be read
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

/**
 * Returns the program for a script with its arguments; a text with the reason if none can run it; undefined for a file
 * that is not a script.
 */
async function commandOf(script: string): Promise<readonly string[] | string | undefined> {
  const line = await firstLine(script);
  if (line.startsWith('#!')) {
    const [, program, rest] = /^#!\s*(\S+)\s*(.*)$/.exec(line) ?? [];
    // As in the kernel: everything after the program is one argument.
    if (program !== undefined) return rest ? [program, rest] : [program];
  }
  const ending = extname(script);
  const runner = RUNNERS[ending];
  if (ending === '.ts' && !runsTypeScript(process.versions.node))
    return `needs node ${RUNS_TYPESCRIPT.join('.')} or newer; this is ${process.versions.node}`;
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

/** Runs a script and shows its output. Resolves to its error, if any. */
function run(
  [program, ...args]: readonly string[],
  script: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  return new Promise((done) => {
    // Standard output is reserved for emu; output of scripts goes to the log.
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
