// pnpm bench: checks the arguments, builds everything, and runs main.ts, which measures the build.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readArguments } from './arguments.ts';

const { quick, names } = readArguments();

/** Runs a command of the package, and ends the process if it fails. */
function run(command: string, ...args: string[]): void {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}

run('pnpm', '-w', 'build');
run('tsx', 'src/main.ts', ...(quick ? ['--quick'] : []), ...names);
