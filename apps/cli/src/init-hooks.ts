import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import type { Logger } from '@emu/core';
import { Failure } from './failure.ts';

/** How a hook is run, by the ending of its name. Shell scripts call the AWS CLI, which finds emu by its variables. */
const RUNNERS: Readonly<Record<string, string>> = {
  '.sh': 'sh',
  '.js': process.execPath,
  '.mjs': process.execPath,
  '.cjs': process.execPath,
};

export interface InitHooks {
  /** Directory of the scripts. */
  directory: string;
  /** Whether a failing script ends emu. */
  strict: boolean;
  /** Environment of the scripts: that of emu with the AWS variables set. */
  env: NodeJS.ProcessEnv;
  log: Logger;
}

/**
 * Runs the scripts of a directory one after the other, in the order of their names.
 * @throws Failure where the directory cannot be read, or, with `strict`, where a script fails
 */
export async function runInitHooks({ directory, strict, env, log }: InitHooks): Promise<void> {
  const folder = resolve(directory);
  for (const name of await scriptsOf(folder)) {
    const runner = RUNNERS[extname(name)];
    if (runner === undefined) {
      log.warn(`init: ${name} is not run; hooks are ${Object.keys(RUNNERS).join(', ')}`);
      continue;
    }
    const problem = await run(runner, join(folder, name), folder, env);
    if (problem === undefined) log.info(`init: ${name} ran`);
    else if (strict) throw new Failure(`The init hook ${name} ${problem} (--init-strict).`);
    else log.error(`init: ${name} ${problem}`);
  }
}

async function scriptsOf(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    throw new Failure(`The init directory cannot be read: ${(error as Error).message} (--init, EMULATOR_INIT_DIR).`);
  }
}

/** Runs a script with its output shown; resolves with what went wrong, if anything. */
function run(runner: string, script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return new Promise((done) => {
    // Standard output is emu's own: what scripts print goes where its log goes.
    const child = spawn(runner, [script], { cwd, env, stdio: ['ignore', 2, 2] });
    const end = (): void => {
      child.kill();
    };
    process.once('exit', end);
    child.on('error', (error) => done(`could not be run: ${error.message}`));
    child.on('exit', (code, signal) => {
      process.off('exit', end);
      if (code === 0) done(undefined);
      else done(signal === null ? `failed with exit code ${code}` : `was ended by ${signal}`);
    });
  });
}
