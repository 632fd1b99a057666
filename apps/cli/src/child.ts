import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { Failure } from './failure.ts';

/** Reasons why a command cannot be run, by error code. */
const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'the command does not exist',
  EACCES: 'this user may not run it',
};
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a command with this process's input and output, and passes signals on to it. Resolves to its exit code.
 * @throws Failure if it cannot be started
 */
export function runChild(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env });
    for (const signal of FORWARDED)
      process.on(signal, () => {
        // A terminal also sends its Ctrl-C to the command.
        if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
      });
    child.on('error', (error: NodeJS.ErrnoException) => {
      const why = WHY[error.code ?? ''] ?? error.message;
      reject(new Failure(`${program} could not be run: ${why}`, error.code === 'ENOENT' ? 127 : 126));
    });
    child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal!]));
  });
}
